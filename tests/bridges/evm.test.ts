/**
 * The bridges for EVM with the libraries that they are for, over the real co-signer. They share a service, because its
 * start and a sign-up take longer than most of what they sign.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startChain } from '../../adapters/development/chain.ts'
import { freePort } from '../kit/ports.ts'
import { startService, type TestService } from '../kit/service.ts'
import { signUp } from '../service/people.ts'
import { ethereumSuite } from './ethereumSuite.ts'
import { ethersSuite } from './ethersSuite.ts'
import { viemSuite } from './viemSuite.ts'
import { wagmiSuite } from './wagmiSuite.ts'
import type { World } from './world.ts'

let service: TestService
let world: World

beforeAll(async () => {
  const [started, chain] = await Promise.all([startService(), freePort().then(startChain)])
  service = started
  const ada = await signUp(service, { types: { EVM: true } })
  const [wallet] = ada.device.session.get().wallets
  world = { service, ada, wallet: wallet as World['wallet'], chain }
})
afterAll(async () => {
  await world.chain?.stop()
  await service.stop()
})

const theWorld = () => world

viemSuite(theWorld)
wagmiSuite(theWorld)
ethereumSuite(theWorld)
ethersSuite(theWorld)

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')

it.each(readdirSync(new URL('samples', import.meta.url)))(
  'the page of the bridges has the sample %s as it compiles',
  (name) => {
    const sample = read(`samples/${name}`).replaceAll('../../../adapters/browser/bridges/', './')

    expect(read('../../adapters/browser/bridges/README.md')).toContain(`\`\`\`ts\n${sample}\`\`\`\n`)
  },
)
