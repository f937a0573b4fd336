/** The wallet that an app shows is the one that signs where a call names none. */
import * as Effect from 'effect/Effect'
import * as fc from 'fast-check'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { sessionSnapshot } from '../../domain/client/sessionSnapshot.ts'
import { SessionState } from '../../domain/client/SessionState.ts'
import { selectWallet } from '../../domain/client/selectWallet.ts'
import { WalletState } from '../../domain/client/WalletState.ts'
import { hasAddress, schemeForType, typeOf, walletTypes, type Wallet } from '../../domain/model/Wallet.ts'
import type { WalletType } from '../../domain/model/WalletTypes.ts'
import { ProviderContext } from '../../react/context.ts'
import { useWallet, type Client } from '../../react/index.ts'
import { provide } from '../../react/Provided.ts'
import { makeHostStage } from '../kit/hostStage.ts'
import { times } from '../kit/long.ts'
import { fakeClient } from './fakeClient.ts'

type Current = { readonly [T in WalletType]?: readonly string[] }

/** What signs without a wallet id, and what the hook shows for each type. */
const seen = async (wallets: readonly Wallet[], currentWalletIds: Current) => {
  const stage = makeHostStage({})
  const session = {
    isAuthenticated: true,
    sessionId: 'a session',
    sessionLookupId: 'a lookup',
    userId: 'ada',
    currentWalletIds,
    clockOffset: 0,
    missing: [],
  }
  const [snapshot, signing] = await Effect.runPromise(
    Effect.gen(function* () {
      yield* (yield* SessionState).set(session)
      yield* (yield* WalletState).set(wallets)
      const selected = yield* Effect.option(selectWallet(undefined))
      return [yield* sessionSnapshot, selected._tag === 'Some' ? selected.value : undefined] as const
    }).pipe(Effect.provide(stage.layer)),
  )
  const fake = fakeClient({}, snapshot)
  const client: Client = { ...fake, session: { ...fake.session, getServer: () => snapshot } }
  const shownOf = (type: WalletType) => {
    const Shown = () => <>{useWallet({ type })?.id}</>
    const provided = provide({ environment: 'DEV', apiKey: 'key', client })
    return renderToStaticMarkup(
      <ProviderContext.Provider value={provided}>
        <Shown />
      </ProviderContext.Provider>,
    )
  }
  return { signing, shownOf }
}

const walletOf = (id: string, type: WalletType, address: string | null = `address of ${id}`): Wallet => ({
  id,
  type,
  scheme: schemeForType(type),
  userId: 'ada',
  address,
})

it('is the current one of two of a type, whatever their order', async () => {
  const wallets = [walletOf('one', 'EVM'), walletOf('two', 'EVM')]

  const { signing, shownOf } = await seen(wallets, { EVM: ['two'] })

  expect([signing?.id, shownOf('EVM')]).toEqual(['two', 'two'])
})

it('is the one that signs, for any wallets and any current ids', async () => {
  const wallet = fc.record({
    id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    type: fc.constantFrom(...walletTypes),
    isAddressed: fc.boolean(),
  })
  const many = fc.uniqueArray(wallet, { selector: ({ id }) => id, minLength: 1 })
  await fc.assert(
    fc.asyncProperty(many, fc.shuffledSubarray(['a', 'b', 'c', 'd', 'e']), async (made, ids) => {
      const wallets = made.map(({ id, type, isAddressed }) => walletOf(id, type, isAddressed ? undefined : null))
      const current = Object.fromEntries(
        walletTypes.map((type) => [type, ids.filter((id) => made.some((one) => one.id === id && one.type === type))]),
      )

      const { signing, shownOf } = await seen(wallets, current)

      if (signing === undefined) expect(walletTypes.map(shownOf)).toEqual(['', '', ''])
      else expect(shownOf(typeOf(signing))).toBe(hasAddress(signing) ? signing.id : '')
    }),
    { numRuns: times(50, 500) },
  )
})
