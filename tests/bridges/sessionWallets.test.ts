/** Which wallets of a session are accounts of a chain. */
import { expect, it } from 'vitest'
import { walletsOf } from '../../adapters/browser/bridges/sessionWallets.ts'
import { schemes, typeOf, walletTypes, type Wallet } from '../../domain/model/Wallet.ts'

const wallets = schemes.flatMap((scheme) =>
  [undefined, null, ...walletTypes].map((type): Wallet => ({
    id: `${scheme} ${type}`,
    scheme,
    address: '0x',
    ...(type === undefined ? {} : { type }),
  })),
)

it.each(walletTypes)('of type %s are those that the model says', (type) => {
  const listed = walletsOf({ status: 'ready', wallets }, type)

  expect(listed).toEqual(wallets.filter((wallet) => typeOf(wallet) === type))
})
