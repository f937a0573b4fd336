/** What a policy is judged by: a payload as the co-signer decoded it (domain/service/policy/README.md#fields). */
import type { Scheme } from '../../../mpc/Protocol.ts'
import type { SigningRequest } from '../../../mpc/SigningRequest.ts'
import type { WalletType } from '../../../model/WalletTypes.ts'

/** A request to sign, with what the service knows of the one who asks. Ages are milliseconds. */
export type Asked = {
  readonly request: SigningRequest
  readonly scheme: Scheme
  /** The address in the wallet's own form; of Cosmos under its own prefix. */
  readonly wallet: { readonly type: WalletType; readonly address: string; readonly ageMs: number }
  /** `null` where the client has no device key: unknown. */
  readonly deviceAgeMs: number | null
  /** The session's origin; `null` is unknown. */
  readonly origin: string | null
  /** Whether the partner allows bare digests. */
  readonly optedIn: boolean
}

export const payloads = [
  'evm.message',
  'evm.messageHash',
  'evm.typedData',
  'evm.authorization',
  'evm.transaction',
  'solana.message',
  'solana.transaction',
  'cosmos.direct',
  'cosmos.amino',
  'cosmos.message',
  'blind',
] as const
export type Payload = (typeof payloads)[number]

/** The values that a payload has under a name; neither values nor unknown: none. Both: some of them are unknown. */
export type Field = { readonly values: readonly string[]; readonly isUnknown: boolean }

/** What may leave the wallet, now or by a permission. */
export type Outflow = {
  /** CAIP-19. */
  readonly asset: string
  /** In base units. */
  readonly amount: bigint | 'unlimited'
  /** Who receives it or may take it; `undefined` for a fee and for what is destroyed. */
  readonly to: string | undefined
  readonly isApproval: boolean
}

/** A call of a contract; those inside of a multicall are calls of their own. */
export type Call = {
  /** `0x` and the data, from the selector on; never empty. */
  readonly data: `0x${string}`
  /** The signature and the arguments by a token standard; `undefined` if it is of none. */
  readonly decoded: { readonly method: string; readonly args: readonly unknown[] } | undefined
  /** Of a multicall: its arguments beside the calls, and how many calls follow that are directly inside of it. */
  readonly opened?: { readonly args: readonly unknown[]; readonly calls: number }
}

export type Warning = {
  readonly code:
    | 'ACCOUNT_DELEGATED'
    | 'FIRST_TIME_ADDRESS'
    | 'LOOKUP_TABLE'
    | 'OTHER_CHAIN'
    | 'OUTFLOW_UNKNOWN'
    | 'UNKNOWN_CALL'
    | 'UNKNOWN_PROGRAM'
    | 'UNLIMITED_APPROVAL'
    | 'UNREADABLE'
  readonly subject?: string
}

/** What a decoder of one chain finds. */
export type Decoded = {
  /** CAIP-2, where the payload names one. */
  readonly chain?: string
  /** A name that is not here has no value. */
  readonly fields: ReadonlyMap<string, Field>
  readonly calls?: readonly Call[]
  /** `recipient` for a rule that allows the channels to other chains; only where the payload has some. */
  readonly recipientByChannel?: Field
  readonly outflows: readonly Outflow[]
  /** More than the outflows may leave the wallet. */
  readonly outflowUnknown: boolean
  /** A message that a person can read. */
  readonly text?: string
  readonly details: readonly { readonly name: string; readonly value: string }[]
  readonly warnings: readonly Warning[]
}

export type Facts = Decoded & {
  readonly payload: Payload
  readonly optedIn: boolean
  /** Nothing is known of the payload: a name that is not among the fields is unknown, and not none. */
  readonly isOpaque: boolean
}

export const known = (...values: readonly string[]): Field => ({ values, isUnknown: false })

export const unknown: Field = { values: [], isUnknown: true }

/** Some values, of which each may be unknown. */
export const listed = (values: readonly (string | undefined)[]): Field => ({
  values: [...new Set(values.filter((value) => value !== undefined))],
  isUnknown: values.includes(undefined),
})

/** Decimal text as policies and documents write what 256 bits may hold. */
export const wholeNumber = /^(?:0|[1-9][0-9]{0,77})$/

/** The fields that have a value or are unknown. */
export const fieldsOf = (fields: Readonly<Record<string, Field | undefined>>): ReadonlyMap<string, Field> =>
  new Map(
    Object.entries(fields).filter(
      (entry): entry is [string, Field] => entry[1] !== undefined && (entry[1].isUnknown || entry[1].values.length > 0),
    ),
  )
