import { makeActionHook } from './useAction.ts'

/** Takes over a session that was exported as text. */
export const useImportSession = makeActionHook({
  name: 'importSession',
  act: (client, call, text: string) => client.importSession(text, call),
})
