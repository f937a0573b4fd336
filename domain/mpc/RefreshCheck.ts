/**
 * What a device signs with the shares of a refresh before the provider may destroy the old ones. The text has no meaning
 * elsewhere, and no policy judges it: a wallet whose partner denies every message still gets its new shares.
 */
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { isEvm } from '../model/EvmAddress.ts'
import * as CosmosMessage from '../model/CosmosMessage.ts'
import type { Scheme } from './Scheme.ts'
import type { SigningRequest } from './SigningRequest.ts'

export type Sharing = {
  readonly scheme: Scheme
  readonly walletId: string
  /** hex(32): the sharing that the refresh made. */
  readonly shareId: string
  /** The wallet's own. */
  readonly address: string
}

/** The check as a message of the wallet's chain. */
export const request = ({ scheme, walletId, shareId, address }: Sharing): SigningRequest => {
  const text = utf8ToBytes(`tandem/refresh-check/v1 ${walletId} ${shareId}`)
  if (scheme === 'ED25519') return { kind: 'solanaMessage', message: bytesToHex(text) }
  if (isEvm(address)) return { kind: 'eip191', message: bytesToHex(text) }
  return { kind: 'cosmosAmino', signDoc: bytesToHex(CosmosMessage.signDoc(address, text)) }
}
