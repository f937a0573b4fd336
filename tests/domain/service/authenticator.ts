/** A platform authenticator as far as WebAuthn Level 3 lets a relying party see one: ES256, attestation `none`. */
import { createHash, createSign, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

/** What a ceremony was asked for, and what a hostile page may change about it. */
export type Ceremony = {
  readonly challenge: Uint8Array
  readonly origin: string
  readonly rpId: string
  readonly userVerified?: boolean
  readonly crossOrigin?: boolean
  readonly type?: string
  readonly counter?: number
}

type Cbor = Parameters<typeof isoCBOR.encode>[0]

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest()

export class Authenticator {
  readonly id = randomBytes(16)
  readonly keys: { readonly publicKey: KeyObject; readonly privateKey: KeyObject } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
  })
  counter: number

  /** Without a counter it says 0 for ever, as synchronised passkeys do. */
  constructor(counter = 0) {
    this.counter = counter
  }

  get credentialId() {
    return base64url(this.id)
  }

  create(ceremony: Ceremony) {
    const { x, y } = this.keys.publicKey.export({ format: 'jwk' })
    const cose = isoCBOR.encode(
      new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Uint8Array.from(Buffer.from(x ?? '', 'base64url'))],
        [-3, Uint8Array.from(Buffer.from(y ?? '', 'base64url'))],
      ]),
    )
    const attested = Buffer.concat([aaguid, Buffer.from([0, this.id.length]), this.id, cose])
    const authData = Uint8Array.from(Buffer.concat([this.authenticatorData(ceremony, 0x40), attested]))
    const attestation = isoCBOR.encode(
      new Map<string, Cbor>([
        ['fmt', 'none'],
        ['attStmt', new Map<string, Cbor>()],
        ['authData', authData],
      ]),
    )
    return {
      publicKey: this.credentialId,
      clientDataJSON: base64url(clientData('webauthn.create', ceremony)),
      attestationObject: base64url(attestation),
    }
  }

  get(ceremony: Ceremony) {
    if (this.counter > 0) this.counter++
    const authenticatorData = this.authenticatorData(ceremony, 0)
    const client = clientData('webauthn.get', ceremony)
    const signature = createSign('sha256')
      .update(Buffer.concat([authenticatorData, sha256(client)]))
      .sign(this.keys.privateKey)
    return {
      publicKey: this.credentialId,
      signature: {
        clientDataJSON: base64url(client),
        authenticatorData: base64url(authenticatorData),
        signature: base64url(signature),
      },
    }
  }

  private authenticatorData(ceremony: Ceremony, more: number) {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(ceremony.counter ?? this.counter)
    const flags = 0x01 | (ceremony.userVerified === false ? 0 : 0x04) | more
    return Buffer.concat([sha256(ceremony.rpId), Buffer.from([flags]), counter])
  }
}

export const aaguid = Buffer.from('0102030405060708090a0b0c0d0e0f10', 'hex')

const clientData = (type: string, ceremony: Ceremony) =>
  Buffer.from(
    JSON.stringify({
      type: ceremony.type ?? type,
      challenge: base64url(ceremony.challenge),
      origin: ceremony.origin,
      crossOrigin: ceremony.crossOrigin ?? false,
    }),
  )
