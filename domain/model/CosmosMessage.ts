/**
 * The documents that a Cosmos wallet signs. The canonical JSON of an amino document has its keys in order, no spaces, and
 * `&`, `<` and `>` as Go escapes them. A plain message (ADR-036) is the amino document of a transaction that can never be
 * valid, with the data in base64 as its only message. A direct document is the protobuf message SignDoc (ADR-020).
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, isBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { base64 } from '@scure/base'

/** The bytes that are hashed and signed for a plain message. */
export const signDoc = (signer: string, data: Uint8Array): Uint8Array =>
  aminoBytes({
    account_number: '0',
    chain_id: '',
    fee: { amount: [], gas: '0' },
    memo: '',
    msgs: [{ type: 'sign/MsgSignData', value: { data: base64.encode(data), signer } }],
    sequence: '0',
  })

/** An amino document, as cosmjs and Keplr have it. */
export type AminoDocument = {
  readonly chain_id: string
  readonly account_number: string
  readonly sequence: string
  readonly fee: {
    readonly amount: readonly { readonly denom: string; readonly amount: string }[]
    readonly gas: string
    readonly payer?: string
    readonly granter?: string
  }
  readonly msgs: readonly { readonly type: string; readonly value: unknown }[]
  readonly memo: string
  readonly timeout_height?: string
}

/** The canonical JSON of parsed JSON, as bytes: what is hashed and signed for an amino document. */
export const aminoBytes = (document: unknown): Uint8Array =>
  utf8ToBytes(ordered(document).replace(/[&<>]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`))

/** The same for a document of an app; `undefined` for what has no sign bytes. A field of JSON that is undefined is none. */
export const aminoBytesOf = (document: AminoDocument): Uint8Array | undefined => {
  try {
    return aminoBytes(JSON.parse(JSON.stringify(document)))
  } catch {
    return undefined
  }
}

/** Written by hand, because an object would have its keys that are whole numbers first, whatever their order was. */
const ordered = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(ordered).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = new Map(Object.entries(value))
  const names = [...fields.keys()].sort()
  return `{${names.map((name) => `${JSON.stringify(name)}:${ordered(fields.get(name))}`).join(',')}}`
}

/** A document of cosmjs and of Keplr, whose account numbers are a bigint, a `Long` or decimal text. */
export type DirectDocument = {
  readonly bodyBytes: Uint8Array
  readonly authInfoBytes: Uint8Array
  readonly chainId: string
  readonly accountNumber: bigint | number | string | { toString(): string }
}

/**
 * The bytes that are hashed and signed; none for an account number that is not one of 64 bits, and for fields that are no
 * bytes, as a document in JSON has them in base64. Empty fields are left out.
 */
export const directBytes = ({
  bodyBytes,
  authInfoBytes,
  chainId,
  accountNumber,
}: DirectDocument): Uint8Array | undefined => {
  if (!isBytes(bodyBytes) || !isBytes(authInfoBytes) || typeof chainId !== 'string') return undefined
  const digits = String(accountNumber)
  if (!/^[0-9]{1,20}$/.test(digits)) return undefined
  const number = BigInt(digits)
  if (number !== BigInt.asUintN(64, number)) return undefined
  return concatBytes(
    fieldsOf(bodyBytes, authInfoBytes, utf8ToBytes(chainId)),
    ...(number === 0n ? [] : [Uint8Array.of(accountNumberTag), varint(number)]),
  )
}

/** The transaction (TxRaw) of a document with one signer, and its hash. `signature`: r ‖ s, and more bytes that no chain has. */
export const signedTransaction = (
  { bodyBytes, authInfoBytes }: Pick<DirectDocument, 'bodyBytes' | 'authInfoBytes'>,
  signature: Uint8Array,
): { readonly transaction: Uint8Array; readonly transactionHash: string } => {
  const transaction = fieldsOf(bodyBytes, authInfoBytes, signature.subarray(0, 64))
  return { transaction, transactionHash: bytesToHex(sha256(transaction)).toUpperCase() }
}

/** The first fields of a message, all of bytes. Empty ones are left out. */
const fieldsOf = (...fields: readonly Uint8Array[]): Uint8Array =>
  concatBytes(
    ...fields.flatMap((bytes, index) =>
      bytes.length === 0
        ? []
        : [Uint8Array.of(((index + 1) << 3) | lengthDelimited), varint(BigInt(bytes.length)), bytes],
    ),
  )

/** Protobuf: a tag is the field's number shifted by three, with its wire type. */
const lengthDelimited = 2
const accountNumberTag = 4 << 3

const varint = (value: bigint): Uint8Array => {
  const bytes: number[] = []
  for (let rest = value; ; rest >>= 7n) {
    const low = Number(rest & 0x7fn)
    if (rest < 0x80n) return Uint8Array.from([...bytes, low])
    bytes.push(low | 0x80)
  }
}
