import { useAction } from './useAction.ts'
import { useClient } from './useClient.ts'

/** Signs a user up by an e-mail address, to which a code is mailed. Answers the user's id. */
export const useCreateUser = () => {
  const client = useClient()
  const { run, runAsync, outcome } = useAction((call, identity: { readonly email: string }) =>
    client.createUser(identity, call),
  )
  return { ...outcome, createUser: run, createUserAsync: runAsync }
}
