/**
 * A device that keeps passkeys, behind a page's port: a software authenticator whose person agrees or declines. Its
 * secrets, which the service must not get, are visible to tests.
 */
import { createHmac, randomBytes } from 'node:crypto'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import {
  PasskeyCancelled,
  PasskeyExists,
  PasskeyUnsupported,
  Passkeys,
  type NewPasskey,
  type PasskeyRequest,
} from '../../domain/client/ports/Passkeys.ts'
import { SeededRsa } from '../../domain/client/ports/Rsa.ts'
import { aaguid, Authenticator } from '../domain/service/authenticator.ts'

/** When the device gives its PRF output: at creation, only at a second gesture, or never. */
export type PrfKind = 'at once' | 'when asked' | 'none'

type KeptPasskey = {
  readonly rpId: string
  readonly userName: string
  readonly userHandle: Uint8Array
  readonly prfSeed: Uint8Array
  readonly authenticator: Authenticator
}

export type PasskeyDevice = {
  /** What pages of this origin are given. */
  readonly at: (origin: string) => Layer.Layer<Passkeys>
  /** The passkeys that it offers. */
  readonly kept: KeptPasskey[]
  /** Every ceremony that was asked for. */
  readonly asked: (
    | { readonly kind: 'create'; readonly passkey: NewPasskey }
    | { readonly kind: 'get'; readonly request: PasskeyRequest }
  )[]
  /** The ids that it was told to forget. */
  readonly forgotten: string[]
  /** User handles and PRF outputs: every possible wrapping secret. */
  readonly secrets: Uint8Array[]
  /** The person declines the next gesture but `after`. */
  readonly decline: (after?: number) => void
}

export const makePasskeyDevice = (prf: PrfKind = 'at once'): PasskeyDevice => {
  const kept: KeptPasskey[] = []
  const asked: PasskeyDevice['asked'] = []
  const forgotten: string[] = []
  const secrets: Uint8Array[] = []
  let untilDeclined = Infinity

  const gesture = Effect.suspend(() => (untilDeclined-- === 0 ? Effect.fail(new PasskeyCancelled()) : Effect.void))
  const outputOf = (passkey: KeptPasskey, input: Uint8Array) => {
    const output = Uint8Array.from(createHmac('sha256', passkey.prfSeed).update(input).digest())
    secrets.push(output)
    return output
  }

  return {
    kept,
    asked,
    forgotten,
    secrets,
    decline: (after = 0) => {
      untilDeclined = after
    },
    at: (origin) =>
      Layer.succeed(Passkeys, {
        canCreate: Effect.succeed(true),
        canGet: Effect.succeed(true),
        create: (passkey) =>
          Effect.gen(function* () {
            asked.push({ kind: 'create', passkey })
            yield* gesture
            const { rpId, challenge, exclude, userHandle, userName } = passkey
            if (kept.some(({ authenticator }) => exclude.includes(authenticator.credentialId))) {
              return yield* new PasskeyExists()
            }
            const made: KeptPasskey = {
              rpId,
              userName,
              userHandle,
              prfSeed: randomBytes(32),
              authenticator: new Authenticator(),
            }
            kept.push(made)
            secrets.push(userHandle)
            const { publicKey: credentialId, ...rest } = made.authenticator.create({ challenge, origin, rpId })
            return {
              credentialId,
              ...rest,
              aaguid: aaguid.toString('hex'),
              hasPrf: prf !== 'none',
              ...(prf === 'at once' ? { prfOutput: outputOf(made, passkey.prfInput) } : {}),
            }
          }),
        get: (request) =>
          Effect.gen(function* () {
            asked.push({ kind: 'get', request })
            yield* gesture
            const { rpId, challenge, allow, prfInput } = request
            const found = kept.find(
              ({ rpId: own, authenticator }) =>
                own === rpId && (allow.length === 0 || allow.includes(authenticator.credentialId)),
            )
            if (found === undefined) return yield* new PasskeyCancelled()
            const { publicKey: credentialId, signature } = found.authenticator.get({ challenge, origin, rpId })
            return {
              credentialId,
              ...signature,
              userHandle: found.userHandle,
              ...(prf === 'none' ? {} : { prfOutput: outputOf(found, prfInput) }),
            }
          }),
        forget: (rpId, credentialId) =>
          Effect.sync(() => {
            const index = kept.findIndex(
              (passkey) => passkey.rpId === rpId && passkey.authenticator.credentialId === credentialId,
            )
            if (index >= 0) kept.splice(index, 1)
            forgotten.push(credentialId)
          }),
      }),
  }
}

/** A browser without passkeys: every request for one is refused. */
export const noPasskeys: Layer.Layer<Passkeys | SeededRsa> = Layer.merge(
  Layer.succeed(Passkeys, {
    canCreate: Effect.succeed(false),
    canGet: Effect.succeed(false),
    create: () => Effect.fail(new PasskeyUnsupported()),
    get: () => Effect.fail(new PasskeyUnsupported()),
    forget: () => Effect.void,
  }),
  Layer.succeed(SeededRsa, { generate: () => Effect.die(new Error('this device has no passkeys')) }),
)
