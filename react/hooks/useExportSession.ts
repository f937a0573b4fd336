import { makeActionHook } from './useAction.ts'

/** The session as text, for a server of the app. With the key shares it has to be protected like them. */
export const useExportSession = makeActionHook({
  name: 'exportSession',
  act: (client, call, options: { readonly excludeSigners?: boolean } = {}) =>
    client.exportSession({ ...options, ...call }),
})
