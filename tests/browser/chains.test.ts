/** What pages sign and send for each chain, judged by the chain itself or by its tools. */
import { pubkeyToAddress } from '@cosmjs/amino'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Wallet } from '../../domain/model/Wallet.ts'
import { anteHandlerTimeout, expectTakenByAnteHandler, hasAnteHandler } from '../service/anteHandlerVerdicts.ts'
import { expectSentByCosmos, expectSentBySolana } from '../service/chainSending.ts'
import { expectCosmos, expectSolana } from '../service/chainSignatures.ts'
import { evmChainSuite } from '../service/evmChainSuite.ts'
import type { Bare } from './harness/host.ts'
import { signUpOn } from './kit/bareHost.ts'
import { passwordOf } from './kit/credentials.ts'
import { deviceOn, type PageDevice } from './kit/pageDevice.ts'
import { stack } from './kit/stack.ts'
import { chainUrl, useChromium, visit, type Visitor } from './kit/visitor.ts'
import { expectQuiet } from './kit/watch.ts'

declare const window: Bare

const browser = useChromium()

describe('an app’s page signs with the wallets of its sign-up', () => {
  let visitor: Visitor
  let device: PageDevice
  let wallets: readonly Wallet[]

  const walletOf = (type: Wallet['type']): Wallet => {
    const found = wallets.find((wallet) => wallet.type === type)
    if (found === undefined) throw new Error(`no wallet is of ${type}`)
    return found
  }

  beforeAll(async () => {
    visitor = await visit(browser())
    const { host } = await signUpOn(visitor.context, passwordOf())
    wallets = await host.evaluate(() => window.para.getWallets())
    device = deviceOn(host)
  })
  afterEach(() => {
    expectQuiet(visitor.seen)
  })
  afterAll(() => visitor.close())

  describe('on the local EVM chain', () => {
    evmChainSuite(() => ({ device, address: walletOf('EVM').address ?? '', url: chainUrl() }))
  })

  it('for Solana, as web3.js verifies it', () => expectSolana(device, walletOf('SOLANA')))

  it.each(['legacy', 'version 0', 'version 0, recipient in a lookup table'] as const)(
    'for Solana, whose runtime takes the transaction: %s',
    (form) => expectSentBySolana(device, walletOf('SOLANA'), stack().nodes.solana, { form }),
  )

  it('for Cosmos, whose transactions cosmjs reads', async () => {
    const cosmos = walletOf('COSMOS')
    const value = Buffer.from(cosmos.publicKey ?? '', 'hex').toString('base64')
    expect(pubkeyToAddress({ type: 'tendermint/PubKeySecp256k1', value }, 'cosmos')).toBe(cosmos.address)
    await expectCosmos(device, cosmos)
    await expectSentByCosmos(device, cosmos, stack().nodes.cosmos)
  })

  it.skipIf(!hasAnteHandler)(
    'for Cosmos, whose ante handler takes it (which needs Go and its modules)',
    { timeout: anteHandlerTimeout },
    () => expectTakenByAnteHandler(device, walletOf('COSMOS')),
  )
})
