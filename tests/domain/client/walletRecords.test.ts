import { describe, expect, it } from 'vitest'
import { listWallets } from '../../../domain/client/wallets.ts'
import { clocked, makeHostStage } from '../../kit/hostStage.ts'
import { listedWallet } from '../../kit/listedWallet.ts'
import { partnerId, sessionId, userId } from '../../kit/loginScene.ts'

const walletOf = (walletId: string) =>
  listedWallet({ walletId, address: 'what the service says' }, { userId, partnerId })

describe('wallets that another client of the origin wrote', () => {
  const listOver = async (texts: { readonly wallets?: string; readonly ed25519Wallets?: string }) => {
    const stage = makeHostStage({
      touchSession: () => ({
        isAuthenticated: true,
        sessionId,
        sessionLookupId: sessionId,
        partnerId,
        userId,
        currentWalletIds: {},
        needsWallet: false,
        supportedWalletTypes: [],
        serverTime: 0,
      }),
      listWallets: () => ({ wallets: [walletOf('one'), walletOf('two')] }),
    })
    for (const [name, text] of Object.entries(texts)) stage.local.set(`@CAPSULE/${name}`, text)
    const listed = await clocked(stage.layer, listWallets())
    return { stage, addresses: listed.map(({ address }) => address) }
  }
  const warning = 'wallets that another client stored on this device cannot be read'

  it('give the addresses that this device knows', async () => {
    const { stage, addresses } = await listOver({
      wallets: JSON.stringify({ one: { id: 'one', address: '0x01' }, three: { address: null } }),
      ed25519Wallets: JSON.stringify({ two: { address: 'So1' } }),
    })

    expect(addresses).toEqual(['0x01', 'So1'])
    expect(stage.logs).toEqual([])
  })

  it.each(['', '{"one":', 'null', '7', '"one"', '[]', '[{"address":"0x01"}]', '{"one":null,"two":"0x01"}'])(
    'are ignored where they cannot be read, as %j, and are replaced, with one warning',
    async (text) => {
      const { stage, addresses } = await listOver({ wallets: text, ed25519Wallets: text })

      expect(addresses).toEqual([null, null])
      expect(stage.logs).toEqual([warning])
      expect(JSON.parse(stage.local.get('@CAPSULE/wallets') ?? '')).toMatchObject({ one: { id: 'one', address: null } })
    },
  )

  it('are read one by one: a broken one does not affect the others', async () => {
    const { addresses } = await listOver({
      wallets: '{"__proto__":{"address":"0x02"},"one":{"address":7},"two":{"address":"0x02"}}',
      ed25519Wallets: 'broken',
    })

    expect(addresses).toEqual([null, '0x02'])
  })
})
