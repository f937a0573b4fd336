import { bytesToHex, hexToBytes, randomBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Redacted from 'effect/Redacted'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { makePortal, type PortalState } from '../../../adapters/browser/portal.ts'
import { makeStore } from '../../../adapters/browser/store.ts'
import { DeviceTokens } from '../../../domain/client/ports/DeviceTokens.ts'
import { Passkeys } from '../../../domain/client/ports/Passkeys.ts'
import { PasswordHash } from '../../../domain/client/ports/PasswordHash.ts'
import { SeededRsa } from '../../../domain/client/ports/Rsa.ts'
import * as CredentialWrap from '../../../domain/crypto/CredentialWrap.ts'
import * as PasswordKeys from '../../../domain/crypto/PasswordKeys.ts'
import * as RootKey from '../../../domain/crypto/RootKey.ts'
import * as ApiError from '../../../domain/model/ApiError.ts'
import type { Input, Success } from '../../../generated/handlers.ts'
import { hostOrigin, silence } from '../../kit/hostStage.ts'
import { pair, partnerId, portalOrigin, sessionId, userId } from '../../kit/loginScene.ts'
import { makePageStage, openingId, until } from '../../kit/pageStage.ts'

const pendingTransactionId = 'dd0c7a10-1f6e-4c1d-9a44-0d7d8c3b1a0d'
const contentHash = '5f'.repeat(32)
const password = 'three cold spoons sing'
/** Of a public client's review. */
const urlWithoutSession = `${portalOrigin}/web/users/${userId}/transaction-review/${pendingTransactionId}?apiKey=k`
const url = `${urlWithoutSession}&sessionId=${sessionId}`
const path = { userId, pendingTransactionId }

type Pending = Success<'getPendingTransaction'>

const pendingOf = (changes: Partial<Pending> = {}): Pending => ({
  id: pendingTransactionId,
  status: 'PENDING',
  contentHash,
  expiresAt: Date.now() + 60_000,
  payload: { kind: 'message', text: 'hello', transfers: [], details: [], warnings: [] },
  ...changes,
})

const refusal = (status: number, code: string) => ApiError.fromAnswer({ status, code, body: code })
const gone = refusal(404, 'NotFound')
const conflict = refusal(409, 'Conflict')

/** The review page without its window. */
const makeScene = (
  options: NonNullable<Parameters<typeof makePageStage>[0]> & { readonly attentive?: boolean } = {},
) => {
  const { url: address = url } = options
  const stage = makePageStage({
    url: address,
    answers: {
      getPendingTransaction: [() => pendingOf()],
      acceptPendingTransaction: [{}],
      denyPendingTransaction: [{}],
      createOpeningToken: [
        () => ({
          sessionLookupId: 'lookup',
          challenge: '55'.repeat(32),
          serverTime: Date.now(),
          identity: { email: 'ada@example.com' },
          authMethods: ['PASSWORD'],
          sessionId,
        }),
      ],
    },
    ...options,
  })
  const services = Layer.mergeAll(
    stage.layer,
    Layer.succeed(PasswordHash, {
      argon2id: ({ password: typed }) => Effect.succeed(new Uint8Array(32).fill(typed.length)),
    }),
    Layer.mock(Passkeys, { canGet: Effect.succeed(true) }),
    Layer.mock(SeededRsa, {}),
    Layer.mock(DeviceTokens, { find: () => Effect.undefined, keep: () => Effect.void }),
  )
  const portal = makePortal({ url: address, services, attention: makeStore(options.attentive ?? true) })
  const prove = () => stage.proves({ as: { loginKeyThumbprint: undefined } })
  return {
    portal,
    stage,
    until: <S extends PortalState['status']>(status: S) => until(portal, status),
    prove,
    answer: stage.answer,
    ready: async () => {
      await prove()
      return until(portal, 'ready')
    },
    told: () => stage.said.map(({ message }) => (message as { readonly result?: string }).result).filter(Boolean),
  }
}

afterEach(() => {
  vi.useRealTimers()
})

describe('the review page', () => {
  it('shows what the service holds, and accepts exactly that', async () => {
    const scene = makeScene()
    const { reviewing, requester } = await scene.ready()

    expect(scene.stage.handshakes[0]?.handshake).toMatchObject({ page: 'review', record: pendingTransactionId })
    expect(requester.origin).toBe(hostOrigin)
    expect(reviewing?.review).toMatchObject({ contentHash, stepUp: false, by: 'user', content: { text: 'hello' } })
    await scene.portal.acceptReview()

    expect(scene.stage.inputs('acceptPendingTransaction')).toEqual([{ path, body: { contentHash } }])
    expect(scene.portal.get()).toMatchObject({ status: 'reviewed', end: 'accepted' })
    expect(scene.told()).toEqual(['accepted'])
    expect(scene.stage.place.isClosed).toBe(true)
  })

  it('denies, also before the window was in view for long enough to accept', async () => {
    const scene = makeScene({ attentive: false })
    await scene.ready()

    await scene.portal.acceptReview()
    expect(scene.stage.inputs('acceptPendingTransaction')).toEqual([])
    await scene.portal.denyReview()

    expect(scene.stage.inputs('denyPendingTransaction')).toEqual([{ path }])
    expect(scene.portal.get()).toMatchObject({ status: 'reviewed', end: 'denied' })
    expect(scene.told()).toEqual(['denied'])
  })

  it.each([
    ['accepted before', pendingOf({ status: 'ACCEPTED' }), 'used'],
    ['used before', pendingOf({ status: 'DONE' }), 'used'],
    ['gone', gone, 'over'],
  ] as const)('says that a review is %s, and offers no decision', async (_, answer, end) => {
    const scene = makeScene()
    scene.answer('getPendingTransaction', answer)
    await scene.prove()

    expect(await scene.until('reviewed')).toMatchObject({ end })
    await scene.portal.acceptReview()
    await scene.portal.denyReview()
    expect(scene.stage.operations()).not.toContain('acceptPendingTransaction')
    expect(scene.stage.operations()).not.toContain('denyPendingTransaction')
  })

  it.each([
    ['has another id', { id: 'ff0c7a10-1f6e-4c1d-9a44-0d7d8c3b1a0f' }],
    ['has no content', { payload: undefined }],
    ['has no hash', { contentHash: undefined }],
    ['has a hash of another length', { contentHash: '5f'.repeat(31) }],
    ['has no end', { expiresAt: undefined }],
  ] as const)('accepts nothing of what cannot be shown: it %s', async (_, changes) => {
    const scene = makeScene()
    scene.answer('getPendingTransaction', { ...pendingOf(), ...changes })
    await scene.prove()

    expect(await scene.until('failed')).toMatchObject({ failure: { code: 'ReviewNotShown', retry: 'none' } })
  })

  it('can be opened again where the service gave no answer', async () => {
    const scene = makeScene()
    scene.answer('getPendingTransaction', silence)
    await scene.prove()

    expect(await scene.until('failed')).toMatchObject({ failure: { code: 'Offline', retry: 'reopen' } })
    expect(scene.stage.inputs('getPendingTransaction')).toHaveLength(3)
  })

  it.each([
    ['has no acceptance', pendingOf(), 'expired', 1],
    ['was accepted by the partner', pendingOf({ status: 'ACCEPTED' }), 'used', 1],
    ['was signed', pendingOf({ status: 'DONE' }), 'used', 1],
    ['is gone', gone, 'over', 1],
    ['gets no answer', silence, 'over', 3],
  ] as const)(
    'ends at its time as the service says, and accepts nothing after it: it %s',
    async (_, at, end, looks) => {
      const scene = makeScene()
      scene.answer('getPendingTransaction', () => pendingOf({ expiresAt: Date.now() + 1_500, by: 'partner' }), at)
      await scene.ready()

      expect(await scene.until('reviewed')).toMatchObject({ end, by: 'partner' })
      await scene.portal.acceptReview()
      expect(scene.stage.inputs('getPendingTransaction')).toHaveLength(1 + looks)
      expect(scene.stage.inputs('acceptPendingTransaction')).toEqual([])
    },
  )

  it.each([
    ['was accepted', pendingOf({ status: 'ACCEPTED' }), 'used'],
    ['is not accepted yet', pendingOf(), 'over'],
    ['gets no answer', silence, 'over'],
  ] as const)(
    'looks what became of an acceptance that got no answer until its time was over: it %s',
    async (_, at, end) => {
      const scene = makeScene()
      scene.answer('getPendingTransaction', () => pendingOf(), at)
      const { reviewing } = await scene.ready()
      scene.answer('acceptPendingTransaction', silence, silence, () => {
        vi.useFakeTimers({ toFake: ['Date'], now: reviewing?.review.endsAt ?? 0 })
        return silence
      })

      await scene.portal.acceptReview()

      expect(scene.stage.inputs('acceptPendingTransaction')).toHaveLength(3)
      expect(scene.portal.get()).toMatchObject({ status: 'reviewed', end })
    },
  )

  it.each([
    ['used', pendingOf({ status: 'DONE' }), 'used'],
    ['gone', gone, 'over'],
  ] as const)('looks what became of an acceptance that got no answer: it is %s', async (_, seen, end) => {
    const scene = makeScene()
    scene.answer('getPendingTransaction', pendingOf(), seen)
    scene.answer('acceptPendingTransaction', silence)
    await scene.ready()

    await scene.portal.acceptReview()

    expect(scene.portal.get()).toMatchObject({ status: 'reviewed', end })
  })

  it('counts its time by the service’s clock', async () => {
    const scene = makeScene()
    const ahead = 3_600_000
    scene.answer('createOpeningToken', () => ({
      sessionLookupId: 'lookup',
      challenge: '55'.repeat(32),
      serverTime: Date.now() + ahead,
    }))
    scene.answer('getPendingTransaction', () => pendingOf({ expiresAt: Date.now() + ahead + 60_000 }))
    const { reviewing } = await scene.ready()

    const left = (reviewing?.review.endsAt ?? 0) - Date.now()
    expect(left).toBeGreaterThan(50_000)
    expect(left).toBeLessThan(61_000)
  })

  it('sends the same decision again into silence, and takes its own lost answer for a decision that was made', async () => {
    const scene = makeScene()
    scene.answer('acceptPendingTransaction', silence, conflict)
    scene.answer('getPendingTransaction', pendingOf(), pendingOf({ status: 'ACCEPTED' }))
    await scene.ready()

    await scene.portal.acceptReview()

    expect(scene.stage.inputs('acceptPendingTransaction')).toHaveLength(2)
    expect(scene.portal.get()).toMatchObject({ status: 'reviewed', end: 'used' })
    expect(scene.told()).toEqual(['accepted'])
  })

  it('lets the person try again after silence', async () => {
    const scene = makeScene()
    scene.answer('acceptPendingTransaction', silence, silence, silence, {})
    await scene.ready()

    await scene.portal.acceptReview()
    expect(scene.portal.get()).toMatchObject({ status: 'ready', failure: { code: 'Offline' } })
    await scene.portal.acceptReview()

    expect(scene.portal.get()).toMatchObject({ status: 'reviewed', end: 'accepted' })
  })

  it.each([
    ['denied in another window', 'acceptPendingTransaction', gone, pendingOf(), 'over', ['denied']],
    [
      'accepted in another window',
      'denyPendingTransaction',
      conflict,
      pendingOf({ status: 'ACCEPTED' }),
      'used',
      ['accepted'],
    ],
    ['gone when it is denied', 'denyPendingTransaction', gone, pendingOf(), 'over', ['denied']],
  ] as const)('knows a review that was %s', async (_, operation, answer, later, end, told) => {
    const scene = makeScene()
    scene.answer(operation, answer)
    scene.answer('getPendingTransaction', pendingOf(), later)
    await scene.ready()

    await (operation === 'acceptPendingTransaction' ? scene.portal.acceptReview() : scene.portal.denyReview())

    expect(scene.portal.get()).toMatchObject({ status: 'reviewed', end })
    expect(scene.told()).toEqual(told)
  })

  it('stops where the service holds something else than the page shows', async () => {
    const scene = makeScene()
    scene.answer('acceptPendingTransaction', conflict)
    await scene.ready()

    await scene.portal.acceptReview()

    expect(scene.portal.get()).toMatchObject({ status: 'failed', failure: { code: 'ReviewChanged', retry: 'none' } })
  })

  it('works in a window that the app did not open, after asking whether the app is meant, and returns nowhere', async () => {
    const scene = makeScene({ opener: false, opened: { returnUrl: undefined } as never })

    expect(await scene.until('asking')).toMatchObject({ why: 'redirect', requester: { origin: hostOrigin } })
    await scene.portal.proceed()
    await scene.until('ready')
    await scene.portal.acceptReview()

    expect(scene.portal.get()).toMatchObject({ status: 'reviewed', end: 'accepted' })
    expect(scene.stage.place.redirected).toBe('')
    expect(scene.stage.said).toEqual([])
  })
})

describe('a review with a step-up', () => {
  const passwordId = '0c9a1f0e-2b3c-4d5e-8f90-a1b2c3d4e5f6'
  const seed = randomBytes(32)
  const rootPublicKey = RootKey.publicKeyOf(seed)

  /** The service's answer to the right password: the keys as its record wraps them. */
  const verified = () => {
    const pepper = randomBytes(32)
    const master = new Uint8Array(32).fill(password.length)
    const keys = PasswordKeys.passwordWrappingKeys(master, pepper, passwordId)
    const owner = {
      kind: 'PASSWORD',
      userId,
      recordId: passwordId,
      variant: '',
      publicKey: pair.publicKey,
      rootPublicKey,
    } as const
    return {
      userId,
      credentialId: passwordId,
      sigDerivedPublicKey: pair.publicKey,
      rootPublicKey: bytesToHex(rootPublicKey),
      wrappedRootKey: CredentialWrap.sealRoot(
        keys,
        owner,
        { seed: Redacted.make(Uint8Array.from(seed)), strict: [] },
        randomBytes(12),
      ),
      ewpk: CredentialWrap.sealPrivateKey(keys, owner, pair.privateKey, randomBytes(12)),
      pepper: bytesToHex(pepper),
      activeShares: [],
    }
  }

  it('is accepted by the root key that the password opens: for this content, this review and this visit', async () => {
    const scene = makeScene()
    scene.answer('getPendingTransaction', () => pendingOf({ stepUp: true }))
    scene.answer('listPasswords', { passwords: [{ id: passwordId, salt: '11'.repeat(16), status: 'COMPLETE' }] })
    scene.answer('verifyPassword', refusal(401, 'InvalidPassword'), verified)
    const { reviewing } = await scene.ready()
    expect(reviewing).toMatchObject({ methods: ['PASSWORD'], review: { stepUp: true } })

    await scene.portal.acceptWithPassword('not my password!')
    expect(scene.portal.get()).toMatchObject({ status: 'ready', failure: { code: 'InvalidPassword' } })
    expect(scene.stage.inputs('acceptPendingTransaction')).toEqual([])
    await scene.portal.acceptWithPassword(password)

    expect(scene.portal.get()).toMatchObject({ status: 'reviewed', end: 'accepted' })
    const [accepted] = scene.stage.inputs('acceptPendingTransaction') as Input<'acceptPendingTransaction'>[]
    const signature = hexToBytes(accepted?.body?.rootSignature ?? '')
    const decision = { pendingTransactionId, contentHash: hexToBytes(contentHash), openingId }
    expect(accepted?.body?.contentHash).toBe(contentHash)
    expect(RootKey.isSignedDecision(rootPublicKey, decision, signature)).toBe(true)
    expect(RootKey.isSignedDecision(rootPublicKey, { ...decision, openingId: userId }, signature)).toBe(false)
  })

  it('by a link that names no session is proven in the session that the service names', async () => {
    const scene = makeScene({ url: urlWithoutSession, opened: { mode: 'ask' } })
    scene.answer('getPendingTransaction', () => pendingOf({ stepUp: true }))
    scene.answer('listPasswords', { passwords: [{ id: passwordId, salt: '11'.repeat(16), status: 'COMPLETE' }] })
    scene.answer('verifyPassword', verified)
    await scene.until('asking')
    await scene.portal.proceed()
    await scene.until('ready')
    await scene.portal.acceptWithPassword(password)

    expect(scene.portal.get()).toMatchObject({ status: 'reviewed', end: 'accepted' })
    const [proof] = scene.stage.inputs('verifyPassword') as Input<'verifyPassword'>[]
    const proven = {
      portalHost: new URL(portalOrigin).host,
      partnerId,
      sessionId,
      openingId,
      passwordId,
      loginKeyThumbprint: new Uint8Array(0),
      challenge: hexToBytes('55'.repeat(32)),
    }
    const [publicKey, signature] = [proof?.body.publicKey, proof?.body.signature].map((hex = '') => hexToBytes(hex))
    expect(PasswordKeys.isPasswordProof(publicKey ?? seed, proven, signature ?? seed)).toBe(true)
  })
})
