/** The SDK has transactions of Solana and Cosmos sent: by a Solana runtime, and by a stand-in for a node of Cosmos. */
import { createHash } from 'node:crypto'
import { makeSignBytes } from '@cosmjs/proto-signing'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Step } from '../../adapters/browser/sdk.ts'
import type { Wallet } from '../../domain/model/Wallet.ts'
import { startCosmosNode, startSolanaNode, type ChainNode } from '../kit/chainNodes.ts'
import { isLong } from '../kit/long.ts'
import { startService, type TestService } from '../kit/service.ts'
import { cosmosPayment, expectSentByCosmos, expectSentBySolana, solanaPayment } from './chainSending.ts'
import { signUp, type Person } from './people.ts'
import { heldBy } from './wire.ts'

describe('a person with wallets of Solana and Cosmos', () => {
  let nodes: { readonly solana: ChainNode; readonly cosmos: ChainNode }
  let service: TestService
  let ada: Person
  let solana: Wallet
  let cosmos: Wallet

  beforeAll(async () => {
    nodes = { solana: await startSolanaNode(), cosmos: await startCosmosNode('cosmoshub-4') }
    const urls = `solana:localnet=${nodes.solana.url} cosmos:cosmoshub-4=${nodes.cosmos.url}`
    service = await startService({ environment: { CHAIN_RPC_URLS: urls } })
    ada = await signUp(service, { types: { SOLANA: true, COSMOS: true } })
    const wallets = await ada.device.getWallets()
    const of = (type: string) => wallets.find((wallet) => wallet.type === type)
    const [first, second] = [of('SOLANA'), of('COSMOS')]
    if (first === undefined || second === undefined) throw new Error('a wallet is missing')
    ;[solana, cosmos] = [first, second]
  })

  afterAll(async () => {
    await service.stop()
    await Promise.all([nodes.solana.stop(), nodes.cosmos.stop()])
  })

  it('has them sent, and the chains take each once', async () => {
    await expectSentBySolana(ada.device, solana, nodes.solana.url)
    await expectSentByCosmos(ada.device, cosmos, nodes.cosmos.url)
  })

  // The SDK pauses for a second before it sends again.
  it.runIf(isLong)('has them sent although the node’s first answer is lost', async () => {
    nodes.solana.loseAnswers(1)
    await expectSentBySolana(ada.device, solana, nodes.solana.url, { form: 'legacy' })
    nodes.cosmos.loseAnswers(1)
    await expectSentByCosmos(ada.device, cosmos, nodes.cosmos.url)
  })

  it('hears the node’s reason, and which chain has no node', async () => {
    const { transaction } = await solanaPayment(solana, nodes.solana.url)
    const stale = (await solanaPayment(solana, nodes.solana.url, { blockhash: solana.address ?? '' })).transaction
    const { signerAddress, signDoc } = cosmosPayment(cosmos, 100)
    const steps: Step['step'][] = []
    const onProgress = ({ step }: Step) => void steps.push(step)

    await expect(
      ada.device.sendSolanaTransaction({ transaction: stale, chainId: 'solana:localnet' }, { onProgress }),
    ).rejects.toThrow(/^transaction refused: Transaction simulation failed: .*blockhash not found/i)
    await expect(ada.device.sendCosmosTransaction({ signerAddress, signDoc })).rejects.toThrow(
      /^transaction refused: account sequence mismatch, expected \d+, got 100$/,
    )
    await expect(ada.device.sendSolanaTransaction({ transaction, chainId: 'solana:devnet' })).rejects.toThrow(
      'chain solana:devnet is not configured',
    )
    await expect(
      ada.device.sendCosmosTransaction({ signerAddress, signDoc: { ...signDoc, chainId: 'theta-1' } }),
    ).rejects.toThrow('chain cosmos:theta-1 is not configured')
    expect(steps).toEqual(['signing', 'verifying', 'sending'])
  })

  it('says before a run what it will sign: another content under the same id is refused', async () => {
    const [walletId, message] = [cosmos.id, new Uint8Array(32).fill(7)]
    const said = await ada.device.preSignMessage({ walletId, message })
    const { protocolId } = said

    expect(said).toEqual({ walletId, protocolId })
    expect(await ada.device.preSignMessage({ walletId, message, protocolId })).toEqual(said)
    await expect(ada.device.preSignMessage({ walletId, message: message.map(() => 8), protocolId })).rejects.toThrow(
      'protocol id was used for another request',
    )
    await expect(ada.device.preSignMessage({ walletId, message, cosmosSignDoc: Uint8Array.of(1) })).rejects.toThrow(
      'payload is not supported',
    )
  })

  it('says before a run of its own what it signs, and the run signs it', async () => {
    const walletId = cosmos.id
    const { signerAddress, signDoc } = cosmosPayment(cosmos, 0)
    const cosmosSignDoc = makeSignBytes(signDoc)
    const message = createHash('sha256').update(cosmosSignDoc).digest()
    // The device enrols with its first signature.
    await ada.device.signCosmosDirect({ walletId, signerAddress, signDoc })
    const { protocol, keyOf } = await heldBy(service, ada.device)

    const { protocolId } = await ada.device.preSignMessage({ walletId, message, cosmosSignDoc })
    const ended = await protocol.sign(
      keyOf(walletId),
      { kind: 'blind', digest: message.toString('hex') },
      { protocolId },
    )
    const { signature } = await ada.device.preSignMessage({ walletId, message, cosmosSignDoc, protocolId })

    if (ended.kind !== 'done') throw new Error(JSON.stringify(ended))
    const [r, s] = [ended.body.subarray(0, 32), ended.body.subarray(32, 64)]
    expect(signature).toEqual({ r: bytesToHex(r), s: bytesToHex(s), v: ended.body[64] === 1 ? '01' : '00' })
    expect(secp256k1.verify(ended.body.subarray(0, 64), cosmosSignDoc, keyOf(walletId).share.publicKey)).toBe(true)
  })

  it('signs no raw hash', async () => {
    const hash = `0x${'11'.repeat(32)}`

    await expect(ada.device.signRawHash({ hash })).rejects.toThrow('not implemented')
  })
})
