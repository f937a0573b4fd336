/** REFRESH jobs of the public client against the service's own flows, where answers and workers are lost. */
import { ed25519 } from '@noble/curves/ed25519.js'
import { p256 } from '@noble/curves/nist.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { base58, base64 } from '@scure/base'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Option from 'effect/Option'
import * as Redacted from 'effect/Redacted'
import * as References from 'effect/References'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LocksWeb } from '../../../adapters/browser/Locks.ts'
import { MpcInline } from '../../../adapters/browser/Mpc.ts'
import { RandomWebCrypto } from '../../../adapters/browser/Random.ts'
import { ShareStoreText } from '../../../adapters/browser/ShareStore.ts'
import { StorageMemory } from '../../../adapters/browser/Storage.ts'
import { listed } from '../../../adapters/service/http/answers.ts'
import { Api } from '../../../domain/client/ports/Api.ts'
import { Cosigner } from '../../../domain/client/ports/Cosigner.ts'
import { DeviceKeys } from '../../../domain/client/ports/DeviceKeys.ts'
import { RefreshAnswers, type RefreshAnswer } from '../../../domain/client/ports/RefreshAnswers.ts'
import { runJob } from '../../../domain/client/publicClient.ts'
import { SessionState, SessionStateMemory } from '../../../domain/client/SessionState.ts'
import { verifyP256 } from '../../../domain/crypto/Signatures.ts'
import { ApiError, connectionError } from '../../../domain/model/ApiError.ts'
import * as Frame from '../../../domain/mpc/Frame.ts'
import { exchangeFrame } from '../../../domain/service/protocol.ts'
import * as refreshes from '../../../domain/service/refreshes.ts'
import { refreshLimits } from '../../../domain/service/Refresh.ts'
import { runLimits } from '../../../domain/service/Run.ts'
import { signMessage } from '../../../domain/service/signing.ts'
import { createWallet, listWallets } from '../../../domain/service/wallets.ts'
import type { Input, OperationId } from '../../../generated/handlers.ts'
import { makePartner, makeUser, signIn, startWorld, value, type Outcome, type World } from '../../kit/cosignerWorld.ts'

let world: World

beforeAll(async () => {
  world = await startWorld()
})

afterAll(() => world.stop())

/** What a browser keeps of the app's origin. */
type Disk = { readonly answers: Map<string, RefreshAnswer>; readonly isBlocked: boolean }

/** What the network does to a frame: `lost` before the service, `unanswered` after it. */
type Line = (operation: Frame.Operation) => 'lost' | 'unanswered' | 'passed'

const passed: Line = () => 'passed'

const message = utf8ToBytes('by the job of a public client')

const answered = <A>(run: () => Promise<Outcome<A>>): Effect.Effect<A, ApiError> =>
  Effect.flatMap(Effect.promise(run), (outcome) =>
    outcome.kind === 'success'
      ? Effect.succeed(outcome.value)
      : Effect.fail(new ApiError({ message: outcome.message, code: outcome.tag, status: 409 })),
  )

const makeClient = async () => {
  const partner = await makePartner(world, { allowsUnprovenClients: true })
  const user = await makeUser(world)
  const { userId } = user
  const disk: Disk = { answers: new Map(), isBlocked: false }

  const newSession = async () => {
    const secretKey = p256.utils.randomSecretKey()
    const session = await signIn(world, user, partner, { certified: false, deviceSecretKey: secretKey })
    return { ...session, secretKey }
  }
  let session = await newSession()

  const answers: { readonly [Id in OperationId]?: (input: Input<Id>) => Promise<Outcome<unknown>> } = {
    createWallet: ({ path, body }) =>
      session.as(
        {},
        Effect.map(createWallet(path.userId, body), ({ cosigner, ...created }) => ({
          ...created,
          cosigner: { name: cosigner.name, publicKey: bytesToHex(cosigner.publicKey) },
        })),
      ),
    listWallets: () =>
      session.as(
        {},
        Effect.map(listWallets(userId), (found) => listed(found)),
      ),
    refreshKeys: ({ path }) => session.as({}, refreshes.refreshKeys(userId, path.walletId)),
    signMessage: ({ path, body }) => session.as({}, signMessage(userId, path.walletId, body)),
  }

  const workerOf = (line: Line, { answers: kept, isBlocked }: Disk) => {
    const blocked = Effect.die(new Error('the storage is blocked'))
    const base = Layer.mergeAll(
      Layer.succeed(Api, {
        call: (operation, input) =>
          answered(() => {
            const answer = answers[operation] as ((input: unknown) => Promise<Outcome<never>>) | undefined
            if (answer === undefined) throw new Error(`unexpected call of ${operation}`)
            return answer(input)
          }),
      }),
      Layer.succeed(Cosigner, {
        isSigned: (...signed) => Effect.sync(() => verifyP256(...signed)),
        exchange: (frame) => {
          const fate = line(Frame.decode(frame)?.frame.operation ?? 'ACK')
          if (fate === 'lost') return Effect.fail(connectionError())
          const exchanged = answered(() => session.as({}, exchangeFrame(frame)))
          return fate === 'passed' ? exchanged : Effect.andThen(exchanged, Effect.fail(connectionError()))
        },
      }),
      Layer.mock(DeviceKeys, {
        find: () => Effect.succeedSome({ publicKey: bytesToHex(session.device.publicKey), weak: true }),
        sign: (_, signed) => Effect.sync(() => p256.sign(signed, session.secretKey, { prehash: true })),
      }),
      Layer.succeed(RefreshAnswers, {
        keep: (walletId, answer) => (isBlocked ? blocked : Effect.sync(() => void kept.set(walletId, answer))),
        find: (walletId) => Effect.sync(() => Option.fromUndefinedOr(kept.get(walletId))),
        drop: (walletId) => Effect.sync(() => void kept.delete(walletId)),
      }),
      StorageMemory,
      SessionStateMemory,
      LocksWeb(kept),
      RandomWebCrypto,
      Layer.succeed(References.MinimumLogLevel, 'None'),
    )
    return Layer.mergeAll(ShareStoreText, MpcInline).pipe(Layer.provideMerge(base))
  }

  /** A job in a worker of its own. */
  const job = (functionType: string, params: object, line = passed, of: Disk = disk) =>
    Effect.runPromise(
      Effect.gen(function* () {
        const { sessionId, lookupId } = session
        const host = { isAuthenticated: true, sessionId, sessionLookupId: lookupId, partnerId: partner.id, userId }
        yield* (yield* SessionState).set({ ...host, clockOffset: 0, missing: [] })
        return yield* runJob({ functionType, params, cosmosPrefix: undefined })
      }).pipe(Effect.provide(workerOf(line, of))),
    )

  const made = v.parse(v.object({ walletId: v.string(), signer: v.string() }), await job('ED25519_KEYGEN', { userId }))
  const { walletId } = made
  const [wallet] = value(await session.as({}, listWallets(userId)))

  return {
    disk,
    logIn: async () => {
      session = await newSession()
    },
    share: made.signer,
    walletId,
    refresh: async (share: string, line?: Line, of?: Disk) =>
      v.parse(
        v.object({ protocolId: v.string(), signer: v.string() }),
        await job('REFRESH', { share, walletId, userId }, line, of),
      ).signer,
    /** Whether the signature is under the wallet's address. */
    signs: async (share: string) => {
      const asked = { share, walletId, userId, base64Bytes: base64.encode(message) }
      const { signature } = v.parse(v.object({ signature: v.string() }), await job('ED25519_SIGN', asked))
      return ed25519.verify(base64.decode(signature), message, base58.decode(wallet?.address ?? ''))
    },
  }
}

type Client = Awaited<ReturnType<typeof makeClient>>

const recording =
  (seen: Frame.Operation[]): Line =>
  (operation) => {
    seen.push(operation)
    return 'passed'
  }

const atConfirm =
  (fate: 'lost' | 'unanswered'): Line =>
  (operation) =>
    operation === 'CONFIRM' ? fate : 'passed'

const outOfDate = 'key share is out of date, log in again'

describe('a REFRESH whose confirmation was not answered', () => {
  const interrupted = async (fate: 'lost' | 'unanswered'): Promise<Client> => {
    const client = await makeClient()
    await expect(client.refresh(client.share, atConfirm(fate))).rejects.toThrow()
    return client
  }

  it('is answered by the next worker, with the share that signs under the same address', async () => {
    const client = await interrupted('unanswered')
    const seen: Frame.Operation[] = []
    const renewed = await client.refresh(client.share, recording(seen))

    expect(seen).toEqual(['RECONCILE'])
    expect(await client.refresh(client.share)).toBe(renewed)
    expect(await client.signs(renewed)).toBe(true)
  })

  it('is answered in a later session', async () => {
    const client = await interrupted('unanswered')
    await client.logIn()

    expect(await client.signs(await client.refresh(client.share))).toBe(true)
  })

  it('is dropped once the client signs with the new share', async () => {
    const client = await interrupted('unanswered')
    const renewed = await client.refresh(client.share)
    expect(client.disk.answers.size).toBe(1)
    await client.signs(renewed)

    expect(client.disk.answers.size).toBe(0)
    await expect(client.signs(client.share)).rejects.toThrow(outOfDate)
  })

  it('lets the old share sign meanwhile, and keeps the new one', async () => {
    const client = await interrupted('unanswered')

    expect(await client.signs(client.share)).toBe(true)
    expect(await client.signs(await client.refresh(client.share))).toBe(true)
  })

  it('lets the old share sign where the new one cannot be read, and is refused where it does not', async () => {
    const client = await interrupted('lost')
    const unreadable = { protocolId: crypto.randomUUID(), shareText: Redacted.make('{"v":2}') }
    client.disk.answers.set(client.walletId, unreadable)

    expect(await client.signs(client.share)).toBe(true)
    const renewed = await client.refresh(client.share)
    client.disk.answers.set(client.walletId, unreadable)
    await expect(client.refresh(client.share)).rejects.toThrow(outOfDate)
    expect(client.disk.answers.get(client.walletId)).toBe(unreadable)
    expect(await client.signs(renewed)).toBe(true)
  })

  it('is begun anew where the confirmation never came to the service', async () => {
    const client = await interrupted('lost')
    const [kept] = client.disk.answers.values()
    const renewed = await client.refresh(client.share)

    expect(client.disk.answers.get(client.walletId)?.protocolId).not.toBe(kept?.protocolId)
    expect(await client.signs(renewed)).toBe(true)
  })

  it('is dropped once its attempt is void, and the old share signs', async () => {
    const client = await interrupted('lost')
    expect(await client.signs(client.share)).toBe(true)
    expect(client.disk.answers.size).toBe(1)
    world.advance(refreshLimits.lease + runLimits.life)

    expect(await client.signs(client.share)).toBe(true)
    expect(client.disk.answers.size).toBe(0)
  })
})

describe('two tabs that refresh at once', () => {
  it('are answered the same share', async () => {
    const client = await makeClient()
    const [one, two] = await Promise.all([client.refresh(client.share), client.refresh(client.share)])

    expect(one).toBe(two)
    expect(await client.signs(one)).toBe(true)
  })
})

describe('a REFRESH where nothing can be kept', () => {
  it('is not confirmed, and the old share signs', async () => {
    const client = await makeClient()
    const seen: Frame.Operation[] = []
    const blocked = { answers: new Map(), isBlocked: true }
    await expect(client.refresh(client.share, recording(seen), blocked)).rejects.toThrow('blocked')

    expect(seen).not.toContain('CONFIRM')
    expect(await client.signs(client.share)).toBe(true)
  })
})
