/** Advice on a password while it is typed: what is refused, and visible weaknesses. */
import * as Result from 'effect/Result'
import { commonPasswords } from '../../../domain/client/portal/commonPasswords.ts'
import * as PasswordKeys from '../../../domain/crypto/PasswordKeys.ts'

export type Refusal = 'too-short' | 'too-common'

/** No strength is estimated. These are weaknesses that can be detected, the worst first. */
export type Advice = 'none' | 'short' | 'account' | 'repeats' | 'digits' | 'could-be-longer' | 'fine'

/** Why the password is refused; `undefined` if it is accepted. */
export const refusalOf = (password: string): Refusal | undefined => {
  const failure = Result.match(PasswordKeys.passwordBytes(password, commonPasswords), {
    onSuccess: () => undefined,
    onFailure: (failure) => failure._tag,
  })
  if (failure === undefined) return undefined
  return failure === 'PasswordTooShort' ? 'too-short' : 'too-common'
}

/** Characters that are still missing, counted as the rule counts them. */
export const missingCharacters = (password: string): number =>
  Math.max(0, PasswordKeys.minimumCharacters - characters(password).length)

/** `account`: the shown account, whose name a password should not contain. */
export const adviceOn = (password: string, account: string | undefined): Advice => {
  if (password === '') return 'none'
  if (missingCharacters(password) > 0) return 'short'
  const typed = characters(password.toLowerCase())
  const name = account?.split('@')[0]?.toLowerCase() ?? ''
  if (name.length >= 4 && typed.join('').includes(name)) return 'account'
  if (new Set(typed).size <= 4) return 'repeats'
  if (/^[0-9 .-]+$/.test(password)) return 'digits'
  return typed.length < 12 ? 'could-be-longer' : 'fine'
}

const characters = (text: string): readonly string[] => [...text.normalize('NFKC')]
