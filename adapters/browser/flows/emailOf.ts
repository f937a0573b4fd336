import type { ByEmail } from '../verbs.ts'

/** The identity that an app names by its e-mail address. */
export const emailOf = ({ email }: ByEmail) => ({ kind: 'email', email }) as const
