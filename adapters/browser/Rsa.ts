import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Redacted from 'effect/Redacted'
import * as Result from 'effect/Result'
import { Rsa, RsaRefusal } from '../../domain/client/ports/Rsa.ts'

const keys = () => import('./rsaKeys.ts')
type Keys = Awaited<ReturnType<typeof keys>>

const refusing = <A>(work: (keys: Keys) => Promise<A>) =>
  Effect.flatMap(Effect.promise(keys), (loaded) =>
    Effect.tryPromise({ try: () => work(loaded), catch: () => new RsaRefusal() }),
  )

export const RsaWebCrypto = Layer.succeed(Rsa, {
  generate: Effect.promise(async () => (await keys()).generatePair()),
  encrypt: (publicKey, { plaintext, messageKey }) =>
    refusing(({ sealHybrid }) => sealHybrid(publicKey, { plaintext: Redacted.value(plaintext), messageKey })),
  decrypt: (privateKey, encryption) =>
    refusing(({ openHybrid }) => openHybrid(privateKey, encryption)).pipe(
      Effect.flatMap((opened) => Effect.fromResult(Result.mapError(opened, () => new RsaRefusal()))),
      Effect.map((text) => Redacted.make(text)),
    ),
  seal: (publicKey, message, label) => refusing(({ oaepEncrypt }) => oaepEncrypt(publicKey, message, 'SHA-256', label)),
  open: (privateKey, sealed, label) => refusing(({ oaepDecrypt }) => oaepDecrypt(privateKey, sealed, 'SHA-256', label)),
})
