import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Redacted from 'effect/Redacted'
import { describe, expect, it } from 'vitest'
import { reportFailure } from '../../../domain/client/reportFailure.ts'
import { DeviceKeys } from '../../../domain/client/ports/DeviceKeys.ts'
import { listWallets } from '../../../domain/client/wallets.ts'
import { ShareStore } from '../../../domain/client/ports/ShareStore.ts'
import { Settings } from '../../../domain/client/ports/Settings.ts'
import { sessionSnapshot } from '../../../domain/client/sessionSnapshot.ts'
import { SessionState, type HostSession } from '../../../domain/client/SessionState.ts'
import { WalletState } from '../../../domain/client/WalletState.ts'
import type { Wallet, WalletType } from '../../../domain/model/Wallet.ts'
import { makeHostStage } from '../../kit/hostStage.ts'

const session = (changes: Partial<HostSession>): HostSession => ({
  isAuthenticated: true,
  sessionId: 'a session',
  sessionLookupId: 'a lookup',
  userId: 'ada',
  email: 'ada@example.com',
  currentWalletIds: { EVM: ['one'] },
  clockOffset: 0,
  missing: [],
  ...changes,
})

const wallet: Wallet = { id: 'one', type: 'EVM', scheme: 'DKLS', userId: 'ada', address: '0x00' }
const foreign: Wallet = { ...wallet, id: 'two', userId: 'bob' }
const share = { walletId: 'one', userId: 'ada', address: '0x00', shareText: Redacted.make('a share') }
const recovery = { userId: 'ada', secretKey: Redacted.make('11'), publicKey: '22', signature: '33' }

type Held = {
  readonly hasShare?: boolean
  readonly recovery?: typeof recovery | Omit<typeof recovery, 'signature'>
  readonly hasRoot?: boolean
  readonly lacking?: readonly WalletType[]
}

const seen = (state: HostSession | undefined, held: Held = {}) => {
  const stage = makeHostStage({})
  if (held.hasShare === true) stage.shares.set('one', share)
  stage.pending.recovery = held.recovery
  return Effect.runPromise(
    Effect.gen(function* () {
      if (state !== undefined) yield* (yield* SessionState).set(state)
      const { create, certify } = yield* DeviceKeys
      yield* create('a session')
      if (held.hasRoot !== false) yield* certify('a session', { rootPublicKey: '44', certificate: '55' })
      yield* (yield* WalletState).set([wallet, foreign], held.lacking)
      return yield* sessionSnapshot
    }).pipe(Effect.provide(stage.layer)),
  )
}

const user = { userId: 'ada', email: 'ada@example.com' }

describe('the session as an app shows it', () => {
  it('is anonymous before anything is known, and while no user is signed in', async () => {
    expect(await seen(undefined)).toEqual({ status: 'anonymous', wallets: [] })
    expect(await seen(session({ isAuthenticated: false, userId: null, email: null }))).toEqual({
      status: 'anonymous',
      wallets: [],
    })
  })

  it('names who runs the service as soon as the service has said it, also while no user is signed in', async () => {
    const operator = { name: 'Corner Bank' }

    expect(await seen(session({ operator }), { hasShare: true })).toMatchObject({ status: 'ready', operator })
    expect(await seen(session({ operator, isAuthenticated: false, userId: null, email: null }))).toEqual({
      status: 'anonymous',
      wallets: [],
      operator,
    })
  })

  it('needs a credential once the code was shown', async () => {
    expect(await seen(session({ isAuthenticated: false }))).toEqual({
      status: 'needs-setup',
      setup: 'credential',
      ...user,
      wallets: [],
    })
  })

  it('needs its wallets, or that the recovery secret is shown', async () => {
    const waiting = {
      status: 'needs-setup',
      setup: 'wallets',
      ...user,
      wallets: [wallet],
      currentWalletIds: { EVM: ['one'] },
    }

    expect(await seen(session({ needsWallet: true }))).toEqual(waiting)
    expect(await seen(session({}), { hasShare: true, recovery })).toEqual(waiting)
  })

  it('needs its wallets until one of each type exists, if this device can use and make them', async () => {
    const lacking = ['SOLANA'] as const

    expect(await seen(session({}), { hasShare: true, lacking })).toMatchObject({
      status: 'needs-setup',
      setup: 'wallets',
    })
    expect(await seen(session({}), { lacking })).toMatchObject({ status: 'locked' })
    expect(await seen(session({}), { hasShare: true, lacking, hasRoot: false })).toMatchObject({ status: 'ready' })
  })

  it('needs a login before its wallets, where the page’s result with the root key never arrived', async () => {
    expect(await seen(session({ needsWallet: true }), { hasRoot: false })).toEqual({
      status: 'locked',
      ...user,
      wallets: [wallet],
      currentWalletIds: { EVM: ['one'] },
    })
  })

  it('is ready when every current wallet has its share here, and locked otherwise', async () => {
    expect(await seen(session({}), { hasShare: true })).toEqual({
      status: 'ready',
      ...user,
      wallets: [wallet],
      currentWalletIds: { EVM: ['one'] },
    })
    expect(await seen(session({}))).toEqual({
      status: 'locked',
      ...user,
      wallets: [wallet],
      currentWalletIds: { EVM: ['one'] },
    })
  })

  it('is locked while the co-signer refuses the share of a current wallet, also of one that may be missing', async () => {
    for (const missing of [[], ['one']]) {
      expect(await seen(session({ refused: 'one', missing }), { hasShare: true })).toMatchObject({ status: 'locked' })
    }
    expect(await seen(session({ refused: 'two' }), { hasShare: true })).toMatchObject({ status: 'ready' })
  })

  it('waits neither for a wallet without a backup nor for a recovery key without a signature', async () => {
    expect(await seen(session({ missing: ['one'] }))).toMatchObject({ status: 'ready' })
    const { signature: _, ...unsigned } = recovery
    expect(await seen(session({}), { hasShare: true, recovery: unsigned })).toMatchObject({ status: 'ready' })
  })
})

describe('a store that does not open', () => {
  it('makes the session locked, and logs the reason', async () => {
    const stage = makeHostStage({})
    const closed = Effect.die(new Error('the database is closed'))
    const broken = Layer.mock(ShareStore, {
      list: closed,
      pendingRecovery: { list: closed, get: () => closed, set: () => closed, remove: () => closed },
    })

    const snapshot = await Effect.runPromise(
      Effect.gen(function* () {
        yield* (yield* SessionState).set(session({}))
        return yield* sessionSnapshot
      }).pipe(Effect.provide(broken), Effect.provide(stage.layer)),
    )

    expect(snapshot).toEqual({ status: 'locked', ...user, wallets: [] })
    expect(stage.logs.join()).toContain('what this device holds cannot be read')
  })
})

describe('the addresses of a user’s wallets', () => {
  const unclaimed = { pregenIdentifier: null, pregenIdentifierType: null }
  const listed = { ...wallet, ...unclaimed, partnerId: 'shop', publicKey: '02', name: null }
  const foreigner = { ...listed, id: 'two', address: '0x000000000000000000000000000000000000dEaD' }
  const stageOf = () => makeHostStage({ listWallets: () => ({ wallets: [listed, foreigner] as never }) })
  const list = (stage: ReturnType<typeof stageOf>) =>
    Effect.runPromise(
      Effect.gen(function* () {
        yield* (yield* SessionState).set(session({}))
        return (yield* listWallets()).map(({ id, address }) => [id, address])
      }).pipe(Effect.provide(stage.layer)),
    )

  it('are those of the shares on this device, whatever the service answers', async () => {
    const stage = stageOf()
    stage.shares.set('one', { ...share, address: '0x0000000000000000000000000000000000000001' })

    expect(await list(stage)).toEqual([
      ['one', '0x0000000000000000000000000000000000000001'],
      ['two', null],
    ])
    expect(stage.local.get('@CAPSULE/wallets')).not.toContain('dEaD')
  })

  it('stay known when the shares are deleted, as after an import without signers', async () => {
    const stage = stageOf()
    stage.local.set('@CAPSULE/wallets', JSON.stringify({ one: wallet }))

    expect(await list(stage)).toEqual([
      ['one', wallet.address],
      ['two', null],
    ])
  })
})

describe('a failure of a key method', () => {
  const told = (environment: 'DEV' | 'PROD', error: unknown) => {
    const stage = makeHostStage({ reportSdkError: () => ({}) })
    stage.local.set('@CAPSULE/userId', 'ada')
    const settings = Effect.map(Settings, (own) => ({ ...own, environment }))
    return Effect.runPromise(
      Effect.flatMap(settings, (own) => Effect.provideService(reportFailure('signMessage', error), Settings, own)).pipe(
        Effect.provide(stage.layer),
        Effect.as(stage.calls),
      ),
    )
  }

  it('is reported by its name and sentence, and never with its fields', async () => {
    const error = Object.assign(new Error('it broke'), { share: 'a secret' })

    const [call, ...more] = await told('DEV', error)

    expect(more).toEqual([])
    expect(call?.operation).toBe('reportSdkError')
    expect(call?.input).toEqual({
      body: { methodName: 'signMessage', sdkType: 'WEB', userId: 'ada', error: { name: 'Error', message: 'it broke' } },
    })
  })

  it('is not reported in production', async () => {
    expect(await told('PROD', new Error('it broke'))).toEqual([])
  })
})
