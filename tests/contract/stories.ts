/** People of every kind at a real service, with every request that it granted, against which the contract is tested. */
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { p256 } from '@noble/curves/nist.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Redacted from 'effect/Redacted'
import { serializeTransaction } from 'viem'
import { Listeners } from '../../adapters/browser/Listeners.ts'
import { makeRuntime, settingsOf } from '../../adapters/browser/runtime.ts'
import { deliverShares } from '../../domain/client/portal/deliverShares.ts'
import { openWithPassword } from '../../domain/client/portal/loginWithPassword.ts'
import { returnFromPortal } from '../../domain/client/portalReturn.ts'
import { Api } from '../../domain/client/ports/Api.ts'
import { Popup } from '../../domain/client/ports/Popup.ts'
import * as DeviceKey from '../../domain/crypto/DeviceKey.ts'
import { staticFiles } from '../../domain/model/PortalFiles.ts'
import { applyPolicy } from '../../domain/service/policies.ts'
import { operations, type Operation, type OperationId } from '../../generated/operations.ts'
import { openPage } from '../kit/pageFlows.ts'
import { makePasskeyDevice } from '../kit/passkeyDevice.ts'
import { personWhoLeaves, type Play } from '../kit/portalPlayer.ts'
import { connect, openRecovery, recover } from '../kit/recoverer.ts'
import type { TestService } from '../kit/service.ts'
import {
  Device,
  hostsOf,
  logIn,
  mailedCode,
  makeStorage,
  newEmail,
  newPassword,
  portal,
  shop,
  signUp,
  signUpWithoutWallets,
  type Person,
} from '../service/people.ts'
import { startProxy, type Passing, type Proxy, type Reply } from '../service/proxy.ts'
import { ask, heldBy, success, type Client, type Held } from '../service/wire.ts'
import { operationIds } from './Contract.ts'

/** A request of a real client that the service granted. */
export type Granted = { readonly id: OperationId; readonly request: Passing; readonly reply: Reply }

export type World = Pick<TestService, 'addresses' | 'partner' | 'mailbox' | 'run'>

const roles = ['api', 'cosigner', 'portal'] as const

export type StoryOptions = {
  /** The stories that are played; all unless some are named. */
  readonly stories?: readonly StoryName[]
  /** What becomes of a request on its way to the API. */
  readonly handle?: (id: OperationId, request: Passing, pass: () => Promise<Reply>) => Promise<Reply>
}

/** Plays the stories at the same time, and returns the granted requests. */
export const liveStories = async (
  service: TestService,
  { stories = storyNames, handle }: StoryOptions = {},
): Promise<readonly Granted[]> => {
  const proxies = await Promise.all(roles.map((role) => startProxy(service.addresses[role])))
  const [api] = proxies
  if (handle !== undefined && api !== undefined) {
    api.handle = (request, pass) =>
      request.method === 'OPTIONS' ? pass() : handle(operationAt('api', request), request, pass)
  }
  const through = Object.fromEntries(proxies.map(({ address }, index) => [roles[index], address]))
  const world: World = {
    mailbox: service.mailbox,
    partner: service.partner,
    run: service.run,
    addresses: { ...service.addresses, ...through },
  }
  try {
    const lived = await Promise.allSettled(stories.map((name) => lives[name](world)))
    const failures = lived.flatMap((story) => (story.status === 'rejected' ? [story.reason as unknown] : []))
    if (failures.length > 0) throw new AggregateError(failures, 'a story did not come to its end')
    return proxies.flatMap((proxy, index) => grantedAt(proxy, roles[index]))
  } finally {
    await Promise.all(proxies.map(({ stop }) => stop()))
  }
}

/** The requests that were granted through a proxy in front of this listener. */
const grantedAt = ({ seen }: Proxy, role: string | undefined): readonly Granted[] =>
  seen
    .filter(({ request, reply }) => request.method !== 'OPTIONS' && reply.status >= 200 && reply.status < 300)
    .map(({ request, reply }) => ({ id: operationAt(role, request), request, reply }))

/** Where two paths fit, the one with more words of its own is meant. */
const operationAt = (role: string | undefined, { method, target }: Passing): OperationId => {
  const segments = target.replace(/\?.*$/, '').split('/')
  const fits = (own: readonly string[]) =>
    own.length === segments.length && own.every((one, index) => one.startsWith('{') || one === segments[index])
  const wordsOf = (id: OperationId) => operations[id].path.split('/').filter((one) => !one.startsWith('{')).length
  const [found] = operationIds
    .filter((id) => {
      const operation: Operation = operations[id]
      return operation.listener === role && operation.method === method && fits(operation.path.split('/'))
    })
    .sort((one, other) => wordsOf(other) - wordsOf(one))
  if (found === undefined) throw new Error(`${method} ${target} is no operation of the contract`)
  return found
}

const asker = (client: Client) => ({
  get: async (path: string) => success(await ask(client, 'GET', path)),
  post: async (path: string, body?: unknown) => success(await ask(client, 'POST', path, body)),
})

/** A page of the shop without a signed-in user. */
const stranger = ({ addresses, partner }: World): Client => ({
  base: addresses.api,
  apiKey: partner.apiKey,
  origin: shop,
})

/** Signs up with a password, asks for signatures and exports, logs in elsewhere, in a window and by redirect, and leaves. */
const withPassword = async (world: World): Promise<void> => {
  const types = { EVM: true } as const
  const ada = await signUp(world, { types })
  const { device, userId, email, password } = ada
  const walletId = ada.walletIds[0] ?? ''
  await device.checkUserExists({ email })
  await device.getSupportedAuthMethods({ email })
  if ((await device.exportPrivateKey({ walletId })) !== 'accepted') throw new Error('nothing was exported')

  const held = await heldBy(world, device)
  const { get, post } = asker(held.client)
  const [user, wallet] = [`/users/${userId}`, `/users/${userId}/wallets/${walletId}`]
  await get(user)
  await get(`${user}/wallets?includePartnerData=true`)
  await get(`/sessions/${held.lookupId}/origin`)
  await get(`${wallet}/key-shares?type=USER&encryptor=PASSWORD`)
  await post(`${wallet}/key-shares`, { keyShares: [] })
  const unsigned = serializeTransaction({
    type: 'eip1559',
    chainId: 1,
    nonce: 7,
    gas: 21_000n,
    maxFeePerGas: 9n,
    to: `0x${'ad'.repeat(20)}`,
  })
  const transaction = Buffer.from(unsigned.slice(2), 'hex').toString('base64')
  for (const what of ['sign', 'send']) {
    await post(`${wallet}/transactions/${what}`, { transaction, chainId: '1', protocolId: randomUUID() })
  }

  await delegating(world, held)

  const shopsServer = asker({ base: world.addresses.api, apiKey: world.partner.secretKey })
  await shopsServer.get('/.well-known/jwks.json')
  await shopsServer.get('/cosigner-keys')
  await shopsServer.post('/sessions/verify', { token: await device.getToken() })

  const phone = await logIn(world, ada, { types, play: lookingAround(ada) })
  if (!(await phone.keepSessionAlive())) throw new Error('the session was not kept alive')
  await phone.cancelRecovery()
  await phone.logout()
  await logInByRedirect(world, { email, password })
  await Promise.all([device.dispose(), phone.dispose()])
}

/** The device hands a session to a server, which asks who it is and leaves; another one is ended by the device. */
const delegating = async (world: World, held: Held) => {
  const { get, post } = asker(held.client)
  const { userId, partnerId, sessionId } = held
  const target = `/users/${userId}/delegations`
  const make = async () => {
    const devicePublicKey = p256.getPublicKey(p256.utils.randomSecretKey(), false)
    const issuedAt = Date.now()
    const told = { scope: 'SIGN', issuedAt, expiresAt: issuedAt + 60_000 }
    const message = DeviceKey.delegationMessage({ userId, partnerId, sessionId, devicePublicKey, ...told })
    const signature = bytesToHex(held.protocol.signBytes(message))
    return await post(target, { devicePublicKey: bytesToHex(devicePublicKey), signature, ...told })
  }
  const [{ token }, { delegationId }] = [await make(), await make()]
  const server = asker({ base: world.addresses.api, apiKey: world.partner.apiKey, token: String(token) })
  await server.post('/touch?regenerate=false')
  await server.get(`/users/${userId}/wallets`)
  await get(target)
  success(await ask(held.client, 'DELETE', `${target}/${String(delegationId)}`))
  await server.get('/logout')
}

/** Logs in, and makes the calls that only a page with a token may make. */
const lookingAround = ({ email, password, userId }: Person): Play =>
  Effect.gen(function* () {
    const begun = yield* openPage()
    if (begun.kind !== 'entered') return
    const { portalSession } = begun
    const opened = yield* openWithPassword(portalSession, Redacted.make(password))
    const api = yield* Api
    const { passwords } = yield* api.call('listPasswords', { query: { email } })
    yield* api.call('getEncryptedWalletPrivateKey', { query: { passwordId: passwords[0]?.id ?? '' } })
    const { openingId, openingSecret } = portalSession
    yield* api.call('listAllWallets', { path: { userId } })
    yield* api.call('beatOpening', { path: { openingId }, body: { openingSecret } })
    yield* deliverShares(portalSession, opened)
  })

/** The page has no opener: it goes to the shop's address, where another document of the same browser receives it. */
const logInByRedirect = async (world: World, person: { readonly email: string; readonly password: string }) => {
  const storage = makeStorage()
  const hosts = hostsOf(world.addresses)
  const returns = (url: string) =>
    Effect.promise(async () => {
      const settings = settingsOf('DEV', world.partner.apiKey, { hosts, origin: shop })
      const noWindows = Layer.mock(Popup, {})
      const runtime = makeRuntime(settings, { storage: storage.override, logLevel: 'None' }, new Listeners(), noWindows)
      const outcome = await runtime.runPromise(returnFromPortal(url))
      await runtime.dispose()
      if (outcome !== 'taken') throw new Error(`what came back was not taken: ${outcome}`)
    })
  const device = await logIn(world, person, { storage, returns })
  await device.logout()
  await device.dispose()
}

/** Signs up and logs in with a passkey, signs and refreshes, and proves the passkey to the app's own page. */
const withPasskey = async (world: World): Promise<void> => {
  const passkeys = makePasskeyDevice()
  const options = { passkeys, types: { SOLANA: true } } as const
  const eve = await signUp(world, options)
  const phone = await logIn(world, eve, options)
  const message = 'two parties, one signature'
  const [walletId = ''] = eve.walletIds
  await phone.signMessage({ walletId, message })
  await phone.refreshKeys({ walletId: walletId })

  const { get, post } = asker((await heldBy(world, eve.device)).client)
  const own = `/users/${eve.userId}/biometrics`
  const { keys } = (await get(`${own}/keys`)) as { readonly keys: readonly { readonly id: string }[] }
  await get(`${own}/${keys[0]?.id ?? ''}`)
  const { challenge } = await get(`${own}/challenge`)
  const ceremony = { challenge: Buffer.from(String(challenge), 'base64'), origin: portal, rpId: 'localhost' }
  await post(`${own}/verify`, passkeys.kept[0]?.authenticator.get(ceremony))
  const wallet = `/users/${eve.userId}/wallets/${walletId}`
  await get(`${wallet}/refresh-done`)
  await post(`${wallet}/messages/sign`, {
    message: Buffer.from(message).toString('base64'),
    scheme: 'ED25519',
    protocolId: randomUUID(),
  })
  await get(`/users/${eve.userId}/encrypted-wallet-private-keys/${'00'.repeat(32)}`)
  await asker(stranger(world)).get(`/biometrics/location-hints?email=${encodeURIComponent(eve.email)}`)
  await Promise.all([eve.device.dispose(), phone.dispose()])
}

/** Lets the app hold payments of one amount: one is accepted by its user and the partner, and one is denied. */
const withReviews = async (world: World): Promise<void> => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const when = { payload: { is: 'evm.transaction' }, value: { is: '12345' } }
  await world.run(
    applyPolicy(world.partner.partnerId, {
      tandem: 'policy/1',
      default: 'allow',
      rules: [
        { id: 'bare', effect: 'allow', when: { payload: { is: 'blind' } } },
        { id: 'payments', effect: 'review', when, review: { by: 'both', stepUp: false } },
      ],
      approver: publicKey.export({ format: 'jwk' }),
    }),
  )
  const { device, userId, walletIds } = await signUp(world, { types: { EVM: true } })
  const held = await heldBy(world, device)
  const { get, post } = asker(held.client)
  const page: Client = { ...stranger(world), origin: portal }
  const holdPayment = async (nonce: number) => {
    const unsigned = serializeTransaction({ chainId: 1, nonce, maxFeePerGas: 9n, gas: 21_000n, value: 12_345n })
    const body = { transaction: Buffer.from(unsigned.slice(2), 'hex').toString('base64'), chainId: '1' }
    const path = `/users/${userId}/wallets/${walletIds[0] ?? ''}/transactions/sign`
    const { pendingTransactionId: record } = await post(path, { ...body, protocolId: randomUUID() })
    const of = `/users/${userId}/pending-transactions/${String(record)}`
    const { sessionId } = held
    const { openingId, openingSecret } = await asker(page).post('/openings', { page: 'review', record, sessionId })
    const { ticket } = await post(`/openings/${String(openingId)}/ticket`, { page: 'review', record })
    const { token } = await ask(page, 'POST', `/openings/${String(openingId)}/token`, { openingSecret, ticket })
    return { of, pending: await get(of), opened: { ...page, token: token ?? undefined } }
  }

  const { of, pending, opened } = await holdPayment(1)
  await asker(opened).post(`${of}/accept`, { contentHash: pending['contentHash'] })
  const decision = { id: pending['id'], contentHash: pending['contentHash'], decision: 'accept' }
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${part({ alg: 'EdDSA' })}.${part({ ...decision, exp: Math.floor(Date.now() / 1000) + 60 })}`
  const jws = `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`
  const shopsServer = asker({ base: world.addresses.api, apiKey: world.partner.secretKey })
  await shopsServer.get(`/pending-transactions/${String(pending['id'])}`)
  await shopsServer.post(`/pending-transactions/${String(pending['id'])}/decision`, { jws })

  const other = await holdPayment(2)
  success(await ask(other.opened, 'DELETE', other.of))
  await device.dispose()
}

/** Loses the password, and comes back with the secret of the sign-up; or without one, where nothing needs it yet. */
const withRecovery = async (world: World): Promise<void> => {
  const { device, email, recoverySecret } = await signUp(world, { types: { SOLANA: true } })
  const client = { ...stranger(world), origin: connect }
  const { token } = await ask(client, 'POST', '/touch?regenerate=false')
  const begun = asker({ ...client, token: token ?? '' })
  await begun.post('/recovery', { email })
  await begun.post('/recovery/verification', { email, verificationCode: await mailedCode(world, email) })
  const page = await recover(world, { email, recoverySecret, password: newPassword() })
  await Promise.all([device.dispose(), page.close()])

  const early = newEmail('joan')
  await signUpWithoutWallets(world, early)
  const empty = openRecovery(world, { email: early, password: newPassword() })
  await empty.until('email')
  await empty.submitEmail(early)
  await empty.until('code')
  await empty.submitCode(await mailedCode(world, early))
  await empty.until('credential')
  void empty.setUp('PASSWORD')
  await empty.until('secret-made')
  await empty.close()
}

/** Calls without an account, and flows that a person may begin and leave. */
const withoutAccount = async (world: World): Promise<void> => {
  const { addresses, partner } = world
  for (const file of staticFiles) {
    const { status } = await ask({ base: addresses.portal }, 'GET', `/static/js/${file}`)
    if (status !== 200) throw new Error(`${file} was not served`)
  }
  const anyone = asker(stranger(world))
  const { id } = await anyone.post('/temporary-transmissions', { message: 'c0ffee' })
  await asker({ base: addresses.api, origin: portal }).get(`/temporary-transmissions/${String(id)}`)
  await anyone.post('/errors/sdk', {
    methodName: 'signMessage',
    sdkType: 'WEB',
    error: { name: 'Error', message: 'm' },
  })
  const shopsServer = asker({ base: addresses.api, apiKey: partner.secretKey })
  await shopsServer.get('/wallets/pregen?ids[EMAIL][0]=ada%40example.org')

  const email = newEmail('joan')
  const device = new Device({ apiKey: partner.apiKey, addresses, play: personWhoLeaves })
  await device.createUser({ email })
  await device.resendVerificationCode()
  await device.verifyEmail(await mailedCode(world, email))
  const words = await device.setUpPassword().then(
    () => 'it was set up',
    (error: unknown) => String(error),
  )
  if (!words.includes('exitted login')) throw new Error(`the page was not left: ${words}`)
  await device.dispose()
}

const lives = { withPassword, withPasskey, withReviews, withRecovery, withoutAccount }

export type StoryName = keyof typeof lives
const storyNames: readonly StoryName[] = [
  'withPassword',
  'withPasskey',
  'withReviews',
  'withRecovery',
  'withoutAccount',
]
