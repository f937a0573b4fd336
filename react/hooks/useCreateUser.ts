import { makeActionHook } from './useAction.ts'

/** Signs a user up by an e-mail address, to which a code is mailed. Returns the user's id. */
export const useCreateUser = makeActionHook({
  name: 'createUser',
  act: (client, call, identity: { readonly email: string }) => client.createUser(identity, call),
})
