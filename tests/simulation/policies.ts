/**
 * The policies that a schedule's partner may have, each with what it says in a few words. The invariants judge by these words, and not
 * by the product's own reading of the document.
 */
import { ed25519 } from '@noble/curves/ed25519.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { base64urlnopad } from '@scure/base'
import type { SigningRequest } from '../../domain/mpc/SigningRequest.ts'

export type Says = 'allow' | 'deny' | 'review'

/** Whose acceptance a review takes. `stepUp`: the user's with their password. */
export type Review = { readonly user: boolean; readonly partner: boolean; readonly stepUp: boolean }

export type PaymentLimit = {
  /** What is summed up: signatures of any kind, or wei. */
  readonly of: 'count' | 'wei'
  readonly max: number
  readonly holder: 'wallet' | 'partner'
  readonly over: 'deny' | 'review'
}

export type KnownPolicy = {
  readonly document: object
  readonly payments: Says
  readonly messages: Says
  readonly bareDigests: Says
  readonly review: Review
  /** Of payments. */
  readonly limit?: PaymentLimit
}

const ofPayments = { payload: { is: 'evm.transaction' } }
const ofBareDigests = { payload: { is: 'blind' } }

const documentOf = (rules: readonly object[]) => ({ tandem: 'policy/1', default: 'allow', rules })

/** Where signatures are computed without curves (`kit/quick`), the public key of this seed is a point nevertheless, as policies need it. */
const approverSeed = sha256(utf8ToBytes('the approver'))

/** Its public key is in each policy. */
export const approver = {
  kty: 'OKP' as const,
  crv: 'Ed25519' as const,
  x: base64urlnopad.encode(ed25519.getPublicKey(approverSeed)),
}

/** Where a document says no more. */
const byUser: Review = { user: true, partner: false, stepUp: true }

const holding = (by: 'user' | 'partner' | 'both', stepUp = false): KnownPolicy => ({
  document: {
    ...documentOf([
      { id: 'held', effect: 'review', when: { payload: { in: ['evm.transaction', 'blind'] } }, review: { by, stepUp } },
    ]),
    approver,
  },
  payments: 'review',
  messages: 'allow',
  bareDigests: 'review',
  review: { user: by !== 'partner', partner: by !== 'user', stepUp },
})

/** A day is longer than a schedule: no limit is free again before its end. */
const limited = ({ of, max, holder, over }: PaymentLimit): KnownPolicy => ({
  document: documentOf([
    {
      id: 'limited',
      effect: 'allow',
      when: ofPayments,
      limits: [
        { asset: of === 'count' ? 'count' : 'eip155:1/slip44:60', max: String(max), per: '30d', of: holder, over },
      ],
    },
    { id: 'blind', effect: 'allow', when: ofBareDigests },
  ]),
  payments: 'allow',
  messages: 'allow',
  bareDigests: 'allow',
  review: byUser,
  limit: { of, max, holder, over },
})

export const policies = {
  open: {
    document: documentOf([{ id: 'blind', effect: 'allow', when: ofBareDigests }]),
    payments: 'allow',
    messages: 'allow',
    bareDigests: 'allow',
    review: byUser,
  },
  'no payments': {
    document: documentOf([{ id: 'none', effect: 'deny', when: ofPayments }]),
    payments: 'deny',
    messages: 'allow',
    bareDigests: 'deny',
    review: byUser,
  },
  'the user reviews': holding('user'),
  'the user reviews with their password': holding('user', true),
  'the partner reviews': holding('partner'),
  'both review': holding('both'),
  'two signatures': limited({ of: 'count', max: 2, holder: 'partner', over: 'deny' }),
  'four wei of a wallet': limited({ of: 'wei', max: 4, holder: 'wallet', over: 'deny' }),
  'two wei, else the user reviews': limited({ of: 'wei', max: 2, holder: 'partner', over: 'review' }),
} satisfies Readonly<Record<string, KnownPolicy>>

export type PolicyName = keyof typeof policies

export const policyNames = Object.keys(policies) as readonly PolicyName[]

/** By the text of its document. */
export const policyOf = (text: string): KnownPolicy | undefined =>
  Object.values<KnownPolicy>(policies).find(({ document }) => JSON.stringify(document) === text)

export const saysOf = (policy: KnownPolicy, { kind }: SigningRequest): Says =>
  kind === 'transaction' ? policy.payments : kind === 'blind' ? policy.bareDigests : policy.messages

const weiOfPayment = 2

/** EIP-1559, chain 1, to the zero address: 2 wei. `nonce`: 1 to 127. */
export const payment = (nonce: number): SigningRequest => ({
  kind: 'transaction',
  transaction: `02df01${byte(nonce)}010182520894${'00'.repeat(20)}${byte(weiOfPayment)}80c0`,
  chainId: '1',
  send: false,
})

const byte = (value: number): string => value.toString(16).padStart(2, '0')

/** The wei of one of the simulation's transactions, which stand before no data and no access list; 0 of anything else. */
export const weiOf = (request: SigningRequest): number =>
  request.kind === 'transaction' ? Number.parseInt(request.transaction.slice(-6, -4), 16) : 0

/** The content of a partner's decision; `exp` in seconds since 1970. */
export type Statement = {
  readonly id: string
  readonly contentHash: string
  readonly decision: 'accept' | 'deny'
  readonly exp: number
}

/** Compact JWS of the approver's key, or of the key of a stranger. */
export const signedStatement = (statement: Statement, isStranger = false): string => {
  const part = (value: object) => base64urlnopad.encode(utf8ToBytes(JSON.stringify(value)))
  const text = `${part({ alg: 'EdDSA' })}.${part(statement)}`
  const seed = isStranger ? sha256(approverSeed) : approverSeed
  return `${text}.${base64urlnopad.encode(ed25519.sign(utf8ToBytes(text), seed))}`
}
