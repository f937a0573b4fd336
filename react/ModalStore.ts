/** The modal's state outside of React: whether it is open, its code once loaded, and a secret that must not be lost. */
import type { ReactNode } from 'react'

/** 'loading' and 'failed' are about its code, which is loaded when it first opens. */
export type ModalStatus = 'closed' | 'loading' | 'open' | 'failed'

export type ModalState = {
  readonly status: ModalStatus
  /** A recovery secret that was not shown yet. */
  readonly recoverySecret: string | undefined
}

export type ModalStore = {
  readonly get: () => ModalState
  readonly getServer: () => ModalState
  readonly subscribe: (listener: () => void) => () => void
  readonly open: () => void
  readonly close: () => void
  /** Undefined until its code is loaded. */
  readonly draw: () => ReactNode
  /** Opens it with a recovery secret, which is shown once and held until the user confirms that it is kept. */
  readonly show: (recoverySecret: string) => void
  readonly forgetSecret: () => void
  /** The element that had the focus before, and gets it back when the modal closes. */
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
