/** Claims in files: which of several counts, over restarts, between processes and after a power cut, and when they are deleted. */
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as ManagedRuntime from 'effect/ManagedRuntime'
import { TestClock } from 'effect/testing'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ClaimsFile } from '../../adapters/service/vault/Claims.ts'
import { Claims, type HeldClaim, type RoundId } from '../../domain/service/ports/Claims.ts'
import type { RunId } from '../../domain/service/ports/Runs.ts'

const home = mkdtempSync(join(tmpdir(), 'tandem-claims-'))
afterAll(() => rmSync(home, { recursive: true }))

describe('claims', () => {
  let folder: string
  const processes: { readonly stop: () => Promise<void> }[] = []

  beforeEach(() => {
    folder = mkdtempSync(join(home, 'folder-'))
  })
  afterEach(async () => {
    for (const one of processes.splice(0)) await one.stop()
  })

  const start = async () => {
    const runtime = ManagedRuntime.make(Layer.provideMerge(ClaimsFile(folder), TestClock.layer()))
    const claims = await runtime.runPromise(Claims)
    const one = {
      hold: (of: HeldClaim) => runtime.runPromise(claims.hold(of)),
      /** At once, as simultaneous requests do. */
      holdAll: (all: readonly HeldClaim[]) =>
        runtime.runPromise(
          Effect.all(
            all.map((of) => claims.hold(of)),
            { concurrency: 'unbounded' },
          ),
        ),
      unsettled: (run: RunId) => runtime.runPromise(claims.unsettled(run)),
      over: () => runtime.runPromise(Effect.flatMap(Clock.currentTimeMillis, claims.over)),
      settle: (round: RoundId) => runtime.runPromise(claims.settle(round)),
      latest: () => runtime.runPromise(claims.latest),
      sweep: () => runtime.runPromise(Effect.flatMap(Clock.currentTimeMillis, claims.sweep)),
      advance: (ms: number) => runtime.runPromise(TestClock.adjust(ms)),
      stop: () => runtime.dispose(),
    }
    processes.push(one)
    return one
  }

  const hash = (digit: string) => digit.repeat(64)
  const claim: HeldClaim = {
    walletId: '11111111-2222-4333-8444-555555555555',
    protocolId: 'aaaaaaaa-2222-4333-8444-555555555555',
    step: 1,
    requestHash: hash('a'),
    seedHash: hash('0'),
    expiresAt: 90_000,
  }
  const fork = { ...claim, requestHash: hash('b') }
  const anew = { ...claim, seedHash: hash('1'), expiresAt: 800_000 }
  const files = () => readdirSync(folder).sort()

  it('are listed by round, with those of other co-signers, and after a restart', async () => {
    const [one, other] = [await start(), await start()]
    await one.hold(claim)
    await other.hold({ ...anew, step: 2 })
    const { walletId, protocolId, requestHash } = claim
    const rounds = [
      { walletId, protocolId, step: 1, requestHash },
      { walletId, protocolId, step: 2, requestHash },
    ]

    expect(await one.latest()).toEqual(rounds)
    await one.stop()
    expect(await (await start()).latest()).toEqual(rounds)
  })

  it('of a wallet are unsettled until this co-signer settles them, but for those of the run that asks', async () => {
    const [one, other] = [await start(), await start()]
    const own = { ...claim, protocolId: 'bbbbbbbb-2222-4333-8444-555555555555' }
    const { walletId, protocolId, requestHash } = claim
    await other.hold(claim)
    await one.hold(own)
    await one.hold({ ...own, walletId: '99999999-2222-4333-8444-555555555555' })

    expect(await one.unsettled(own)).toEqual([{ walletId, protocolId, step: 1, requestHash }])
    await other.settle(claim)
    expect(await one.unsettled(own)).toEqual([{ walletId, protocolId, step: 1, requestHash }])
    await one.settle(claim)
    expect(await one.unsettled(own)).toEqual([])
  })

  it('are unsettled up to the latest eight of a wallet', async () => {
    const one = await start()
    const steps = Array.from({ length: 12 }, (_, index) => index + 1)
    for (const step of steps) await one.hold({ ...claim, step, expiresAt: 90_000 * step })

    const { walletId } = claim
    const unsettled = await one.unsettled({ walletId, protocolId: 'another' })
    expect(unsettled.map(({ step }) => step)).toEqual(steps.slice(-8))
  })

  it('of a wallet stay unsettled however many later ones are settled', async () => {
    const one = await start()
    await one.hold(claim)
    for (let step = 2; step <= 12; step++) {
      await one.hold({ ...claim, step })
      await one.settle({ ...claim, step })
    }

    const unsettled = await one.unsettled({ walletId: claim.walletId, protocolId: 'another' })
    expect(unsettled.map(({ step }) => step)).toEqual([1])
  })

  it('are granted again to the same request, and never to another request or seed', async () => {
    const one = await start()

    expect(await one.hold(claim)).toBe(true)
    expect(await one.hold(claim)).toBe(true)
    expect(await one.hold(fork)).toBe(false)
    expect(await one.hold(anew)).toBe(false)
    expect(await one.hold(claim)).toBe(true)
  })

  it('apply to one round each', async () => {
    const one = await start()
    const others = [
      { ...fork, step: 2 },
      { ...fork, protocolId: 'bbbbbbbb-2222-4333-8444-555555555555' },
      { ...fork, walletId: '99999999-2222-4333-8444-555555555555' },
    ]

    expect(await one.holdAll([claim, ...others])).toEqual([true, true, true, true])
  })

  it('are granted to the first of simultaneous requests', async () => {
    const one = await start()

    expect(await one.holdAll([claim, fork, anew, claim])).toEqual([true, false, false, true])
  })

  it('stay after a restart, also where the run began again', async () => {
    const one = await start()
    await one.hold(claim)
    await one.stop()
    const two = await start()

    expect(await two.hold(fork)).toBe(false)
    expect(await two.hold(anew)).toBe(false)
    expect(await two.hold(claim)).toBe(true)
  })

  it('are the same for all processes, and only one of two that claim at once gets a round', async () => {
    const [one, two] = [await start(), await start()]

    expect(await one.hold(claim)).toBe(true)
    expect(await two.hold(fork)).toBe(false)
    for (let round = 2; round < 60; round++) {
      const [held, other] = await Promise.all([one.hold({ ...claim, step: round }), two.hold({ ...fork, step: round })])
      expect([round, held && other]).toEqual([round, false])
      // In one file the order decides, so that one request always succeeds.
      expect([round, held || other]).toEqual([round, true])
    }
  })

  it('are granted to neither of two that claimed at once and wrote them to two files', async () => {
    const line = ({ walletId, protocolId, step, requestHash, seedHash }: HeldClaim) =>
      `${walletId}/${protocolId}/${step} ${requestHash} ${seedHash}\n`
    writeFileSync(join(folder, '0.claims'), line(claim))
    writeFileSync(join(folder, '2.claims'), line(anew))
    const one = await start()

    expect([await one.hold(claim), await one.hold(anew)]).toEqual([false, false])
  })

  it('survive a line that a power cut left unfinished, wherever it ends', async () => {
    const whole = await start()
    await whole.hold(claim)
    await whole.stop()
    const text = readFileSync(join(folder, '0.claims'))
    for (let length = 0; length < text.length - 1; length++) {
      writeFileSync(join(folder, '0.claims'), text.subarray(0, length))
      const one = await start()
      expect([length, await one.hold(fork), await one.hold(claim)]).toEqual([length, true, false])
      await one.stop()
    }
  })

  it('count also where a power cut lost only the end of their line', async () => {
    const whole = await start()
    await whole.hold(claim)
    await whole.stop()
    writeFileSync(join(folder, '0.claims'), readFileSync(join(folder, '0.claims')).subarray(0, -1))
    const one = await start()

    expect([await one.hold(fork), await one.hold(claim)]).toEqual([false, true])
  })

  it('are flushed before they are granted, and those that arrive meanwhile share the next flush', async () => {
    const handle = await open(join(folder, 'any'), 'w')
    const flush = vi.spyOn(Object.getPrototypeOf(handle) as FileHandle, 'datasync')
    await handle.close()
    const one = await start()

    await one.hold(claim)
    expect(flush).toHaveBeenCalledTimes(1)
    await one.holdAll(Array.from({ length: 100 }, (_, index) => ({ ...claim, step: index + 2 })))
    expect(flush.mock.calls.length).toBeLessThanOrEqual(3)
    // The line in the file may be another process's, and not be flushed yet.
    const two = await start()
    await two.hold(claim)
    expect(flush.mock.calls.length).toBeGreaterThan(2)
    flush.mockRestore()
  })

  it('are granted no more once a flush has failed, because the next one may succeed without what it lacked', async () => {
    const handle = await open(join(folder, 'any'), 'w')
    const flush = vi.spyOn(Object.getPrototypeOf(handle) as FileHandle, 'datasync')
    await handle.close()
    const one = await start()
    flush.mockRejectedValueOnce(new Error('EIO'))

    await expect(one.hold(claim)).rejects.toThrow('EIO')
    await expect(one.hold(claim)).rejects.toThrow('could not be flushed before')
    flush.mockRestore()
    expect(await (await start()).hold(claim)).toBe(true)
  })

  it('are granted no more by a process whose files were moved away, also when copies are in their place', async () => {
    const one = await start()
    await one.hold(claim)
    renameSync(folder, `${folder}-away`)
    cpSync(`${folder}-away`, folder, { recursive: true })

    await expect(one.hold({ ...claim, step: 2 })).rejects.toThrow('is not the file that this process has open')
    expect(await (await start()).hold({ ...claim, step: 2 })).toBe(true)
  })

  it('are granted where another process has removed a file of runs that are over', async () => {
    const one = await start()
    await one.hold(claim)
    await one.advance(300_000)
    rmSync(join(folder, '0.claims'))

    expect(await one.hold(anew)).toBe(false)
    expect(await one.hold({ ...anew, step: 2 })).toBe(true)
  })

  it('ignore foreign content in their folder', async () => {
    appendFileSync(join(folder, '0.claims'), Buffer.alloc(4_096))
    writeFileSync(join(folder, 'notes'), 'x')
    const one = await start()

    expect([await one.hold(claim), await one.hold(fork)]).toEqual([true, false])
    expect(files()).toEqual(['0.claims', 'notes'])
  })

  it('are deleted with their file only once all runs in it have long ended', async () => {
    const one = await start()
    await one.hold(claim)
    await one.hold({ ...claim, step: 2, expiresAt: 310_000 })
    expect(files()).toEqual(['0.claims', '1.claims'])

    await one.advance(300_000 + 3_600_000 - 1)
    await one.hold({ ...claim, step: 3, expiresAt: 4_000_000 })
    await one.sweep()
    expect([files(), await one.hold(fork)]).toEqual([['0.claims', '1.claims', '13.claims'], false])
    await one.advance(1)
    await one.sweep()
    expect(files()).toEqual(['1.claims', '13.claims'])
  })

  it('are deleted by upkeep alone: a claim of a clock that is ahead for a moment takes none away', async () => {
    const one = await start()
    await one.hold(claim)

    await one.advance(7_200_000)
    await one.hold({ ...claim, step: 2, expiresAt: 8_000_000 })
    await one.advance(-7_200_000)

    expect([await one.hold(fork), await one.hold(claim)]).toEqual([false, true])
  })

  it('are listed until they are deleted: a start after some hours may be on an older database, too', async () => {
    await (await start()).hold(claim)
    const later = await start()
    await later.advance(7_200_000)
    expect(await later.latest()).toHaveLength(1)
    await later.sweep()
    expect(await later.latest()).toEqual([])
  })

  it('are over when they can be deleted, but for those that the process has settled', async () => {
    const { walletId, protocolId, requestHash } = claim
    const [one, other] = [await start(), await start()]
    await one.holdAll([claim, { ...claim, step: 2 }])
    await one.settle({ walletId, protocolId, step: 2 })

    for (const process of [one, other]) await process.advance(3_600_000)
    expect([await one.over(), await other.over()]).toEqual([[], []])
    for (const process of [one, other]) await process.advance(300_000)
    expect(await one.over()).toEqual([{ walletId, protocolId, step: 1, requestHash }])
    expect(await other.over()).toHaveLength(2)
  })

  it('are held while others are deleted', async () => {
    const one = await start()
    await one.hold(claim)
    await one.advance(7_200_000)
    const held = Array.from({ length: 20 }, (_, step) => ({ ...claim, step, expiresAt: 8_000_000 + step * 300_000 }))

    const answered = await Promise.all([one.holdAll(held), one.sweep(), one.sweep(), one.holdAll(held)])

    expect(answered).toEqual([held.map(() => true), undefined, undefined, held.map(() => true)])
    expect(await one.holdAll(held.map((of) => ({ ...of, requestHash: hash('b') })))).toEqual(held.map(() => false))
    expect(files()).not.toContain('0.claims')
  })

  it.runIf(existsSync('/proc/self/fd'))(
    'are in files that a process opens once, also where it reads and holds at once',
    async () => {
      const [one, other] = [await start(), await start()]
      const held = Array.from({ length: 20 }, (_, step) => ({ ...claim, step, expiresAt: step * 300_000 }))
      await other.holdAll(held)
      const isOpen = (fd: string) => {
        const link = join('/proc/self/fd', fd)
        return existsSync(link) && readlinkSync(link).startsWith(folder)
      }

      const [, , isHeld] = await Promise.all([one.over(), one.latest(), one.holdAll(held)])

      expect(isHeld).toEqual(held.map(() => true))
      expect(readdirSync('/proc/self/fd').filter(isOpen)).toHaveLength(40)
    },
  )

  it('fail where they cannot be written', async () => {
    const one = await start()
    rmSync(folder, { recursive: true })
    await expect(one.hold(claim)).rejects.toThrow('ENOENT')
  })
})
