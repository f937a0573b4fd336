import { secp256k1 } from '@noble/curves/secp256k1.js'
import { randomBytes } from '@noble/hashes/utils.js'
import * as Address from '../../domain/model/Address.ts'
import { shareIdOf } from '../../domain/mpc/Protocol.ts'
import * as ShareText from '../../domain/mpc/ShareText.ts'

type Of = {
  readonly userId: string
  readonly partnerId: string
  readonly rootPublicKey: Uint8Array
  readonly walletId?: string | undefined
  readonly epoch?: number | undefined
}

/** The user's share of a new key, as text. Both halves are made here, without a protocol. */
export const makeUserShare = ({ userId, partnerId, rootPublicKey, walletId = crypto.randomUUID(), epoch = 1 }: Of) => {
  const { Point } = secp256k1
  const [secret, provider] = [secp256k1.utils.randomSecretKey(), secp256k1.utils.randomSecretKey()]
  const client = Point.BASE.multiply(Point.Fn.fromBytes(secret))
  const server = Point.BASE.multiply(Point.Fn.fromBytes(provider))
  const publicKey = client.add(server).toBytes()
  const shareId = shareIdOf(randomBytes(16), client.toBytes(), server.toBytes(), publicKey)
  const shareText = ShareText.write({
    userId,
    partnerId,
    cosignerName: 'localhost',
    cosignerKey: new Uint8Array(65),
    share: {
      scheme: 'DKLS',
      role: 'USER',
      walletId,
      epoch,
      shareId,
      secret,
      clientPublic: client.toBytes(),
      serverPublic: server.toBytes(),
      publicKey,
      chainCode: randomBytes(32),
      rootPublicKey,
    },
  })
  return { walletId, shareText, shareId, publicKey, address: Address.evm(publicKey) }
}
