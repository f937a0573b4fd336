/** The passkey pages' own logic: what they ask and send, and when they tell a device to forget a passkey. */
import { randomBytes } from '@noble/hashes/utils.js'
import { base64, base64urlnopad } from '@scure/base'
import * as Effect from 'effect/Effect'
import * as Fiber from 'effect/Fiber'
import * as Layer from 'effect/Layer'
import * as TestClock from 'effect/testing/TestClock'
import { describe, expect, it } from 'vitest'
import { preparePasskey } from '../../../domain/client/portal/createPasskey.ts'
import { loginWithPasskey } from '../../../domain/client/portal/loginWithPasskey.ts'
import type { PortalSession } from '../../../domain/client/portal/portalSession.ts'
import { Api } from '../../../domain/client/ports/Api.ts'
import { Navigation } from '../../../domain/client/ports/Navigation.ts'
import { Opener } from '../../../domain/client/ports/Opener.ts'
import { PasskeyCancelled, Passkeys, type PasskeyAssertion } from '../../../domain/client/ports/Passkeys.ts'
import { Progress } from '../../../domain/client/ports/Progress.ts'
import { Random } from '../../../domain/client/ports/Random.ts'
import { Rsa, SeededRsa } from '../../../domain/client/ports/Rsa.ts'
import { ApiError, connectionError } from '../../../domain/model/ApiError.ts'
import type { OperationId } from '../../../generated/handlers.ts'
import { clocked } from '../../kit/hostStage.ts'
import { pair, partnerId, portalOrigin, sessionId, userId } from '../../kit/loginScene.ts'
import { createPasskey } from '../../kit/pageFlows.ts'
import { pageSettings } from '../../kit/pageStage.ts'
import { makePasskeyDevice } from '../../kit/passkeyDevice.ts'

const passkeyId = '9b0c7a10-1f6e-4c1d-9a44-0d7d8c3b1a0a'
const email = 'ada@example.com'
const challenge = new Uint8Array(32).fill(7)
const notBuilt = () => new ApiError({ message: 'not allowed', code: 'NotFound', status: 404 })

/** A page that had to ask, so that it certifies nothing: what it does with passkeys is the same. */
const portalSessionOf = (changes: Partial<PortalSession> = {}): PortalSession => ({
  openingId: '9b0c7a10-1f6e-4c1d-9a44-0d7d8c3b1a0b',
  openingSecret: '44'.repeat(32),
  mode: 'ask',
  origin: 'https://shop.example',
  partner: { id: partnerId, displayName: 'Shop', policiesEnabled: false, supportedAuthMethods: ['PASSKEY'] },
  page: 'create-passkey',
  record: passkeyId,
  userId,
  sessionId,
  parameters: {},
  portalOrigin,
  hostOrigin: 'https://shop.example',
  sessionLookupId: 'lookup',
  identity: { email },
  admission: { kind: 'asked' },
  recipient: pair.publicKey,
  challenge: Effect.succeed(challenge),
  clockOffset: 0,
  ...changes,
})

type Answers = { readonly [Id in OperationId]?: () => unknown }

const makeStage = (answers: Answers, passkeys: Layer.Layer<Passkeys>) => {
  const calls: { readonly operation: OperationId; readonly input: unknown }[] = []
  const steps: string[] = []
  const place = { isClosed: false }
  const layer = Layer.mergeAll(
    Layer.succeed(Api, {
      call: (operation, input) =>
        Effect.suspend(() => {
          calls.push({ operation, input })
          const answer = answers[operation]?.() ?? notBuilt()
          return answer instanceof ApiError ? Effect.fail(answer) : Effect.succeed(answer as never)
        }),
    }),
    Layer.succeed(Random, {
      source: randomBytes,
      bytes: (length) => Effect.sync(() => randomBytes(length)),
      uuid: Effect.sync(() => crypto.randomUUID()),
    }),
    Layer.mock(Rsa, { generate: Effect.succeed(pair) }),
    Layer.succeed(SeededRsa, {
      generate: (seed) =>
        Effect.sync(() => {
          steps.push(`seeded by ${seed}`)
          return pair
        }),
    }),
    Layer.mock(Opener, {}),
    Layer.mock(Navigation, { close: Effect.sync(() => void (place.isClosed = true)) }),
    Layer.succeed(Progress, ({ step }) => void steps.push(step)),
    pageSettings,
    passkeys,
  )
  return { layer, calls, steps, place, operations: () => calls.map(({ operation }) => operation) }
}

const created: Answers = {
  listPasskeys: () => ({ keys: [] }),
  createEncryptedWalletPrivateKey: () => ({ encryptedWalletPrivateKey: {} }),
  updatePasskey: () => ({}),
}

describe('a page that makes a passkey', () => {
  it('works on its own path only: elsewhere it asks neither device nor service', async () => {
    const device = makePasskeyDevice()
    const stage = makeStage(created, device.at(portalOrigin))

    for (const changes of [{ page: 'create-password' }, { record: undefined }, { userId: undefined }] as const) {
      const error = await clocked(stage.layer, Effect.flip(createPasskey(portalSessionOf(changes))))
      expect(error).toMatchObject({ _tag: 'PasskeyNotExpected' })
    }

    expect([stage.calls, device.asked]).toEqual([[], []])
  })

  it('excludes the passkeys that the user has here, and fails where the device has one already', async () => {
    const device = makePasskeyDevice()
    await clocked(makeStage(created, device.at(portalOrigin)).layer, createPasskey(portalSessionOf()))
    const credentialId = device.kept[0]?.authenticator.credentialId ?? ''
    const keys = [
      { id: passkeyId, status: 'COMPLETE', publicKey: credentialId },
      { id: userId, status: 'PENDING' },
    ]
    const stage = makeStage({ ...created, listPasskeys: () => ({ keys }) }, device.at(portalOrigin))

    const error = await clocked(stage.layer, Effect.flip(createPasskey(portalSessionOf())))

    expect(error).toMatchObject({ _tag: 'PasskeyExists' })
    expect(device.asked.at(-1)).toMatchObject({ passkey: { exclude: [credentialId], challenge, userName: email } })
    expect(device.kept).toHaveLength(1)
    expect(stage.operations()).toEqual(['listPasskeys'])
  })

  it('stores the wrapped key before it completes the record, and then leaves', async () => {
    const device = makePasskeyDevice()
    const stage = makeStage(created, device.at(portalOrigin))

    await clocked(stage.layer, createPasskey(portalSessionOf()))

    expect(stage.operations()).toEqual(['listPasskeys', 'createEncryptedWalletPrivateKey', 'updatePasskey'])
    expect(stage.calls[1]?.input).toMatchObject({ body: { biometricPublicKey: pair.publicKey } })
    expect(stage.calls[2]?.input).toMatchObject({ body: { sigDerivedPublicKey: pair.publicKey, variant: 'prf' } })
    expect(stage.steps).toEqual(['asking-passkey', 'making-keys', 'wrapping', 'committing', 'telling'])
    expect(stage.place.isClosed).toBe(true)
  })

  it('derives the RSA pair from the user handle only where the device has no PRF', async () => {
    const device = makePasskeyDevice('none')
    const stage = makeStage(created, device.at(portalOrigin))

    await clocked(stage.layer, createPasskey(portalSessionOf()))

    const handle = base64urlnopad.encode(device.kept[0]?.userHandle ?? new Uint8Array(0))
    expect(stage.steps).toContain(`seeded by ${handle}`)
    expect(stage.calls[2]?.input).toMatchObject({ body: { variant: 'handle' } })
    expect(JSON.stringify(stage.calls)).not.toContain(handle)
  })

  it('ignores a PRF output of another length', async () => {
    const device = makePasskeyDevice()
    const odd = Layer.effect(
      Passkeys,
      Effect.map(Passkeys, (passkeys) => ({
        ...passkeys,
        create: (passkey: Parameters<typeof passkeys.create>[0]) =>
          Effect.map(passkeys.create(passkey), (made) => ({ ...made, prfOutput: new Uint8Array(16) })),
      })),
    ).pipe(Layer.provide(device.at(portalOrigin)))
    const stage = makeStage(created, odd)

    await clocked(stage.layer, createPasskey(portalSessionOf()))

    expect(stage.calls[2]?.input).toMatchObject({ body: { variant: 'handle' } })
  })

  it('falls back to the user handle where the device announced PRF and gave no output', async () => {
    const device = makePasskeyDevice('when asked')
    const silent = Layer.effect(
      Passkeys,
      Effect.map(Passkeys, (passkeys) => ({
        ...passkeys,
        get: (request: Parameters<typeof passkeys.get>[0]) =>
          Effect.map(passkeys.get(request), ({ prfOutput: _, ...assertion }) => assertion),
      })),
    ).pipe(Layer.provide(device.at(portalOrigin)))
    const stage = makeStage(created, silent)

    await clocked(stage.layer, createPasskey(portalSessionOf()))

    expect(stage.calls[2]?.input).toMatchObject({ body: { variant: 'handle' } })
  })

  it('uses for its second gesture a challenge that the service would not accept as a proof', async () => {
    const device = makePasskeyDevice('when asked')

    await clocked(makeStage(created, device.at(portalOrigin)).layer, createPasskey(portalSessionOf()))

    const [first, second] = device.asked
    expect(first).toMatchObject({ kind: 'create', passkey: { challenge } })
    expect(second).toMatchObject({ kind: 'get' })
    expect(second?.kind === 'get' && second.request.challenge).not.toEqual(challenge)
  })

  it('lets the device forget a passkey only if nothing of it was sent', async () => {
    const cancelled = makePasskeyDevice('when asked')
    cancelled.decline(1)
    const refused = makePasskeyDevice()
    const refusing = { ...created, updatePasskey: () => new ApiError({ message: 'link expired', status: 410 }) }

    const [first, second] = [
      await clocked(
        makeStage(created, cancelled.at(portalOrigin)).layer,
        Effect.flip(createPasskey(portalSessionOf())),
      ),
      await clocked(makeStage(refusing, refused.at(portalOrigin)).layer, Effect.flip(createPasskey(portalSessionOf()))),
    ]

    expect(first).toBeInstanceOf(PasskeyCancelled)
    expect([cancelled.kept.length, cancelled.forgotten.length]).toEqual([0, 1])
    expect(second).toMatchObject({ _tag: 'ApiError', message: 'link expired' })
    expect([refused.kept.length, refused.forgotten.length]).toEqual([1, 0])
  })

  it('repeats an unanswered commit unchanged, without another gesture', async () => {
    const device = makePasskeyDevice()
    let isSilent = true
    const flaky = { ...created, updatePasskey: () => (isSilent ? connectionError() : {}) }
    const stage = makeStage(flaky, device.at(portalOrigin))

    await clocked(
      stage.layer,
      Effect.gen(function* () {
        const commit = yield* preparePasskey(portalSessionOf())
        const fiber = yield* Effect.forkChild(Effect.flip(commit))
        yield* TestClock.adjust('1 minute')
        yield* Fiber.join(fiber)
        isSilent = false
        yield* commit
      }),
    )

    const bodies = stage.calls.filter(({ operation }) => operation === 'updatePasskey')
    expect(bodies.length).toBeGreaterThan(1)
    expect(new Set(bodies.map(({ input }) => JSON.stringify(input))).size).toBe(1)
    expect(device.asked).toHaveLength(1)
    expect(stage.place.isClosed).toBe(true)
  })
})

describe('a page that uses a passkey', () => {
  const atLogin = (changes: Partial<PortalSession> = {}) =>
    portalSessionOf({ page: 'login-passkey', record: undefined, userId: undefined, ...changes })
  const stray = { credentialId: 'AQ', clientDataJSON: 'Ag', authenticatorData: 'Aw', signature: 'BA' }

  /** A device that gives one assertion, and is told what to forget. */
  const giving = (assertion: PasskeyAssertion) => {
    const forgotten: string[] = []
    const asked: unknown[] = []
    const layer = Layer.mock(Passkeys, {
      get: (request) =>
        Effect.sync(() => {
          asked.push(request)
          return assertion
        }),
      forget: (rpId, credentialId) => Effect.sync(() => void forgotten.push(`${credentialId} of ${rpId}`)),
    })
    return { layer, forgotten, asked }
  }
  const answersWith = (verify: () => unknown, allowed?: readonly string[]): Answers => ({
    getPasskeyChallenge: () => ({
      challenge: base64.encode(challenge),
      ...(allowed === undefined ? {} : { allowedPublicKeys: allowed }),
    }),
    verifyPasskey: verify,
  })
  const unknown = () => new ApiError({ message: 'unknown passkey', code: 'UnknownPasskey', status: 401 })

  it('asks for the passkeys of the user in its address, and for any where its address names no user', async () => {
    const device = giving(stray)
    const stage = makeStage(answersWith(unknown, ['AQ']), device.layer)

    await clocked(stage.layer, Effect.flip(loginWithPasskey(atLogin())))
    const { identity: _, ...nobody } = atLogin()
    await clocked(stage.layer, Effect.flip(loginWithPasskey(nobody)))

    const asked = stage.calls.filter(({ operation }) => operation === 'getPasskeyChallenge')
    expect(asked.map(({ input }) => input)).toEqual([{ query: { email } }, { query: {} }])
    expect(device.asked[0]).toMatchObject({ challenge, allow: ['AQ'] })
  })

  it.each<[string, readonly string[] | undefined]>([
    ['that it did not name', undefined],
    ['that it named', ['AQ']],
  ])('lets the device keep a passkey that the service does not know, %s', async (_, allowed) => {
    const device = giving(stray)
    const stage = makeStage(answersWith(unknown, allowed), device.layer)

    const error = await clocked(stage.layer, Effect.flip(loginWithPasskey(atLogin())))

    expect(error).toMatchObject({ _tag: 'UnknownPasskey', message: 'unknown passkey' })
    expect(device.forgotten).toEqual([])
  })

  it.each([
    ['no answer', connectionError()],
    ['another refusal', new ApiError({ message: 'no signed-in user', code: 'NoSignedInUser', status: 401 })],
  ])('does not take %s as an answer that the passkey is unknown', async (_, refusal) => {
    const device = giving(stray)
    const stage = makeStage(
      answersWith(() => refusal),
      device.layer,
    )

    const error = await clocked(stage.layer, Effect.flip(loginWithPasskey(atLogin())))

    expect(error).toBe(refusal)
    expect(device.forgotten).toEqual([])
    expect(stage.operations()).toEqual(['getPasskeyChallenge', 'verifyPasskey'])
  })

  it.each<[string, PasskeyAssertion, string | undefined]>([
    ['without the PRF output that its record needs', { ...stray, userHandle: randomBytes(32) }, 'prf'],
    ['without the user handle that its record needs', { ...stray, prfOutput: randomBytes(32) }, 'handle'],
    ['with a PRF output of another length', { ...stray, prfOutput: randomBytes(31) }, 'prf'],
    ['whose record does not name the wrapping secret', { ...stray, prfOutput: randomBytes(32) }, undefined],
  ])('opens no wallet %s, and delivers nothing', async (_, assertion, variant) => {
    const verified = {
      userId,
      credentialId: passkeyId,
      sigDerivedPublicKey: pair.publicKey,
      ewpk: 'v2.AAAA',
      rootPublicKey: '11'.repeat(32),
      wrappedRootKey: 'v2.AAAA',
      activeShares: [],
      ...(variant === undefined ? {} : { variant }),
    }
    const stage = makeStage(
      answersWith(() => verified),
      giving(assertion).layer,
    )

    const error = await clocked(stage.layer, Effect.flip(loginWithPasskey(atLogin())))

    expect(error).toMatchObject({ _tag: 'BackupDecryptionFailed', message: 'Error decrypting backup' })
    expect(stage.operations()).toEqual(['getPasskeyChallenge', 'verifyPasskey'])
  })

  it('sends three fields of the assertion, whatever else the device gave', async () => {
    const assertion = { ...stray, userHandle: randomBytes(32), prfOutput: randomBytes(32) }
    const stage = makeStage(answersWith(unknown), giving(assertion).layer)

    await clocked(stage.layer, Effect.flip(loginWithPasskey(atLogin())))

    expect(stage.calls[1]?.input).toEqual({
      body: {
        signature: { clientDataJSON: 'Ag', authenticatorData: 'Aw', signature: 'BA' },
        publicKey: 'AQ',
        sessionLookupId: 'lookup',
      },
    })
  })
})
