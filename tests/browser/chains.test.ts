/** Transactions of Solana and documents of Cosmos, signed and sent on the bare host, and judged by their chains' tools. */
import { pubkeyToAddress } from '@cosmjs/amino'
import { expect, it } from 'vitest'
import type { Para } from '../../adapters/browser/sdk.ts'
import { expectSentByCosmos, expectSentBySolana } from '../service/chainSending.ts'
import { expectCosmos, expectSolana } from '../service/chainSignatures.ts'
import type { Bare } from './harness/host.ts'
import { signUpOn } from './kit/bareHost.ts'
import { passwordOf } from './kit/credentials.ts'
import { stack } from './kit/stack.ts'
import { useChromium, visit } from './kit/visitor.ts'
import { expectQuiet } from './kit/watch.ts'

declare const window: Bare

const browser = useChromium()

type Signer = Pick<
  Para,
  'signSolanaTransaction' | 'signCosmosDirect' | 'signCosmosAmino' | 'sendSolanaTransaction' | 'sendCosmosTransaction'
>

it('an app’s page signs and sends for Solana and Cosmos with the wallets of its sign-up', async () => {
  const { context, seen } = await visit(browser())
  const { host } = await signUpOn(context, passwordOf())
  const wallets = await host.evaluate(() => window.para.getWallets())
  const [solana, cosmos] = ['SOLANA', 'COSMOS'].map((type) => wallets.find((wallet) => wallet.type === type))
  if (solana === undefined || cosmos === undefined) throw new Error('a wallet is missing')

  // Bytes go to the page as lists of numbers; a document comes back as it went.
  const inPage: Signer = {
    signSolanaTransaction: async ({ walletId = '', message }) => {
      const signed = await host.evaluate(
        async ([id, bytes]) => {
          const made = await window.para.signSolanaTransaction({ walletId: id, message: Uint8Array.from(bytes) })
          return { ...made, bytes: [...made.bytes] }
        },
        [walletId, [...message]] as const,
      )
      return { ...signed, bytes: Uint8Array.from(signed.bytes) }
    },
    signCosmosDirect: async ({ signDoc, ...input }) => {
      const { bodyBytes, authInfoBytes, chainId, accountNumber } = signDoc
      const { signature } = await host.evaluate(
        ([of, body, authInfo, rest]) =>
          window.para.signCosmosDirect({
            ...of,
            signDoc: { ...rest, bodyBytes: Uint8Array.from(body), authInfoBytes: Uint8Array.from(authInfo) },
          }),
        [input, [...bodyBytes], [...authInfoBytes], { chainId, accountNumber: String(accountNumber) }] as const,
      )
      return { signed: signDoc, signature }
    },
    signCosmosAmino: async (input) => {
      const { signature } = await host.evaluate((of) => window.para.signCosmosAmino(of), input)
      return { signed: input.signDoc, signature }
    },
    sendSolanaTransaction: async ({ transaction, ...input }) => {
      const sent = await host.evaluate(
        async ([of, bytes]) => {
          const made = await window.para.sendSolanaTransaction({ ...of, transaction: Uint8Array.from(bytes) })
          return { ...made, bytes: [...made.bytes], transaction: [...made.transaction] }
        },
        [input, [...transaction]] as const,
      )
      return { ...sent, bytes: Uint8Array.from(sent.bytes), transaction: Uint8Array.from(sent.transaction) }
    },
    sendCosmosTransaction: async ({ signDoc, ...input }) => {
      const { bodyBytes, authInfoBytes, chainId, accountNumber } = signDoc
      const sent = await host.evaluate(
        async ([of, body, authInfo, rest]) => {
          const document = { ...rest, bodyBytes: Uint8Array.from(body), authInfoBytes: Uint8Array.from(authInfo) }
          const made = await window.para.sendCosmosTransaction({ ...of, signDoc: document })
          const { signature, transactionHash } = made
          return { signature, transactionHash, transaction: [...made.transaction] }
        },
        [input, [...bodyBytes], [...authInfoBytes], { chainId, accountNumber: String(accountNumber) }] as const,
      )
      return { ...sent, signed: signDoc, transaction: Uint8Array.from(sent.transaction) }
    },
  }

  await expectSolana(inPage, solana)
  await expectCosmos(inPage, cosmos)
  expect(pubkeyToAddress({ type: 'tendermint/PubKeySecp256k1', value: keyOf(cosmos.publicKey) }, 'cosmos')).toBe(
    cosmos.address,
  )
  const { nodes } = stack()
  await expectSentBySolana(inPage, solana, nodes.solana)
  await expectSentByCosmos(inPage, cosmos, nodes.cosmos)
  expectQuiet(seen)
  await context.close()
})

const keyOf = (hex: string | null | undefined): string => Buffer.from(hex ?? '', 'hex').toString('base64')
