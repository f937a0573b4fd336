import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as CurrentWalletIds from '../../../domain/model/CurrentWalletIds.ts'
import { typeOf, walletTypes, type WalletType } from '../../../domain/model/Wallet.ts'
import { wallets } from './arbitrary.ts'

const id = fc.constantFrom('a', 'b', 'c', 'd')
const type = fc.constantFrom(...walletTypes)
const added = fc.array(fc.tuple(type, id))

const gathered = (added: readonly (readonly [WalletType, string])[]) =>
  added.reduce<CurrentWalletIds.CurrentWalletIds>((ids, [type, id]) => CurrentWalletIds.add(ids, type, id), {})

describe('current wallet ids', () => {
  it('a new wallet joins the ids of its type, once', () => {
    fc.assert(
      fc.property(added, type, id, (before, type, id) => {
        const ids = gathered(before)

        const after = CurrentWalletIds.add(ids, type, id)

        expect(after[type]?.filter((one) => one === id)).toEqual([id])
        expect(CurrentWalletIds.add(after, type, id)).toEqual(after)
        for (const other of walletTypes.filter((one) => one !== type)) expect(after[other]).toEqual(ids[other])
      }),
    )
  })

  it('the list of all has each id once', () => {
    fc.assert(
      fc.property(added, (added) => {
        const ids = gathered(added)

        expect([...CurrentWalletIds.all(ids)].sort()).toEqual([...new Set(added.map(([, id]) => id))].sort())
      }),
    )
  })

  it('only those of supported types stay', () => {
    const ids = { EVM: ['a'], SOLANA: ['b'], COSMOS: ['c'] }

    expect(CurrentWalletIds.supported(ids, [{ type: 'EVM' }, { type: 'COSMOS', optional: true }])).toEqual({
      EVM: ['a'],
      COSMOS: ['c'],
    })
  })

  it('an old stored form is a bare list, whose types come from the wallets', () => {
    fc.assert(
      fc.property(wallets, (wallets) => {
        const stored = wallets.slice(0, 3).map(({ id }) => id)

        const ids = CurrentWalletIds.fromStored(stored, wallets)

        expect([...CurrentWalletIds.all(ids)].sort()).toEqual([...stored].sort())
        for (const type of walletTypes) {
          const ofType = wallets.slice(0, 3).filter((one) => typeOf(one) === type)
          expect(ids[type] ?? []).toEqual(ofType.map(({ id }) => id))
        }
        expect(CurrentWalletIds.fromStored(ids, [])).toBe(ids)
        expect(Object.values(ids).every((list) => list.length > 0)).toBe(true)
      }),
    )
  })
})
