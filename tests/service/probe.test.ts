import { afterAll, beforeAll, expect, it } from 'vitest'
import { startService, type TestService } from '../kit/service.ts'
import { signUp, logIn } from './people.ts'
let service: TestService
const t = async <A>(name: string, f: () => Promise<A>) => { const s = performance.now(); try { return await f() } finally { console.log(name, Math.round(performance.now() - s)) } }
beforeAll(async () => { service = await t('start', () => startService()) })
afterAll(() => service.stop())
it('probe', async () => {
  const ada = await t('sign up 3', () => signUp(service, { logLevel: 'Warn' }))
  console.log(ada.walletIds, ada.recoverySecret, [...ada.device.storage.local.keys()])
  const sol = await t('sign up sol', () => signUp(service, { types: { SOLANA: true } }))
  const second = await t('login', () => logIn(service, ada))
  const [w] = await second.getWallets()
  await t('sign evm first', () => ada.device.signMessage({ walletId: w!.id, message: 'x' }))
  await t('attach+sign', () => second.signMessage({ walletId: w!.id, message: 'x' }))
  await t('sign again', () => second.signMessage({ walletId: w!.id, message: 'x' }))
  await t('login again', () => logIn(service, ada))
  expect(sol.walletIds.length).toBe(1)
}, 120000)
