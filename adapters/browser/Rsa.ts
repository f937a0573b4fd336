import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Result from 'effect/Result'
import * as Hybrid from '../../domain/crypto/Hybrid.ts'
import * as RsaKey from '../../domain/crypto/RsaKey.ts'
import { Rsa, RsaRefusal } from '../../domain/client/ports/Rsa.ts'

export const RsaWebCrypto = Layer.succeed(Rsa, {
  generate: Effect.promise(async () => {
    const pair = await crypto.subtle.generateKey(
      { name: 'RSA-OAEP', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' },
      true,
      ['encrypt', 'decrypt'],
    )
    const publicDer = RsaKey.fromSpki(new Uint8Array(await crypto.subtle.exportKey('spki', pair.publicKey)))
    const privateDer = RsaKey.fromPkcs8(new Uint8Array(await crypto.subtle.exportKey('pkcs8', pair.privateKey)))
    if (publicDer === undefined || privateDer === undefined) {
      throw new Error('WebCrypto made an RSA key of another form')
    }
    return { publicKey: RsaKey.publicPemHex(publicDer), privateKey: RsaKey.privatePemHex(privateDer) }
  }),
  encrypt: (publicKey, message) =>
    refusing(() => Hybrid.seal({ ...message, rsaEncrypt: (bytes) => oaepEncrypt(publicKey, bytes, 'SHA-1') })),
  decrypt: (privateKey, encryption) =>
    refusing(() => Hybrid.open(encryption, (bytes) => oaepDecrypt(privateKey, bytes, 'SHA-1'))).pipe(
      Effect.flatMap((opened) => Effect.fromResult(Result.mapError(opened, () => new RsaRefusal()))),
    ),
  seal: (publicKey, message, label) => refusing(() => oaepEncrypt(publicKey, message, 'SHA-256', label)),
  open: (privateKey, sealed, label) => refusing(() => oaepDecrypt(privateKey, sealed, 'SHA-256', label)),
})

type OaepHash = 'SHA-1' | 'SHA-256'

const refusing = <A>(work: () => Promise<A>) => Effect.tryPromise({ try: work, catch: () => new RsaRefusal() })

const oaep = (label: Uint8Array | undefined) =>
  label === undefined ? { name: 'RSA-OAEP' } : { name: 'RSA-OAEP', label: Uint8Array.from(label) }

const oaepEncrypt = async (publicKey: string, message: Uint8Array, hash: OaepHash, label?: Uint8Array) => {
  const der = RsaKey.publicDer(publicKey)
  if (der === undefined) throw new RsaRefusal()
  const spki = Uint8Array.from(RsaKey.toSpki(der))
  const key = await crypto.subtle.importKey('spki', spki, { name: 'RSA-OAEP', hash }, false, ['encrypt'])
  return new Uint8Array(await crypto.subtle.encrypt(oaep(label), key, Uint8Array.from(message)))
}

const oaepDecrypt = async (privateKey: string, ciphertext: Uint8Array, hash: OaepHash, label?: Uint8Array) => {
  const der = RsaKey.privateDer(privateKey)
  if (der === undefined) throw new RsaRefusal()
  const pkcs8 = Uint8Array.from(RsaKey.toPkcs8(der))
  const key = await crypto.subtle.importKey('pkcs8', pkcs8, { name: 'RSA-OAEP', hash }, false, ['decrypt'])
  return new Uint8Array(await crypto.subtle.decrypt(oaep(label), key, Uint8Array.from(ciphertext)))
}
