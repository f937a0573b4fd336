/**
 * What a sign document of Cosmos says. A document is taken only if its decoded form is encoded to the same bytes again:
 * chains decode the transaction and make the document anew, so any other encoding is not what they verify (ADR-027).
 * Which messages a policy understands is in policy/facts/cosmos.ts.
 */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { utf8 } from '@scure/base'
import { PubKey } from 'cosmjs-types/cosmos/crypto/secp256k1/keys'
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import { AuthInfo, SignDoc, TxBody, TxRaw, type Fee } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import * as Schema from 'effect/Schema'
import { equal } from '../../crypto/Equal.ts'
import * as CosmosMessage from '../../model/CosmosMessage.ts'

/** The signers of a transaction, as its direct document has them. */
export type Signers = {
  /** Those keys of secp256k1 that are given; eth_secp256k1, by which other chains hash and address, is not among them. */
  readonly keys: readonly Uint8Array[]
  /** Whether a key is left to the chain, which knows it from an earlier transaction. */
  readonly isKeyLeftOut: boolean
}

/** A direct document, decoded. */
export type Direct = {
  readonly chainId: string
  readonly accountNumber: bigint
  readonly body: TxBody
  readonly authInfo: AuthInfo
  readonly fee: Fee
}

/** `undefined` if the bytes are no document of a transaction. */
export const readDirect = (bytes: Uint8Array): Direct | undefined => {
  const document = canonical(SignDoc, bytes)
  const body = document && canonical(TxBody, document.bodyBytes)
  const authInfo = document && canonical(AuthInfo, document.authInfoBytes)
  if (!document || !body || body.messages.length === 0 || authInfo?.fee === undefined) return undefined
  return { chainId: document.chainId, accountNumber: document.accountNumber, body, authInfo, fee: authInfo.fee }
}

/** `undefined` if the bytes are no document of a transaction. */
export const signersOf = (bytes: Uint8Array): Signers | undefined => {
  const authInfo = readDirect(bytes)?.authInfo
  if (authInfo === undefined) return undefined
  const given = authInfo.signerInfos.map(({ publicKey }) => publicKey)
  return { keys: given.flatMap((key) => keyOf(key) ?? []), isKeyLeftOut: given.includes(undefined) }
}

/**
 * Whether the bytes are the transaction (TxRaw) of a direct document, with as many signatures as signers, of which one
 * is this key's over the document. Signatures of others are over documents with account numbers of their own.
 */
export const isSignedBy = (key: Uint8Array, document: Uint8Array, bytes: Uint8Array): boolean => {
  const signDoc = canonical(SignDoc, document)
  const transaction = canonical(TxRaw, bytes)
  if (signDoc === undefined || transaction === undefined) return false
  const { bodyBytes, authInfoBytes, signatures } = transaction
  if (!equal(bodyBytes, signDoc.bodyBytes) || !equal(authInfoBytes, signDoc.authInfoBytes)) return false
  const { signerInfos } = AuthInfo.decode(authInfoBytes)
  if (signatures.length !== signerInfos.length) return false
  return signerInfos.some(({ publicKey, modeInfo }, index) => {
    const signature = signatures[index]
    const own = publicKey === undefined ? key : keyOf(publicKey)
    return (
      modeInfo?.single?.mode === SignMode.SIGN_MODE_DIRECT &&
      own !== undefined &&
      equal(own, key) &&
      signature?.length === 64 &&
      secp256k1.verify(signature, document, key)
    )
  })
}

const keyOf = (given: Any | undefined): Uint8Array | undefined => {
  const key = given?.typeUrl === PubKey.typeUrl ? canonical(PubKey, given.value)?.key : undefined
  return key !== undefined && secp256k1.utils.isValidPublicKey(key, true) ? key : undefined
}

export type Codec<A> = {
  readonly decode: (bytes: Uint8Array) => A
  readonly encode: (message: A) => { readonly finish: () => Uint8Array }
}

/** The message, if it is encoded to the same bytes again and its texts are UTF-8. */
export const canonical = <A>(codec: Codec<A>, bytes: Uint8Array): A | undefined => {
  try {
    const message = codec.decode(bytes)
    return isUtf8(message) && equal(codec.encode(message).finish(), bytes) ? message : undefined
  } catch {
    return undefined
  }
}

/**
 * Whether every text inside has a form in UTF-8. The decoders read half of a surrogate pair and write it again; chains
 * refuse such bytes, or read another sign.
 */
const isUtf8 = (value: unknown): boolean => {
  if (typeof value === 'string') return !/\p{Surrogate}/u.test(value)
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return true
  return Object.entries(value).every(([name, one]) => isUtf8(name) && isUtf8(one))
}

/** An amino document, StdSignDoc of the Cosmos SDK. */
const AminoDocument = Schema.Struct({
  account_number: Schema.String,
  chain_id: Schema.String,
  fee: Schema.Struct({
    amount: Schema.Array(Schema.Struct({ denom: Schema.String, amount: Schema.String })),
    gas: Schema.String,
    payer: Schema.optionalKey(Schema.String),
    granter: Schema.optionalKey(Schema.String),
  }),
  memo: Schema.String,
  msgs: Schema.NonEmptyArray(Schema.Struct({ type: Schema.String, value: Schema.Unknown })),
  sequence: Schema.String,
  timeout_height: Schema.optionalKey(Schema.String),
})
const decodeAmino = Schema.decodeUnknownSync(AminoDocument, { onExcessProperty: 'error' })

/** A plain message among an amino document's (ADR-036). */
export const plainMessage = 'sign/MsgSignData'
export const readPlainMessage = Schema.decodeUnknownSync(Schema.Struct({ data: Schema.String, signer: Schema.String }))

/** `undefined` if the bytes are no amino document in its canonical form. */
export const readAmino = (bytes: Uint8Array): typeof AminoDocument.Type | undefined => {
  try {
    const parsed: unknown = JSON.parse(utf8.encode(bytes))
    const document = decodeAmino(parsed)
    return isUtf8(parsed) && equal(CosmosMessage.aminoBytes(parsed), bytes) ? document : undefined
  } catch {
    return undefined
  }
}

/** The addresses that an amino document names as its signers: those of plain messages. `undefined` if it is none. */
export const namedSigners = (bytes: Uint8Array): readonly string[] | undefined => {
  try {
    const plain = readAmino(bytes)?.msgs.filter(({ type }) => type === plainMessage)
    return plain?.map(({ value }) => readPlainMessage(value).signer)
  } catch {
    return undefined
  }
}
