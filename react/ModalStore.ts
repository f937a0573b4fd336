/** The modal's state outside of React: whether it is open, its code once it is there, and what it must not lose. */
import type { ReactNode } from 'react'

export type ModalState = {
  /** 'loading' and 'failed' are about its code, which comes with the first opening. */
  readonly status: 'closed' | 'loading' | 'open' | 'failed'
  /** A recovery secret that nobody has been shown yet. */
  readonly recoverySecret: string | undefined
}

export type ModalStore = {
  readonly get: () => ModalState
  readonly getServer: () => ModalState
  readonly subscribe: (listener: () => void) => () => void
  readonly open: () => void
  readonly close: () => void
  /** Nothing, until its code has come. */
  readonly draw: () => ReactNode
  /** Opens it for a secret that is said once (flows 5.11). It is held until the user has kept it. */
  readonly show: (recoverySecret: string) => void
  readonly forgetSecret: () => void
  /** Where the focus was when it was opened, and goes back to when it is closed. */
  readonly opener: () => Element | null
}

export const makeModalStore = (load: () => Promise<() => ReactNode>): ModalStore => {
  const listeners = new Set<() => void>()
  let state: ModalState = closed
  let draw: (() => ReactNode) | undefined
  let opener: Element | null = null

  const set = (next: Partial<ModalState>) => {
    state = { ...state, ...next }
    for (const listener of listeners) listener()
  }
  const loaded = (found: () => ReactNode) => {
    draw = found
    if (state.status === 'loading') set({ status: 'open' })
  }
  const open = () => {
    if (state.status !== 'open' && typeof document !== 'undefined') opener = document.activeElement
    if (draw !== undefined) set({ status: 'open' })
    else if (state.status !== 'loading') {
      set({ status: 'loading' })
      load().then(loaded, () => set({ status: 'failed' }))
    }
  }

  return {
    get: () => state,
    getServer: () => closed,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    open,
    close: () => set({ status: 'closed' }),
    draw: () => draw?.(),
    show: (recoverySecret) => {
      set({ recoverySecret })
      open()
    },
    forgetSecret: () => set({ recoverySecret: undefined }),
    opener: () => opener,
  }
}

const closed: ModalState = { status: 'closed', recoverySecret: undefined }
