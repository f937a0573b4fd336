/**
 * What the claims beside the database cost: signatures a second of several devices at once, on PostgreSQL and with the
 * co-signer's threads, with the file and without it, in turns. Devices compute in this process, too.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import type { SigningRequest } from '../../domain/mpc/SigningRequest.ts'
import { Claims } from '../../domain/service/ports/Claims.ts'
import { claimsOf } from '../kit/claims.ts'
import { makePartner, makeUser, signIn, startWorld, value, type World } from '../kit/cosignerWorld.ts'
import { keyOf } from '../kit/device.ts'
import { databaseIn } from '../kit/databasePlace.ts'
import { startPostgres } from '../kit/postgres.ts'
import { median, type Figures } from './rows.ts'

const devices = 8
const signaturesOfEach = 2
const turns = 30

const wallets = { DKLS: 'EVM', ED25519: 'SOLANA' } as const
const requests: Readonly<Record<keyof typeof wallets, SigningRequest>> = {
  DKLS: { kind: 'eip191', message: '00' },
  ED25519: { kind: 'solanaMessage', message: '00' },
}

export const claims = async (): Promise<readonly Figures[]> => {
  const server = await startPostgres()
  const dataFolder = mkdtempSync(join(tmpdir(), 'tandem-bench-'))
  const url = await server.createDatabase()
  const world = await startWorld({
    dataFolder,
    database: Layer.orDie(databaseIn({ kind: 'postgres', url })),
    configuration: { cosignerThreads: availableParallelism() },
  })
  let holds = true
  const switched: World = {
    ...world,
    as: (caller, flow) => world.as(caller, holds ? flow : Effect.provideService(flow, Claims, claimsOf())),
  }
  const rows: Figures[] = []
  for (const scheme of ['DKLS', 'ED25519'] as const) {
    const sign = await Promise.all(Array.from({ length: devices }, () => signerIn(switched, scheme)))
    const measure = async () => {
      const before = process.cpuUsage()
      const at = performance.now()
      const signing = sign.map(async (one) => {
        for (let count = 0; count < signaturesOfEach; count++) await one()
      })
      await Promise.all(signing)
      const { user, system } = process.cpuUsage(before)
      const signatures = devices * signaturesOfEach
      return {
        perSecond: (signatures * 1_000) / (performance.now() - at),
        cpuMs: (user + system) / 1_000 / signatures,
      }
    }
    type Measured = Awaited<ReturnType<typeof measure>>
    const pairs: { readonly held: Measured; readonly bare: Measured }[] = []
    await measure()
    for (let turn = 0; turn < turns; turn++) {
      // Each goes first as often as the other.
      holds = turn % 2 === 0
      const one = await measure()
      holds = !holds
      const other = await measure()
      pairs.push(holds ? { held: other, bare: one } : { held: one, bare: other })
    }
    holds = true
    const rowOf = (name: keyof (typeof pairs)[number]): Figures => ({
      suite: 'claims',
      case: `sign.${scheme}.${name === 'held' ? 'with' : 'without'}`,
      runs: turns * devices * signaturesOfEach,
      cpuMs: median(pairs.map((pair) => pair[name].cpuMs)),
      perSecond: median(pairs.map((pair) => pair[name].perSecond)),
    })
    rows.push({ ...rowOf('held'), ratio: median(pairs.map(({ held, bare }) => held.perSecond / bare.perSecond)) })
    rows.push(rowOf('bare'))
  }
  await world.stop()
  await server.stop()
  rmSync(dataFolder, { recursive: true, force: true })
  return rows
}

/** A device with a wallet of its own, of a user of its own: no signature waits for another's. */
const signerIn = async (world: World, scheme: keyof typeof wallets) => {
  const partner = await makePartner(world)
  const user = await makeUser(world)
  const { device, createWallet } = await signIn(world, user, partner)
  const wallet = value(await createWallet({ type: wallets[scheme] }))
  const key = keyOf(await device.keygen({ ...wallet, scheme }, user.rootPublicKey))
  return async () => {
    const { kind } = await device.sign(key, requests[scheme])
    if (kind !== 'done') throw new Error(`a signature ended: ${kind}`)
  }
}
