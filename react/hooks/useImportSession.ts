import { useAction } from './useAction.ts'
import { useClient } from './useClient.ts'

/** Takes over a session that was exported as text. */
export const useImportSession = () => {
  const client = useClient()
  const { run, runAsync, outcome } = useAction((call, text: string) => client.importSession(text, call))
  return { ...outcome, importSession: run, importSessionAsync: runAsync }
}
