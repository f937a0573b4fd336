/** What counts by user counts at each partner by itself: no partner's page or server takes a user's rates at another. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { SigningRequest } from '../../../domain/mpc/SigningRequest.ts'
import { defaultRates } from '../../../domain/service/rates.ts'
import { refreshKeys } from '../../../domain/service/refreshes.ts'
import { sendTransaction } from '../../../domain/service/signing.ts'
import {
  makePartner,
  makeUser,
  signIn,
  startWorld,
  value,
  type SignedIn,
  type TestUser,
  type World,
} from '../../kit/cosignerWorld.ts'
import { keyOf, type WalletKey } from '../../kit/device.ts'

const few = { burst: 4, perMs: 24 * 60 * 60_000 }
const hello: SigningRequest = { kind: 'eip191', message: Buffer.from('hello').toString('hex') }

let world: World
let user: TestUser

beforeAll(async () => {
  world = await startWorld({ configuration: { rates: { ...defaultRates, R4: few, R4_SIGN: few, R4_WALLETS: few } } })
  user = await makeUser(world)
})

afterAll(() => world.stop())

const atPartner = async () => {
  const host = await signIn(world, user, await makePartner(world))
  const wallet = { ...value(await host.createWallet({ type: 'EVM' })), scheme: 'DKLS' } as const
  return { host, wallet, key: keyOf(await host.device.keygen(wallet, user.rootPublicKey)) }
}

const ofNoRun = ({ device, sessionId }: SignedIn, { share }: WalletKey, operation: 'ACK' | 'REATTACH' | 'REISSUE') => {
  const { scheme, walletId, epoch, shareId } = share
  const of = { protocolId: randomUUID(), sessionId, scheme, walletId, epoch, shareId }
  const rest = { step: 1, attempt: new Uint8Array(16), deviceKeyThumb: device.deviceKeyThumb, body: new Uint8Array(0) }
  return device.send(device.signFrame({ operation, ...of, ...rest }))
}

/** Takes one from the bucket, whether or not what is asked for is refused otherwise. */
const takings = ({
  host,
  wallet,
  key,
}: Awaited<ReturnType<typeof atPartner>>): Record<string, () => Promise<object>> => ({
  wallets: () => host.createWallet({ type: 'EVM', known: 0 }),
  keygen: () => host.device.keygen({ ...wallet, protocolId: randomUUID() }, user.rootPublicKey),
  sign: () => host.device.sign(key, hello),
  attach: () => host.device.attach(key.share),
  refreshes: () => host.as({}, refreshKeys(user.userId, key.walletId)),
  refresh: () => host.device.refresh(key.share, randomUUID()),
  status: () => ofNoRun(host, key, 'ACK'),
  reattach: () => ofNoRun(host, key, 'REATTACH'),
  reissue: () => ofNoRun(host, key, 'REISSUE'),
  sending: () =>
    host.as(
      {},
      sendTransaction(user.userId, key.walletId, {
        transaction: '',
        chainId: 'solana:devnet',
        protocolId: randomUUID(),
      }),
    ),
})

it('leaves a user who used up everything at one partner all of it at another', async () => {
  const [hostile, shop] = [await atPartner(), await atPartner()]
  const tooMany = { kind: 'refused', tag: 'TooManyAttempts' }
  for (const [bucket, take] of Object.entries(takings(hostile))) {
    let [taken, outcome] = [0, await take()]
    while (++taken <= few.burst && !('tag' in outcome && outcome.tag === tooMany.tag)) outcome = await take()
    expect([bucket, outcome]).toMatchObject([bucket, tooMany])
  }

  const { host, key } = shop
  value(await host.createWallet({ type: 'SOLANA' }))
  expect(await host.device.sign(key, hello)).toMatchObject({ kind: 'done' })
  expect(await host.device.attach(key.share)).toMatchObject({ kind: 'done' })
  const { protocolId } = value(await host.as({}, refreshKeys(user.userId, key.walletId)))
  const fresh = keyOf(await host.device.refresh(key.share, protocolId))
  expect(await host.device.sign(fresh, hello)).toMatchObject({ kind: 'done' })
  for (const [bucket, take] of Object.entries(takings({ ...shop, key: fresh }))) {
    expect([bucket, await take()]).not.toMatchObject([bucket, tooMany])
  }
})
