/**
 * A client that speaks the calls and the worker's jobs of the specification alone (openapi/README.md#public-client) signs
 * up, makes a wallet of each type and signs. The signatures are verified by what shares no code with us.
 */
import { createHash } from 'node:crypto'
import { decodeSignature, encodeSecp256k1Pubkey, pubkeyToAddress, serializeSignDoc } from '@cosmjs/amino'
import { Secp256k1, Secp256k1Signature } from '@cosmjs/crypto'
import type { BrowserContext, Route } from 'playwright'
import {
  createTestClient,
  hashMessage,
  http,
  keccak256,
  parseEther,
  parseGwei,
  parseSignature,
  recoverMessageAddress,
  recoverTransactionAddress,
  serializeTransaction,
  type Hex,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signLock } from '../../domain/client/heldShare.ts'
import * as Frame from '../../domain/mpc/Frame.ts'
import { recipients } from '../kit/chainNodes.ts'
import { anteHandlerTimeout, expectTakenByAnteHandler, hasAnteHandler } from '../service/anteHandlerVerdicts.ts'
import { expectSentByCosmos, expectSentBySolana } from '../service/chainSending.ts'
import { evmChainSuite } from '../service/evmChainSuite.ts'
import { asEthereum, jobDevice, type Held } from './kit/jobDevice.ts'
import { acceptWithPassword, button, createPassword, heading } from './kit/person.ts'
import { heldRecipients } from './kit/policy.ts'
import { openPlainPage, type PlainPage } from './kit/plainPage.ts'
import { development, stack } from './kit/stack.ts'
import { expectMined, expectSolanaSignature } from './kit/verify.ts'
import { chainUrl, mailedCode, newEmail, newPassword, useChromium, visit, type Visitor } from './kit/visitor.ts'

const browser = useChromium()

let visitor: Visitor
let client: PlainPage
let userId: string
const password = newPassword()
let email: string
const held: Record<string, Held> = {}

const text = (value: unknown): string => {
  if (typeof value !== 'string') throw new Error(`${JSON.stringify(value)} is no text`)
  return value
}
const base64 = (hex: string) => Buffer.from(hex.replace(/^0x/, ''), 'hex').toString('base64')
const of = (type: string) => {
  const { walletId, share } = wallet(type)
  return { share, walletId, userId }
}
const wallet = (type: string): Held => {
  const found = held[type]
  if (found === undefined) throw new Error(`no ${type} wallet was made`)
  return found
}

/** Each confirmation comes to the service, and no answer to the client. Answers what ends this. */
const losesConfirmations = async (context: BrowserContext) => {
  const lose = async (route: Route) => {
    const frame = Frame.decode(Uint8Array.from(route.request().postDataBuffer() ?? []))
    if (frame?.frame.operation !== 'CONFIRM') return route.continue()
    // Not every machine resolves names under localhost.
    const url = new URL(route.request().url())
    url.hostname = '127.0.0.1'
    await route.fetch({ url: url.href })
    return route.abort()
  }
  await context.route('**/protocol', lose)
  return () => context.unroute('**/protocol', lose)
}

beforeAll(async () => {
  visitor = await visit(browser())
  client = await openPlainPage(visitor.context)
})

afterAll(async () => {
  await client.close()
  await visitor.close()
})

describe('a client of the specification', () => {
  it('signs up: the portal’s page asks the person, because the app proves nothing', { tags: 'usual' }, async () => {
    email = newEmail()
    userId = text((await client.call('POST', '/users', { email })).userId)
    await client.call('POST', `/users/${userId}/verify-email`, { verificationCode: await mailedCode(email) })
    const { id, partnerId } = await client.call('POST', `/users/${userId}/passwords/key`, { status: 'PENDING' })
    const query = new URLSearchParams({ apiKey: development().apiKey, partnerId: text(partnerId), email })
    const portal = await visitor.context.newPage()
    await portal.goto(`${stack().portal}/web/users/${userId}/passwords/${text(id)}?${query.toString()}`)
    await button(portal, 'Yes, continue').click()
    await createPassword(portal, password)

    await expect
      .poll(() => client.call('POST', '/touch?regenerate=false'), { timeout: 30_000 })
      .toMatchObject({ isAuthenticated: true, userId })
  })

  it('makes a wallet of each type by the worker’s jobs', { tags: 'usual' }, async () => {
    const jobs = [
      ['EVM', 'KEYGEN', { userId, secretKey: null, type: 'EVM' }],
      ['COSMOS', 'KEYGEN', { userId, secretKey: null, type: 'COSMOS' }],
      ['SOLANA', 'ED25519_KEYGEN', { userId }],
    ] as const
    const made = await Promise.all(jobs.map(([, functionType, params]) => client.job(functionType, params)))
    const { wallets } = (await client.call('GET', `/users/${userId}/wallets`)) as { wallets: Record<string, unknown>[] }
    for (const [index, [type]] of jobs.entries()) {
      const { signer, walletId, recoveryShare } = made[index] ?? {}
      const listed = wallets.find(({ id }) => id === walletId)

      expect(recoveryShare).toBeNull()
      expect(listed).toMatchObject({ type, keyGenComplete: true })
      held[type] = {
        walletId: text(walletId),
        address: text(listed?.address),
        publicKey: text(listed?.publicKey),
        share: text(signer),
      }
    }
  })

  it('signs a message of EVM, as viem recovers it', { tags: 'usual' }, async () => {
    const message = 'by the specification’s jobs'
    const { signature } = await client.job('SIGN_MESSAGE', { ...of('EVM'), message: base64(hashMessage(message)) })

    expect(signature).toMatch(/^[0-9a-f]{128}0[01]$/)
    expect(await recoverMessageAddress({ message, signature: asEthereum(text(signature)) })).toBe(wallet('EVM').address)
  })

  it('signs a transaction, and has one sent, of which the chain sees the sender', async () => {
    const { address } = wallet('EVM')
    const anvil = createTestClient({ mode: 'anvil', transport: http(chainUrl()) })
    await anvil.setBalance({ address: address as Hex, value: parseEther('1') })
    const fees = { gas: 21_000n, maxFeePerGas: parseGwei('100'), maxPriorityFeePerGas: 1n }
    const transaction = {
      type: 'eip1559',
      chainId: 31_337,
      nonce: 0,
      to: `0x${'12'.repeat(20)}`,
      value: 1n,
      ...fees,
    } as const
    const asked = { ...of('EVM'), tx: base64(serializeTransaction(transaction)), chainId: '31337' }
    const signedBy = (signature: unknown) =>
      serializeTransaction(transaction, parseSignature(asEthereum(text(signature))))

    const { signature } = await client.job('SIGN_TRANSACTION', asked)
    const sent = await client.job('SEND_TRANSACTION', asked)

    expect(await recoverTransactionAddress({ serializedTransaction: signedBy(signature) })).toBe(address)
    await expectMined(keccak256(signedBy(sent.signature)), address)
  })

  it('has what the policy holds reviewed on the portal’s page: accepted it is signed, denied it is gone', async () => {
    const { address } = wallet('EVM')
    const transaction = {
      type: 'eip1559',
      chainId: 31_337,
      nonce: 2,
      to: heldRecipients.user,
      value: parseEther('0.0042'),
      gas: 21_000n,
      maxFeePerGas: 1n,
    } as const
    const asked = { ...of('EVM'), tx: base64(serializeTransaction(transaction)), chainId: '31337' }
    const held = async () => text((await client.job('SIGN_TRANSACTION', asked)).pendingTransactionId)
    const pending = (id: string) => client.call('GET', `/users/${userId}/pending-transactions/${id}`)
    const review = async (id: string) => {
      const query = new URLSearchParams({ apiKey: development().apiKey, email, timeoutMs: '30000' })
      const portal = await visitor.context.newPage()
      await portal.goto(`${stack().portal}/web/users/${userId}/transaction-review/${id}?${query.toString()}`)
      await button(portal, 'Yes, continue').click()
      await heading(portal, 'Send this?')
      await portal.getByText('0.0042 ETH').waitFor()
      return portal
    }

    const id = await held()
    expect(await held()).toBe(id)
    expect(await pending(id)).toMatchObject({ id, status: 'PENDING' })
    await acceptWithPassword(await review(id), password)
    await expect.poll(() => pending(id)).toMatchObject({ id, status: 'ACCEPTED' })
    const { signature } = await client.job('SIGN_TRANSACTION', asked)
    const serializedTransaction = serializeTransaction(transaction, parseSignature(asEthereum(text(signature))))
    expect(await recoverTransactionAddress({ serializedTransaction })).toBe(address)

    const denied = await held()
    expect(denied).not.toBe(id)
    await button(await review(denied), 'Deny').click()
    await expect.poll(() => pending(denied).catch(String)).toContain('404')
    // The same payment is asked for anew: nothing was signed by the denial.
    expect(await held()).not.toBe(denied)
  })

  it('signs a document of Cosmos, as cosmjs verifies it', { tags: 'usual' }, async () => {
    const document = serializeSignDoc({
      chain_id: 'cosmoshub-4',
      account_number: '7',
      sequence: '0',
      fee: { amount: [], gas: '200000' },
      msgs: [{ type: 'cosmos-sdk/MsgSend', value: { from_address: wallet('COSMOS').address } }],
      memo: '',
    })
    const digest = createHash('sha256').update(document).digest()
    const cosmosSignDoc = Buffer.from(document).toString('base64')
    const asked = { ...of('COSMOS'), message: digest.toString('base64'), cosmosSignDoc }
    const { signature } = await client.job('SIGN_MESSAGE', asked)
    const pubkey = encodeSecp256k1Pubkey(Buffer.from(wallet('COSMOS').publicKey.replace(/^0x/, ''), 'hex'))
    const made = { pub_key: pubkey, signature: base64(text(signature).slice(0, 128)) }
    const read = decodeSignature(made)

    expect(pubkeyToAddress(pubkey, 'cosmos')).toBe(wallet('COSMOS').address)
    expect(Secp256k1.verifySignature(Secp256k1Signature.fromFixedLength(read.signature), digest, read.pubkey)).toBe(
      true,
    )
  })

  it('signs bytes for Solana, as OpenSSL verifies them', { tags: 'usual' }, async () => {
    const message = 'by the specification’s jobs'
    const base64Bytes = Buffer.from(message).toString('base64')
    const { signature } = await client.job('ED25519_SIGN', { ...of('SOLANA'), base64Bytes })

    expectSolanaSignature(wallet('SOLANA').address, message, Buffer.from(text(signature), 'base64'))
  })

  describe('has each kind of signature taken by its chain', () => {
    const device = jobDevice(
      { job: (...asked) => client.job(...asked) },
      () => userId,
      wallet,
      () => stack().nodes,
    )
    const listed = (type: string) => ({ ...wallet(type), id: wallet(type).walletId, type })

    describe('by the local EVM chain', () => {
      evmChainSuite(() => ({ device, address: wallet('EVM').address, url: chainUrl() }))
    })

    it.each(['legacy', 'version 0', 'version 0, recipient in a lookup table'] as const)(
      'by the runtime of Solana: %s',
      (form) => expectSentBySolana(device, listed('SOLANA'), stack().nodes.solana, { form, to: recipients[1] }),
    )

    it('by cosmjs, which reads a direct document', () =>
      expectSentByCosmos(device, listed('COSMOS'), stack().nodes.cosmos))

    it.skipIf(!hasAnteHandler)(
      'by the ante handler of the Cosmos SDK, directly and as amino JSON (which needs Go and its modules)',
      { timeout: anteHandlerTimeout },
      () => expectTakenByAnteHandler(device, listed('COSMOS')),
    )
  })

  const renewed = base64(hashMessage('renewed'))
  const signs = async () => {
    const { signature } = await client.job('SIGN_MESSAGE', { ...of('EVM'), message: renewed })
    const signer = await recoverMessageAddress({ message: 'renewed', signature: asEthereum(text(signature)) })
    return signer === wallet('EVM').address
  }
  const refresh = async () => {
    const { signer, protocolId } = await client.job('REFRESH', of('EVM'))
    const path = `/users/${userId}/wallets/${wallet('EVM').walletId}/refresh-done?protocolId=${text(protocolId)}`
    expect(await client.call('GET', path)).toEqual({ isDone: true })
    return text(signer)
  }
  /** Whether the browser keeps a refreshed share for the client. */
  const keeps = () =>
    client.page.evaluate(async () => {
      const opened = indexedDB.open('tandem/sealed')
      await new Promise((resolve) => opened.addEventListener('success', resolve))
      if (!opened.result.objectStoreNames.contains('values')) return false
      const keys = opened.result.transaction('values').objectStore('values').getAllKeys()
      await new Promise((resolve) => keys.addEventListener('success', resolve))
      opened.result.close()
      return keys.result.some((key) => typeof key === 'string' && key.startsWith('refreshed/'))
    })

  it('refreshes a share, and signs with the new one', async () => {
    const before = wallet('EVM')
    held['EVM'] = { ...before, share: await refresh() }

    expect(await signs()).toBe(true)
    const old = client.job('SIGN_MESSAGE', { ...of('EVM'), share: before.share, message: renewed })
    await expect(old).rejects.toThrow('key share is out of date, log in again')
    expect(await keeps()).toBe(false)
  })

  it('has the new share from the next worker where the answer to its confirmation was lost', async () => {
    const unconfirm = await losesConfirmations(visitor.context)
    await expect(client.job('REFRESH', of('EVM'))).rejects.toThrow('worker error')
    await unconfirm()

    expect(await keeps()).toBe(true)
    expect(await signs()).toBe(true)
    const share = await refresh()
    expect(share).not.toBe(wallet('EVM').share)
    held['EVM'] = { ...wallet('EVM'), share }
    expect(await signs()).toBe(true)
    expect(await keeps()).toBe(false)
  })

  it('waits for what another document of its origin signs with the wallet', async () => {
    const name = signLock(wallet('EVM').walletId)
    const release = await client.page.evaluateHandle(
      (lock) =>
        new Promise<() => void>((held) => {
          void navigator.locks.request(lock, () => new Promise<void>((over) => held(() => over())))
        }).then((release) => ({ release })),
      name,
    )
    const signed = signs()
    const waiting = () =>
      client.page.evaluate(
        async (lock) => (await navigator.locks.query()).pending?.some((one) => one.name === lock),
        name,
      )
    await expect.poll(waiting).toBe(true)
    await release.evaluate(({ release }) => release())

    expect(await signed).toBe(true)
  })

  it('is told by the worker’s error event, in the catalogue’s words, what there is not', async () => {
    const pregen = { pregenIdentifier: 'ada@example.com', pregenIdentifierType: 'EMAIL' }
    const refused = [
      ['PREKEYGEN', pregen, 'not implemented'],
      ['ED25519_PREKEYGEN', pregen, 'not implemented'],
      ['GET_PRIVATE_KEY', of('SOLANA'), 'invalid wallet scheme'],
      ['GET_PRIVATE_KEY', of('EVM'), 'a step-up is required'],
      ['SIGN_MESSAGE', { ...of('EVM'), message: '%' }, 'payload is not supported'],
      ['SIGN_MESSAGE', { ...of('SOLANA'), message: 'AAAA' }, 'invalid wallet params'],
      ['SIGN_MESSAGE', {}, 'invalid wallet params'],
      ['MINT', {}, 'functionType: MINT not supported'],
    ] as const

    for (const [functionType, params, sentence] of refused) {
      await expect(client.job(functionType, params)).rejects.toThrow(sentence)
    }
  })
})
