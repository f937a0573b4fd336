import { useAction } from './useAction.ts'
import { useClient } from './useClient.ts'

/** The session as text, for a server of the app. With the key shares it is worth as much as they are. */
export const useExportSession = () => {
  const client = useClient()
  const { run, runAsync, outcome } = useAction((call, options: { readonly excludeSigners?: boolean } = {}) =>
    client.exportSession({ ...options, ...call }),
  )
  return { ...outcome, exportSession: run, exportSessionAsync: runAsync }
}
