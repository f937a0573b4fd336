/**
 * The main job without a browser, against the running stack: one user, two devices, three wallets. Ends with 0 only when
 * every signature was verified by two independent implementations.
 */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Hex } from 'viem'
import { PasswordHashWorker } from '../../adapters/browser/PasswordHashWorker.ts'
import { Para, type MessageSignature, type ParaOptions } from '../../adapters/browser/sdk.ts'
import { accountSetup } from '../../domain/model/Events.ts'
import { truncate } from '../../domain/model/Address.ts'
import type { Hosts } from '../../domain/model/Environment.ts'
import type { Wallet } from '../../domain/model/Wallet.ts'
import { portalPlayer } from '../kit/portalPlayer.ts'
import { localChain } from './chain.ts'
import { meter } from './meter.ts'
import { verifyCosmos, verifyEvmMessage, verifySolana } from './verify.ts'

type Development = {
  readonly apiKey: string
  readonly addresses: Hosts & { readonly admin: string; readonly example: string; readonly chain?: string }
}

/** What `npm start` wrote; a relative folder is one of this checkout, as it is for the stack. */
const readDevelopment = (): Development => {
  try {
    const folder = resolve(import.meta.dirname, '../..', process.env['DATA_FOLDER'] ?? '.tandem')
    return JSON.parse(readFileSync(resolve(folder, 'dev.json'), 'utf8')) as Development
  } catch {
    console.error('There is no running stack: start it with `npm start` first.')
    return process.exit(1)
  }
}

const { apiKey, addresses } = readDevelopment()
const hosts: Hosts = { ...addresses, oauth: addresses.api }
const email = `ada+${Date.now().toString(36)}@example.com`
const password = `${crypto.randomUUID()} correct horse`
const message = 'Tandem smoke: two parties, one signature'

/** The SDK with a person in front of the portal's pages, who knows the password. */
class Device extends Para {
  protected override readonly popups = portalPlayer({
    environment: 'DEV',
    hosts,
    hostOrigin: addresses.example,
    password,
    passwordHash: PasswordHashWorker,
  })

  constructor(options: ParaOptions = {}) {
    super('DEV', apiKey, { hosts, origin: addresses.example, ...options })
  }
}

const steps = meter()

const mailedCode = async (): Promise<string> => {
  for (let tries = 0; tries < 50; tries++) {
    const answer = await fetch(`${addresses.admin}/dev/mailbox?to=${encodeURIComponent(email)}`)
    const { messages } = (await answer.json()) as { readonly messages: readonly { readonly code: string | null }[] }
    const code = messages.at(-1)?.code
    if (typeof code === 'string') return code
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('no code came by mail')
}

const demand = (condition: boolean, sentence: string) => {
  if (!condition) throw new Error(sentence)
}

const walletOf = (wallets: readonly Wallet[], type: Wallet['type']): Wallet & { readonly address: string } => {
  const wallet = wallets.find((candidate) => candidate.type === type)
  if (!wallet?.address) throw new Error(`there is no ${String(type)} wallet with an address`)
  return { ...wallet, address: wallet.address }
}

/** Each check is done by two implementations that share no code. */
const verify = async (wallet: Wallet, signed: MessageSignature) => {
  const verdicts = await (wallet.type === 'SOLANA'
    ? verifySolana(signed, message)
    : wallet.type === 'COSMOS'
      ? verifyCosmos(signed, message, wallet.publicKey ?? '')
      : verifyEvmMessage(signed, message, chain))
  for (const [by, verdict] of Object.entries(verdicts)) {
    demand(verdict, `${by} does not accept the ${String(wallet.type)} signature`)
  }
  return Object.keys(verdicts)
}

const signAll = async (device: Para, wallets: readonly Wallet[], name: string) => {
  for (const type of ['EVM', 'SOLANA', 'COSMOS'] as const) {
    const wallet = walletOf(wallets, type)
    const signed = await steps.measure(`${name} sign ${type} message`, () =>
      device.signMessage({ walletId: wallet.id, message }),
    )
    steps.note(`verified by ${(await verify(wallet, signed)).join(' and ')}`)
  }
}

const chain = await localChain(addresses.chain)
const first = new Device()
first.on(accountSetup, ({ data }) => {
  demand((data as { recoverySecret: string | null }).recoverySecret !== null, 'no recovery secret was given')
})

await steps.measure('1 sign up', () => first.createUser({ email }))
const code = await steps.measure('1 read the mailed code', mailedCode)
await steps.measure('1 verify the code', () => first.verifyEmail(code))
const { walletIds } = await steps.measure('1 password, 3 wallets, backups', () => first.setUpPassword())
demand(walletIds.length === 3, `${walletIds.length} wallets were made instead of 3`)

const wallets = await steps.measure('1 list wallets', () => first.getWallets())
await signAll(first, wallets, '1')

const evm = walletOf(wallets, 'EVM')
const funded = evm.address as Hex
await steps.measure('  faucet pays 1 ETH', () => chain.fund(funded))
const transaction = await chain.transfer(funded)
const signature = await steps.measure('1 sign EVM transaction', () =>
  first.signTransaction({ walletId: evm.id, transaction: transaction.serialized, chainId: chain.id }),
)
demand((await transaction.recover(signature)) === funded, 'viem recovers another sender')
const mined = await steps.measure('  mine it', () => transaction.submit(signature))
demand(mined === funded, 'the chain saw another sender')
steps.note('verified by viem and the chain')

const second = new Device()
const loggedIn = await steps.measure('2 log in', () => second.login({ email }))
demand(loggedIn.missing.length === 0, 'a wallet has no backup')
const same = await steps.measure('2 list wallets', () => second.getWallets())
for (const wallet of wallets) {
  demand(
    same.some(({ address }) => address === wallet.address),
    `the second device lacks ${String(wallet.address)}`,
  )
}
await signAll(second, same, '2')

const sent = await chain.transfer(funded)
const { transactionHash, ...sentSignature } = await steps.measure('2 send EVM transaction', () =>
  second.sendTransaction({ walletId: evm.id, transaction: sent.serialized, chainId: chain.id }),
)
demand((await sent.recover(sentSignature)) === funded, 'viem recovers another sender')
demand(
  (await steps.measure('  wait for its receipt', () => chain.sender(transactionHash))) === funded,
  'another sender',
)
steps.note('verified by viem and the chain')

await steps.measure('1 log out', () => first.logout())
await steps.measure('2 sign after 1 logged out', () => second.signMessage({ message }))
await first.dispose()
await second.dispose()

steps.print()
console.log(`\n${wallets.map(({ type, address }) => `${String(type)} ${truncate(address ?? '')}`).join('   ')}`)
console.log('\nThe same addresses on both devices; every signature was verified by two independent implementations.')
process.exit(0)
