import { useSyncExternalStore } from 'react'
import { useProvided } from '../context.ts'
import type { ModalState } from '../ModalStore.ts'

/** Tandem's own dialog: sign-up, login or the account, by the state of the session. */
export const useModal = (): Modal => {
  const { modal } = useProvided()
  const { status } = useSyncExternalStore(modal.subscribe, modal.get, modal.getServer)
  return { status, open: modal.open, close: modal.close }
}

export type Modal = Pick<ModalState, 'status'> & { readonly open: () => void; readonly close: () => void }
