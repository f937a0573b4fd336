import { useCallback, useSyncExternalStore } from 'react'
import { useProvided, type Provided } from '../context.ts'
import type { ModalStatus } from '../ModalStore.ts'

/** Tandem's own dialog: sign-up, login or the account, by the state of the session. */
export const useModal = (): Modal => {
  const provided = useProvided()
  const { modal } = provided
  const { status } = useSyncExternalStore(modal.subscribe, modal.get, modal.getServer)
  return { status, open: modal.open, close: modal.close, signIn: useCallback(() => signIn(provided), [provided]) }
}

export type Modal = {
  readonly status: ModalStatus
  readonly open: () => void
  readonly close: () => void
  /** Opens it, and resolves as soon as the user is signed in with wallets or the dialog is closed again: `connect` of a bridge. */
  readonly signIn: () => Promise<void>
}

const signIn = ({ client, modal }: Provided): Promise<void> => {
  const { session } = client()
  return new Promise((resolve) => {
    const end = () => {
      const { status } = modal.get()
      if (session.get().status !== 'ready' && status !== 'closed' && status !== 'failed') return
      for (const stop of stops) stop()
      resolve()
    }
    modal.open()
    const stops = [session.subscribe(end), modal.subscribe(end)]
    end()
  })
}
