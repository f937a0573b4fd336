/** How many statements a call takes, exactly: an additional one is seen here before it is felt. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { countedQueries } from '../kit/countedQueries.ts'
import { anyDatabase } from '../kit/database.ts'
import { startService, type TestService } from '../kit/service.ts'
import { logIn, shop, signUp, type Device, type Person } from './people.ts'
import { ask, heldBy, success, type Held } from './wire.ts'

const queries = countedQueries(anyDatabase())
let service: TestService
let ada: Person
let held: Held
let walletIds: { readonly evm: string; readonly solana: string }

beforeAll(async () => {
  service = await startService({ database: queries.layer })
  ada = await signUp(service, { types: { EVM: true, SOLANA: true, COSMOS: { optional: true } } })
  held = await heldBy(service, ada.device)
  const wallets = await ada.device.getWallets()
  const idOf = (type: string) => wallets.find((wallet) => wallet.type === type)?.id ?? ''
  walletIds = { evm: idOf('EVM'), solana: idOf('SOLANA') }
})

afterAll(() => service.stop())

/** But for partners, which are read when five seconds are over, whatever is called (adapters/service/database/Partners.ts). */
const countOf = async (call: () => Promise<unknown>): Promise<number> =>
  (await queries.during(call)).filter((sql) => !sql.includes('from "partners"')).length

const touch = (client: Held['client']) => ask(client, 'POST', '/touch?regenerate=false')

it('touch reads the session, with the user of one that is signed in', async () => {
  const { token } = await touch({ base: service.addresses.api, apiKey: service.partner.apiKey, origin: shop })
  const fresh = { ...held.tokenAlone, token: token ?? '' }

  expect(await countOf(async () => success(await touch(fresh)))).toBe(1)
  expect(await countOf(async () => success(await touch(held.client)))).toBe(1)
})

it('a list of wallets reads the session, the wallets, and which of them have backups', async () => {
  const list = () => ask(held.client, 'GET', `/users/${held.userId}/wallets`)
  expect(await countOf(async () => success(await list()))).toBe(3)
})

it('a key that the service does not know is looked for each time, together with its partner', async () => {
  const stranger = { ...held.client, apiKey: `pk_${randomUUID()}`, token: undefined }
  expect(await queries.during(() => touch(stranger))).toHaveLength(1)
})

const sign = (device: Device, walletId: string) => () => device.signMessage({ walletId, message: 'counted' })

it('a signature takes two transactions a request', async () => {
  expect(await countOf(sign(ada.device, walletIds.solana))).toBe(10)
  expect(await countOf(sign(ada.device, walletIds.evm))).toBe(19)
})

it('a login and the first signature after it, which enrols the device', async () => {
  const devices: Device[] = []
  const login = await queries.during(async () => devices.push(await logIn(service, ada)))
  // How often the host asks whether the page is done depends on the time: each is one read of its caller.
  const beside = login.filter((sql) => !sql.includes('from "partners"') && !sql.includes('join "session_tokens"'))
  expect(beside).toHaveLength(85)

  for (const device of devices) expect(await countOf(sign(device, walletIds.evm))).toBe(59)
})

it('a key more, with its backups', async () => {
  expect(await countOf(() => ada.device.createWallet({ type: 'COSMOS' }))).toBe(88)
})
