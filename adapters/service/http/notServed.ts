/** The optional fields of answers that the contract has and no handler serves. */
import type * as Effect from 'effect/Effect'
import type { OperationId, Success } from '../../../generated/handlers.ts'
import type { handlers } from './handlers.ts'
import type { notBuilt } from './notBuilt.ts'

type BuiltId = Exclude<OperationId, keyof typeof notBuilt>

/** `operation.field` for each optional field of an answer that its handler's type does not mention. */
type UnservedField = {
  [Id in BuiltId]: `${Id}.${Unserved<Success<Id>, Effect.Success<ReturnType<(typeof handlers)[Id]>>>}`
}[BuiltId]

/**
 * The fields of an answer of the contract that `Served` does not mention, those of its lists and objects too:
 * `wallets.partner`. What is optional there is mentioned.
 */
type Unserved<Said, Served> = Said extends readonly (infer Item)[]
  ? Unserved<Item, Served extends readonly (infer Own)[] ? Own : never>
  : Said extends Uint8Array | string | number | boolean | null | undefined
    ? never
    : { [Name in NamesOf<Said>]-?: Under<Name, Said[Name], Served> }[NamesOf<Said>]

/** Without those of a map. */
type NamesOf<Said> = string extends keyof Said ? never : keyof Said & string

type Under<Name extends string, Said, Served> =
  Name extends KeysOf<Served> ? `${Name}.${Unserved<Said, FieldOf<Served, Name>>}` : Name

type KeysOf<Served> = Served extends unknown ? keyof Served : never

type FieldOf<Served, Name extends string> = Served extends { readonly [N in Name]?: infer Value }
  ? Exclude<Value, null | undefined>
  : never

const noNames = 'names of chains are not looked up'

/** Remove a field when you serve it. One that no handler serves and that is not here does not compile. */
export const notServed = {
  'getPasskeyLocationHints.hints.useragent': 'a passkey’s browser is not stored',
  'verifyPasskey.pepper': 'a passkey has no pepper',
  'verifyPasskey.deviceToken': 'a passkey is not guessed',
  'verifyPassword.variant': 'the variant is not stored',
  'listWallets.wallets.ensName': noNames,
  'listWallets.wallets.ensAvatar': noNames,
  'listAllWallets.wallets.ensName': noNames,
  'listAllWallets.wallets.ensAvatar': noNames,
  'listPregenWallets.wallets.ensName': noNames,
  'listPregenWallets.wallets.ensAvatar': noNames,
} as const satisfies { readonly [Field in UnservedField]: string }
