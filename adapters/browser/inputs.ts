/** What verbs take, held against what a page without types gives, before anything else happens. */
import * as Data from 'effect/Data'
import type { InputOf, VerbName } from './verbs.ts'

/**
 * Names of `typeof` and 'Uint8Array', or a text itself, which is in capitals; with a bar between alternatives. What may be
 * left out ends with '|undefined'.
 */
type Form = string

/** All fields of an input that is an object. */
type Forms<Input> = Input extends string ? Form : { readonly [Field in keyof Required<Input>]: Form }

const email: Form = 'string'
const walletId: Form = 'string|undefined'
const signing = { walletId, timeoutMs: 'number|undefined' }
const bytes: Form = 'Uint8Array'
const transaction = { ...signing, transaction: 'string|Uint8Array', chainId: 'string|number|bigint' }
const cosmos = { ...signing, signerAddress: 'string', prefix: 'string|undefined', signDoc: 'object' }

const inputs: {
  readonly [Name in VerbName as InputOf<Name> extends readonly [] ? never : Name]: Forms<
    Exclude<InputOf<Name>[0], undefined>
  >
} = {
  checkUserExists: { email },
  createUser: { email },
  verifyEmail: 'string',
  getSupportedAuthMethods: { email },
  login: { email, method: 'PASSKEY|PASSWORD|undefined' },
  logout: { clearPregenWallets: 'boolean|undefined', evenWithoutBackup: 'boolean|undefined' },
  findWallet: { address: 'string' },
  createWallet: { type: 'string|undefined', scheme: 'string|undefined', cosmosPrefix: 'string|undefined' },
  refreshKeys: { walletId },
  exportPrivateKey: { walletId },
  signMessage: { ...signing, message: 'string|Uint8Array' },
  signTypedData: { ...signing, typedData: 'object' },
  signAuthorization: { ...signing, address: 'string', chainId: 'number', nonce: 'number' },
  signTransaction: transaction,
  sendTransaction: transaction,
  signSolanaTransaction: { ...signing, message: bytes },
  sendSolanaTransaction: { ...signing, transaction: bytes, chainId: 'string' },
  signCosmosDirect: cosmos,
  signCosmosAmino: cosmos,
  sendCosmosTransaction: cosmos,
  preSignMessage: { ...signing, message: bytes, cosmosSignDoc: 'Uint8Array|undefined', protocolId: 'string|undefined' },
  signRawHash: { walletId, hash: 'string|Uint8Array' },
  exportSession: { excludeSigners: 'boolean|undefined', lifetimeMs: 'number|undefined' },
  importSession: 'string',
  endDelegation: { id: 'string' },
  createShortLink: 'string',
}

/** The verbs whose input may be left out as a whole. */
const optional: readonly VerbName[] = ['logout', 'createWallet', 'refreshKeys', 'exportPrivateKey', 'exportSession']

/** What is wrong with an input, by its first field that is not as the verb takes it. */
export const faultOf = (verb: VerbName, [input]: readonly unknown[]): InvalidInput | undefined => {
  const forms = (inputs as { readonly [Name in VerbName]?: Form | Readonly<Record<string, Form>> })[verb]
  if (forms === undefined || (input === undefined && optional.includes(verb))) return undefined
  if (typeof forms === 'string') return isOf(forms, input) ? undefined : new InvalidInput({ verb, form: forms })
  if (!isOf('object', input)) return new InvalidInput({ verb, form: 'object' })
  const field = Object.keys(forms).find((name) => !isOf(forms[name] ?? '', (input as Record<string, unknown>)[name]))
  return field === undefined ? undefined : new InvalidInput({ verb, field, form: forms[field] ?? '' })
}

/** Bytes go by their name: those of another window have another class. */
const isOf = (form: Form, value: unknown): boolean =>
  form
    .split('|')
    .some((one) =>
      one > 'a'
        ? typeof value === one && value !== null
        : (one === bytes ? (value as Partial<Uint8Array> | undefined)?.[Symbol.toStringTag] : value) === one,
    )

/** An argument has another type or value than the verb takes. */
export class InvalidInput extends Data.TaggedError('InvalidInput')<{
  readonly verb: string
  /** Of an input that is an object. */
  readonly field?: string
  readonly form: Form
}> {
  override readonly message = `${this.verb} takes ${this.field ?? 'an input'} as ${this.form.split('|').join(' or ')}`
}
