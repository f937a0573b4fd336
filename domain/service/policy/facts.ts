/**
 * What a payload is about, chain by chain (domain/service/policy/README.md#fields). A decoder that cannot account for every
 * byte of a call, an instruction or a message says that it is unknown; it never guesses.
 */
import { fromHex } from '../../crypto/Hex.ts'
import { payloadDigest, type SigningRequest } from '../../mpc/SigningRequest.ts'
import * as Result from 'effect/Result'
import { authorizationFacts, transactionFacts } from './facts/evm.ts'
import { aminoFacts, directFacts } from './facts/cosmos.ts'
import { fieldsOf, known, unknown, type Asked, type Decoded, type Facts, type Payload } from './facts/Facts.ts'
import { messageFacts } from './facts/messages.ts'
import { solanaFacts } from './facts/solana.ts'
import { typedDataFacts } from './facts/typedData.ts'

export const factsOf = (asked: Asked): Facts => {
  const { request, scheme, wallet, deviceAgeMs, origin, optedIn } = asked
  const isSigned = Result.isSuccess(payloadDigest(request, scheme))
  const [payload, decoded] = isSigned ? decodedOf(request, wallet.address) : [payloadOf(request), undefined]
  const common = fieldsOf({
    payload: known(payload),
    scheme: known(scheme),
    origin: origin === null ? unknown : known(origin),
    walletAge: known(String(wallet.ageMs)),
    deviceAge: deviceAgeMs === null ? unknown : known(String(deviceAgeMs)),
  })
  const facts = decoded ?? opaque(request)
  return { ...facts, fields: new Map([...facts.fields, ...common]), payload, optedIn, isOpaque: decoded === undefined }
}

/** What nothing is known of. A person is shown the bytes themselves. */
const opaque = (request: SigningRequest): Decoded => ({
  fields: new Map(),
  outflows: [],
  outflowUnknown: true,
  details: [bytesShown(request)],
  warnings: [{ code: 'UNREADABLE' }],
})

const bytesShown = (request: SigningRequest): Decoded['details'][number] => {
  switch (request.kind) {
    case 'blind':
      return { name: 'digest', value: `0x${request.digest}` }
    case 'eip191':
    case 'solanaMessage':
    case 'solanaTransaction':
      return { name: 'message', value: `0x${request.message}` }
    case 'transaction':
      return { name: 'transaction', value: `0x${request.transaction}` }
    case 'cosmosDirect':
    case 'cosmosAmino':
      return { name: 'signDoc', value: `0x${request.signDoc}` }
    case 'eip712':
      return { name: 'typedData', value: request.typedData }
    case 'authorization':
      return { name: 'address', value: `0x${request.address}` }
  }
}

const decodedOf = (request: SigningRequest, address: string): readonly [Payload, Decoded | undefined] => {
  const payload = payloadOf(request)
  switch (request.kind) {
    case 'eip191':
    case 'solanaMessage':
      return [payload, payload === 'evm.messageHash' ? undefined : messageFacts(bytesOf(request.message))]
    case 'eip712':
      return [payload, typedDataFacts(request.typedData)]
    case 'authorization':
      return [payload, authorizationFacts(request)]
    case 'transaction':
      return [payload, transactionFacts(bytesOf(request.transaction), request.chainId)]
    case 'solanaTransaction':
      return [payload, solanaFacts(bytesOf(request.message), address)]
    case 'cosmosDirect':
      return [payload, directFacts(bytesOf(request.signDoc))]
    case 'cosmosAmino': {
      const { isMessage, decoded } = aminoFacts(bytesOf(request.signDoc))
      return [isMessage ? 'cosmos.message' : payload, decoded]
    }
    case 'blind':
      return [payload, undefined]
  }
}

/** A message of 32 bytes may be the hash of a smart account's operation. */
const payloadOf = (request: SigningRequest): Payload => {
  switch (request.kind) {
    case 'eip191':
      return request.message.length === 64 ? 'evm.messageHash' : 'evm.message'
    case 'eip712':
      return 'evm.typedData'
    case 'authorization':
      return 'evm.authorization'
    case 'transaction':
      return 'evm.transaction'
    case 'solanaMessage':
      return 'solana.message'
    case 'solanaTransaction':
      return 'solana.transaction'
    case 'cosmosDirect':
      return 'cosmos.direct'
    case 'cosmosAmino':
      return 'cosmos.amino'
    case 'blind':
      return 'blind'
  }
}

const bytesOf = (hex: string): Uint8Array => fromHex(hex) ?? new Uint8Array(0)
