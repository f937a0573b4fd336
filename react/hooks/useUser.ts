import { useSession } from './useSession.ts'

export type User = { readonly userId: string; readonly email: string | undefined }

/** The signed-in user, if there is one. */
export const useUser = (): User | undefined => {
  const { status, userId, email } = useSession()
  return userId === undefined || status === 'loading' || status === 'anonymous' ? undefined : { userId, email }
}
