/**
 * What a policy holds of each kind, on the page of the review: what a person reads there, and that it is signed once after
 * they accept, and not otherwise. What a payment's review goes through besides is in reviews.test.ts.
 */
import { createPrivateKey } from 'node:crypto'
import { decodeSignature, pubkeyToAddress } from '@cosmjs/amino'
import {
  encodePubkey,
  makeAuthInfoBytes,
  makeSignBytes,
  makeSignDoc,
  Registry,
  type EncodeObject,
} from '@cosmjs/proto-signing'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import {
  Keypair,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { VoteOption } from 'cosmjs-types/cosmos/gov/v1beta1/gov'
import { MsgVote } from 'cosmjs-types/cosmos/gov/v1beta1/tx'
import { MsgTransfer } from 'cosmjs-types/ibc/applications/transfer/v1/tx'
import type { Page } from 'playwright'
import {
  maxUint256,
  parseEther,
  recoverTransactionAddress,
  serializeTransaction,
  verifyMessage,
  verifyTypedData,
  type Hex,
} from 'viem'
import { recoverAuthorizationAddress } from 'viem/utils'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type {
  CallOptions,
  CosmosSignature,
  MessageSignature,
  SolanaSignature,
  Step,
} from '../../adapters/browser/sdk.ts'
import type { Wallet } from '../../domain/model/Wallet.ts'
import { lookupTable } from '../kit/chainNodes.ts'
import { decideFor, type Decision, type Pending } from '../service/approver.ts'
import { success } from '../service/wire.ts'
import type { Bare } from './harness/host.ts'
import { clickGo, openBareHost, signUpOn, went } from './kit/bareHost.ts'
import { passwordOf } from './kit/credentials.ts'
import { look } from './kit/look.ts'
import type { PageDevice } from './kit/pageDevice.ts'
import { acceptWithPassword, button, closing, heading } from './kit/person.ts'
import { heldRecipients } from './kit/policy.ts'
import { carefulOf, development, stack } from './kit/stack.ts'
import { expectSolanaSignature } from './kit/verify.ts'
import { newPassword, useChromium, visit, type Visitor } from './kit/visitor.ts'
import { expectQuiet } from './kit/watch.ts'

declare const window: Bare & { steps: Step[] }

const browser = useChromium()

type Verb = keyof PageDevice

type Wallets = (type: Wallet['type']) => { readonly id: string; readonly address: string; readonly publicKey: string }

type Payload = {
  readonly name: string
  readonly verb: Verb
  readonly input: (wallets: Wallets) => object
  /** What the page asks, and every fact that it has to show: in the order of the page, without regard to blanks. */
  readonly question: string
  readonly shows: readonly string[]
  /** Fails unless this is the wallet's signature of the input. */
  readonly expectSigned: (made: unknown, wallets: Wallets) => Promise<void> | void
}

type EvmSignature = { readonly r: Hex; readonly s: Hex; readonly yParity: 0 | 1 }

const message = 'Sign in to Corner Coffee\nNonce: 8f2c'

const usdc: Hex = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const spender: Hex = '0x00000000000000000000000000000000000caf3e'
const permitOf = (owner: string) =>
  ({
    domain: { name: 'USD Coin', version: '2', chainId: 1, verifyingContract: usdc },
    types: {
      Permit: [
        { name: 'owner', type: 'address' },
        { name: 'spender', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'nonce', type: 'uint256' },
        { name: 'deadline', type: 'uint256' },
      ],
    },
    primaryType: 'Permit',
    message: { owner: owner as Hex, spender, value: maxUint256, nonce: 0n, deadline: 1_900_000_000n },
  }) as const

const delegation = { address: '0x000000000000000000000000000000000de1e9a7', chainId: 1, nonce: 3 } as const

const program = Keypair.fromSeed(new Uint8Array(32).fill(3)).publicKey
const friend = Keypair.fromSeed(new Uint8Array(32).fill(4)).publicKey
const solanaMessage = (address: string) => {
  const payerKey = new PublicKey(address)
  const [entry] = lookupTable.state.addresses
  return new TransactionMessage({
    payerKey,
    recentBlockhash: payerKey.toBase58(),
    instructions: [
      SystemProgram.transfer({ fromPubkey: payerKey, toPubkey: friend, lamports: 1_500_000_000 }),
      new TransactionInstruction({
        programId: program,
        keys: [{ pubkey: entry ?? program, isSigner: false, isWritable: true }],
        data: Buffer.from([7]),
      }),
    ],
  }).compileToV0Message([lookupTable])
}

const grocer = pubkeyToAddress(
  { type: 'tendermint/PubKeySecp256k1', value: Buffer.alloc(33, 2).toString('base64') },
  'cosmos',
)
type Signer = { readonly address: string; readonly publicKey: string }
const cosmosDocument = (signer: Signer) => {
  const value = { fromAddress: signer.address, toAddress: grocer, amount: [{ denom: 'uatom', amount: '2500000' }] }
  return documentOf(signer, [{ typeUrl: '/cosmos.bank.v1beta1.MsgSend', value }])
}
const documentOf = ({ publicKey }: Signer, messages: readonly EncodeObject[]) => {
  const pubkey = { type: 'tendermint/PubKeySecp256k1', value: Buffer.from(publicKey, 'hex').toString('base64') }
  const registry = new Registry([MsgSend, MsgVote, MsgTransfer].map((one) => [one.typeUrl, one]))
  const bodyBytes = registry.encodeTxBody({ messages, memo: 'two coffees' })
  const fee = [{ denom: 'uatom', amount: '5000' }]
  const info = makeAuthInfoBytes([{ pubkey: encodePubkey(pubkey), sequence: 1 }], fee, 200_000, undefined, undefined)
  return makeSignDoc(bodyBytes, info, 'cosmoshub-4', 7)
}

const compared = 'Compare every character with the address that you were given.'

const payloads: readonly Payload[] = [
  {
    name: 'message',
    verb: 'signMessage',
    input: (of) => ({ walletId: of('EVM').id, message }),
    question: 'Sign this message?',
    shows: ['Corner Coffee asks for your signature', 'Message', message],
    expectSigned: async (made, of) => {
      const { ethereumSignature: signature } = made as MessageSignature & { readonly ethereumSignature: Hex }
      expect(await verifyMessage({ address: of('EVM').address as Hex, message, signature })).toBe(true)
    },
  },
  {
    name: 'typed-data',
    verb: 'signTypedData',
    input: (of) => ({ walletId: of('EVM').id, typedData: permitOf(of('EVM').address) }),
    question: 'Give this permission?',
    shows: [
      'Corner Coffee asks for your signature on Ethereum',
      `can take everything that you have of the asset, now or later. ${spender}`,
      `${compared} ${spender}`,
      'Another account may take',
      'Any amount',
      `of eip155:1/erc20:${usdc.toLowerCase()}`,
      'Who may take it',
      spender,
      'USD Coin',
    ],
    expectSigned: async (made, of) => {
      const { address } = of('EVM')
      const signature = made as Hex
      expect(await verifyTypedData({ ...permitOf(address), address: address as Hex, signature })).toBe(true)
    },
  },
  {
    name: 'authorization',
    verb: 'signAuthorization',
    input: (of) => ({ walletId: of('EVM').id, ...delegation }),
    question: 'Sign this?',
    shows: [
      'on Ethereum',
      `A program takes over your account. Its code acts for your account from then on, and may move everything in it. ${delegation.address}`,
      'What leaves your wallet is not known.',
      `delegate ${delegation.address}`,
    ],
    expectSigned: async (made, of) => {
      const { r, s, yParity } = made as EvmSignature
      const authorization = { ...delegation, r, s, yParity }
      expect(await recoverAuthorizationAddress({ authorization })).toBe(of('EVM').address)
    },
  },
  {
    name: 'solana-transaction',
    verb: 'signSolanaTransaction',
    input: (of) => ({ walletId: of('SOLANA').id, message: solanaMessage(of('SOLANA').address).serialize() }),
    question: 'Send this?',
    shows: [
      // A message of Solana does not say on which cluster it is meant.
      'Corner Coffee asks for your signature',
      'What leaves your wallet is not known',
      `A program is run that is not known. What it does cannot be shown here. ${program.toBase58()}`,
      `They are looked up when it runs, so that they cannot be shown here. ${lookupTable.key.toBase58()}`,
      `${compared} ${friend.toBase58()}`,
      'You send',
      '1.5 SOL',
      'To',
      friend.toBase58(),
      'Leaves your wallet',
      '0.000005 SOL',
      'system.transfer',
      `unknown, of the program ${program.toBase58()}`,
    ],
    expectSigned: (made, of) => {
      const { bytes } = made as SolanaSignature
      const { address } = of('SOLANA')
      const transaction = new VersionedTransaction(solanaMessage(address))
      transaction.addSignature(new PublicKey(address), bytes)
      expectSolanaSignature(address, transaction.message.serialize(), bytes)
    },
  },
  {
    name: 'cosmos-direct',
    verb: 'signCosmosDirect',
    input: (of) => {
      const { id: walletId, address: signerAddress } = of('COSMOS')
      return { walletId, signerAddress, signDoc: cosmosDocument(of('COSMOS')) }
    },
    question: 'Send this?',
    shows: [
      'on Cosmos Hub',
      `${compared} ${grocer}`,
      'You send',
      '2.5 ATOM',
      'To',
      grocer,
      'Leaves your wallet',
      '0.005 ATOM',
      'two coffees',
    ],
    expectSigned: (made, of) => {
      const { signature } = made as CosmosSignature<unknown>
      const read = decodeSignature(signature)
      expect(pubkeyToAddress(signature.pub_key, 'cosmos')).toBe(of('COSMOS').address)
      expect(secp256k1.verify(read.signature, makeSignBytes(cosmosDocument(of('COSMOS'))), read.pubkey)).toBe(true)
    },
  },
]

const denied = { error: 'transaction review has been denied by the user' }
const timedOut = { error: 'transaction review has timed out' }
const usedUp = { error: 'transaction review was already used' }

/** The next click asks for this. */
const willAsk = (host: Page, verb: Verb, input: object, timeoutMs = 30_000) =>
  host.evaluate(
    ([name, asked]) => {
      const verbs = window.para as unknown as Readonly<
        Record<Verb, (input: object, call: CallOptions) => Promise<unknown>>
      >
      window.steps = []
      window.onGo = () => verbs[name](asked, { onProgress: (step) => void window.steps.push(step) })
    },
    [verb, { ...input, timeoutMs }] as const,
  )

const accept = (page: Page) => closing(page, () => button(page, 'Accept').click())
const deny = (page: Page) => closing(page, () => button(page, 'Deny').click())

describe('at a shop whose policy holds whatever it asks for', () => {
  let visitor: Visitor
  let host: Page
  let wallets: Wallets

  beforeAll(async () => {
    visitor = await visit(browser())
    ;({ host } = await signUpOn(visitor.context, passwordOf(), carefulOf(stack().shop)))
    const all = await host.evaluate(() => window.para.getWallets())
    wallets = (wanted) => {
      const { id, address, publicKey = '' } = all.find(({ type }) => type === wanted) ?? {}
      if (!id || !address) throw new Error(`no wallet is of ${wanted}`)
      return { id, address, publicKey: publicKey ?? '' }
    }
    // The browser prints each request that is refused: of what was denied or used.
    visitor.seen.expectErrors(/404|401|410/)
  })
  afterEach(() => {
    expectQuiet(visitor.seen)
  })
  afterAll(() => visitor.close())

  describe.each(payloads)('$name', ({ name, verb, input, question, shows, expectSigned }) => {
    const opened = async (from = host) => {
      const page = await clickGo(from)
      await heading(page, question)
      return page
    }
    const expectDone = async () => {
      const { value, error } = await went(host)
      expect(error).toBeUndefined()
      await expectSigned(value, wallets)
    }

    it('is read, accepted with the keyboard and signed once; another signature is held anew', async () => {
      await willAsk(host, verb, input(wallets), 120_000)
      const page = await opened()
      const text = (await page.locator('main').innerText()).replaceAll(/\s/g, '')
      let from = 0
      for (const fact of shows) {
        const at = text.indexOf(fact.replaceAll(/\s/g, ''), from)
        expect(at, `${fact} after ${from} in ${text}`).toBeGreaterThanOrEqual(from)
        from = at
      }
      await look(page, `portal-review-${name}`)
      await focusByTab(page, 'Accept')
      await page.screenshot({ path: `dist/screenshots/portal-review-${name}.focus.png` })
      // The picture may have taken the focus, and with it the attention that the page asks for.
      await expect.poll(() => button(page, 'Accept').getAttribute('aria-disabled')).toBe('false')
      await closing(page, () => button(page, 'Accept').press('Enter'))
      await expectDone()

      await deny(await opened())
      expect(await went(host)).toEqual(denied)
    })

    it('is not signed when its time passes or its page is closed; it is when it is asked for again', async () => {
      await willAsk(host, verb, input(wallets), 12_000)
      const page = await opened()
      await heading(page, 'This review is over')
      expect(await went(host)).toEqual(timedOut)
      await page.close()

      await willAsk(host, verb, input(wallets), 6_000)
      await (await clickGo(host)).close()
      expect(await went(host)).toEqual(timedOut)

      await willAsk(host, verb, input(wallets), 60_000)
      await accept(await opened())
      await expectDone()
    })

    it('is signed once for two tabs, also when the network was away', async () => {
      visitor.seen.expectErrors(/ERR_INTERNET_DISCONNECTED|Failed to fetch/)
      const other = await openBareHost(visitor.context, carefulOf(stack().shop))
      for (const tab of [host, other]) await willAsk(tab, verb, input(wallets), 60_000)
      await opened()
      const page = await opened(other)
      await visitor.context.setOffline(true)
      await button(page, 'Accept').click()
      await page.getByText('No connection').waitFor()
      await visitor.context.setOffline(false)
      await accept(page)

      const ends = [await went(host), await went(other)]
      const signed = ends.filter(({ error }) => error === undefined)
      expect(ends.filter(({ error }) => error !== undefined)).toEqual([usedUp])
      expect(signed).toHaveLength(1)
      await expectSigned(signed[0]?.value, wallets)
      for (const tab of visitor.context.pages()) if (tab !== host) await tab.close()
    })
  })

  it('shows every field of a vote and of a transfer to another chain, also in the narrowest window', async () => {
    const signer = wallets('COSMOS')
    const vote = { proposalId: 857n, voter: signer.address, option: VoteOption.VOTE_OPTION_NO_WITH_VETO }
    const transfer = {
      sourcePort: 'transfer',
      sourceChannel: 'channel-141',
      token: { denom: 'uatom', amount: '2500000' },
      sender: signer.address,
      receiver: grocer,
      timeoutTimestamp: 1_900_000_000_000_000_000n,
    }
    const signDoc = documentOf(signer, [
      { typeUrl: MsgVote.typeUrl, value: vote },
      { typeUrl: MsgTransfer.typeUrl, value: MsgTransfer.fromPartial(transfer) },
    ])
    await willAsk(host, 'signCosmosDirect', { walletId: signer.id, signerAddress: signer.address, signDoc })
    const page = await clickGo(host)
    await heading(page, 'Send this?')
    await page.setViewportSize({ width: 320, height: 760 })
    const text = await page.locator('main').innerText()
    for (const fact of [
      'It goes to another chain',
      'transfer/channel-141',
      '857',
      'VOTE_OPTION_NO_WITH_VETO',
      grocer,
    ]) {
      expect(text.replaceAll(/\s/g, '')).toContain(fact.replaceAll(/\s/g, ''))
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
    await page.screenshot({ path: 'dist/screenshots/portal-review-cosmos-fields.320.png', fullPage: true })
    await deny(page)
    expect(await went(host)).toEqual(denied)
  })
})

/** As a person without a mouse reaches it. */
const focusByTab = async (page: Page, name: string) => {
  const wanted = button(page, name)
  for (let presses = 0; presses < 10; presses += 1) {
    await page.keyboard.press('Tab')
    if (await wanted.evaluate((element) => element === document.activeElement)) return
  }
  throw new Error(`Tab does not reach ${name}`)
}

describe('a payment that the person and the partner’s server have to accept', () => {
  let visitor: Visitor
  let host: Page
  let address: string
  let nonce = 0
  const password = newPassword()

  beforeAll(async () => {
    visitor = await visit(browser())
    ;({ host } = await signUpOn(visitor.context, passwordOf(password)))
    const wallets = await host.evaluate(() => window.para.getWallets())
    address = wallets.find(({ type }) => type === 'EVM')?.address ?? ''
    visitor.seen.expectErrors(/404/)
  })
  afterEach(() => {
    expectQuiet(visitor.seen)
  })
  afterAll(() => visitor.close())

  /** The page of a new payment's review, and the partner's answer to it. */
  const opened = async () => {
    const transaction = {
      type: 'eip1559',
      chainId: 31_337,
      nonce: (nonce += 1),
      to: heldRecipients.both,
      value: parseEther('0.0042'),
      gas: 21_000n,
      maxFeePerGas: 1_000_000_000n,
    } as const
    await willAsk(host, 'signTransaction', { transaction: serializeTransaction(transaction), chainId: '31337' }, 60_000)
    const answer = visitor.context.waitForEvent('response', (response) =>
      /\/pending-transactions\/[^/]+$/.test(response.url()),
    )
    const page = await clickGo(host)
    await heading(page, 'Send this?')
    const pending = (await (await answer).json()) as Pending
    const server = { base: stack().apiHere, apiKey: development().secretKey }
    const key = createPrivateKey({ key: stack().approver, format: 'jwk' })
    return { page, transaction, decide: (decision: Decision) => decideFor(server, key, pending, decision) }
  }

  /** Neither signed nor refused. */
  const expectWaiting = async () => {
    const outcome = await host.evaluate(() =>
      Promise.race([window.went, new Promise((resolve) => setTimeout(() => resolve('waits'), 1_000))]),
    )
    expect(outcome).toBe('waits')
  }

  const expectSignedBy = async (transaction: Awaited<ReturnType<typeof opened>>['transaction']) => {
    const { value, error } = await went(host)
    expect(error).toBeUndefined()
    const { r, s, yParity } = value as EvmSignature
    const serializedTransaction = serializeTransaction(transaction, { r, s, yParity })
    expect(await recoverTransactionAddress({ serializedTransaction })).toBe(address)
  }

  it('is signed when the server accepts after the person', async () => {
    const { page, transaction, decide } = await opened()
    await page.getByText('Corner Coffee decides as well').waitFor()
    await page.getByText('It is signed once both accept.').waitFor()
    await look(page, 'portal-review-both')
    // A window that the app opened closes by itself, and says no more; a page that a link opened stays.
    await page.close()
    const link = await host.evaluate(() => window.steps.find((step) => step.step === 'reviewing')?.transactionReviewUrl)
    const linked = await visitor.context.newPage()
    await linked.goto(link ?? '')
    await button(linked, 'Yes, continue').click()
    await acceptWithPassword(linked, password)
    await heading(linked, 'You accepted')
    await look(linked, 'portal-review-both-accepted')
    await expectWaiting()
    success(await decide('accept'))

    await expectSignedBy(transaction)
    await linked.close()
  })

  it('is signed when the person accepts after the server', async () => {
    const { page, transaction, decide } = await opened()
    success(await decide('accept'))
    await expectWaiting()
    await accept(page)

    await expectSignedBy(transaction)
  })

  it('is not signed when the server denies what the person has accepted', async () => {
    const { page, decide } = await opened()
    await accept(page)
    await expectWaiting()
    success(await decide('deny'))

    expect(await went(host)).toEqual(denied)
  })

  it('is not signed when the person denies what the server has accepted', async () => {
    const { page, decide } = await opened()
    success(await decide('accept'))
    await deny(page)

    expect(await went(host)).toEqual(denied)
    expect((await decide('accept')).status).toBe(404)
  })
})
