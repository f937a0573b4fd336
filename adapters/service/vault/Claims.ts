/**
 * Claims in files that only grow, one for those that expire within the same five minutes: a line each, flushed before
 * `hold` is done. All co-signers append to the same files and read what the others appended; of several lines of a round in
 * one file the first counts. `sweep` removes a file when all runs in it have long been over.
 *
 * Claims that come while a flush is under way share the next one, so a busy co-signer flushes no more often than the disk can.
 * Of a claim the flush alone is waited for: looking at a file and appending to it takes less than a change of threads.
 */
import { appendFileSync, fstatSync, mkdirSync, readdirSync, readSync } from 'node:fs'
import { open, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import {
  Claims,
  keyOfRound,
  roundOfKey,
  type ClaimedRound,
  type HeldClaim,
  type RoundId,
} from '../../../domain/service/ports/Claims.ts'
import { flushOf, requireSameFile, syncFolder } from './keyFile.ts'

const bucketMs = 5 * 60_000

/** More of each file than are claimed at once: claims reach the file in another order than the database. */
const latestOfFile = 256

/** More than a wallet has under way at once: a signature or a setup, and a refresh. */
const latestOfWallet = 8

/** For the difference between the clocks of two machines, and for runs that are read shortly before their end. */
const keepForMs = 60 * 60_000

export const ClaimsFile = (folder: string): Layer.Layer<Claims> =>
  Layer.effect(
    Claims,
    Effect.gen(function* () {
      const log = yield* Effect.acquireRelease(
        Effect.sync(() => openLog(folder)),
        ({ close }) => Effect.promise(close),
      )
      return Claims.of({
        hold: (claim) => Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.promise(() => log.hold(claim, now))),
        latest: Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.promise(() => log.latest(now))),
        unsettled: (run) => Effect.sync(() => log.unsettled(run)),
        over: (now) => Effect.promise(() => log.over(now)),
        settle: (round) => Effect.sync(() => log.settle(round)),
        sweep: (now) => Effect.promise(() => log.sweep(now)),
      })
    }),
  )

type Waiting = {
  readonly claim: HeldClaim
  readonly now: number
  readonly done: (isHeld: boolean) => void
  readonly failed: (cause: unknown) => void
}

const openLog = (folder: string) => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const buckets = new Map<number, Bucket>()
  let waiting: Waiting[] = []
  let others: (() => Promise<void>)[] = []
  let flushing: Promise<void> | undefined

  const numbersIn = (): readonly number[] =>
    readdirSync(folder).flatMap((name) => /^([0-9]+)\.claims$/.exec(name)?.slice(1).map(Number) ?? [])

  /** Reads what was appended since, in files known and new. */
  const catchUp = async (now: number) => {
    for (const number of numbersIn()) if (!buckets.has(number)) await bucketOf(number)
    for (const [number, bucket] of buckets) {
      // Later another co-signer, whose clock is ahead, may have removed it.
      if (now < (number + 1) * bucketMs) requireSameFile(bucket.fd, fileOf(number))
      bucket.catchUp()
    }
  }

  const removeOver = async (now: number) => {
    for (const number of new Set([...buckets.keys(), ...numbersIn()])) {
      if (!isLongOver(number, now)) continue
      const bucket = buckets.get(number)
      buckets.delete(number)
      await rm(fileOf(number), { force: true }).finally(() => bucket?.close())
    }
  }

  const fileOf = (number: number) => join(folder, `${number}.claims`)

  const bucketOf = async (number: number): Promise<Bucket> => {
    const existing = buckets.get(number)
    if (existing !== undefined) return existing
    const bucket = bucketIn(await open(fileOf(number), 'a+', 0o600))
    syncFolder(folder)
    buckets.set(number, bucket)
    return bucket
  }

  /** What each file says of the round first: they agree unless two co-signers claimed it at once, on two databases. */
  const saidOf = (claim: HeldClaim): ReadonlySet<string> =>
    new Set([...buckets.values()].flatMap(({ first }) => first.get(keyOfRound(claim)) ?? []))

  const flush = async (batch: readonly Waiting[]) => {
    const now = Math.max(...batch.map((one) => one.now))
    await catchUp(now)
    const lines = new Map<Bucket, string[]>()
    for (const { claim } of batch) {
      if (saidOf(claim).size > 0) continue
      const bucket = await bucketOf(Math.floor(claim.expiresAt / bucketMs))
      lines.set(bucket, [...(lines.get(bucket) ?? []), `${keyOfRound(claim)} ${saidBy(claim)}`])
    }
    for (const [bucket, own] of lines) bucket.append(own)
    // Also what another co-signer appended and has not flushed yet.
    for (const bucket of buckets.values()) await bucket.sync()
    await catchUp(now)
    for (const { claim, done } of batch) {
      const said = saidOf(claim)
      done(said.size === 1 && said.has(saidBy(claim)))
    }
  }

  const flushAll = async () => {
    while (waiting.length + others.length > 0) {
      const [batch, between] = [waiting, others]
      waiting = []
      others = []
      for (const work of between) await work()
      if (batch.length === 0) continue
      await flush(batch).catch((cause: unknown) => {
        for (const { failed } of batch) failed(cause)
      })
    }
    flushing = undefined
  }

  /** What opens or removes files: between two flushes, so that no file is open twice and no flush has one that is closed. */
  const betweenFlushes = <A>(work: () => Promise<A>) =>
    new Promise<A>((done, failed) => {
      others.push(() => work().then(done, failed))
      flushing ??= flushAll()
    })

  return {
    hold: (claim: HeldClaim, now: number) =>
      new Promise<boolean>((done, failed) => {
        waiting.push({ claim, now, done, failed })
        flushing ??= flushAll()
      }),
    latest: (now: number): Promise<readonly ClaimedRound[]> =>
      betweenFlushes(async () => {
        await catchUp(now)
        return [...buckets.values()].flatMap(({ first }) => [...first].slice(-latestOfFile).map(claimedRound))
      }),
    /** As of the last `hold` or `latest`. */
    unsettled: ({ walletId, protocolId }: Omit<RoundId, 'step'>): readonly ClaimedRound[] =>
      [...buckets.values()]
        .flatMap(({ unsettledOf }) => unsettledOf(walletId))
        .filter((round) => round.protocolId !== protocolId)
        .slice(-latestOfWallet),
    over: (now: number): Promise<readonly ClaimedRound[]> =>
      betweenFlushes(async () => {
        await catchUp(now)
        return [...buckets]
          .filter(([number]) => isLongOver(number, now))
          .flatMap(([, { first, settled }]) => [...first].filter(([key]) => !settled.has(key)))
          .map(claimedRound)
      }),
    settle: (round: RoundId): void => {
      for (const bucket of buckets.values()) bucket.settle(round)
    },
    sweep: (now: number) => betweenFlushes(() => removeOver(now)),
    close: async () => {
      await flushing
      for (const bucket of buckets.values()) await bucket.close()
    },
  }
}

const isLongOver = (number: number, now: number): boolean => now >= (number + 1) * bucketMs + keepForMs

const claimedRound = ([key, said]: readonly [string, string]): ClaimedRound => ({
  ...roundOfKey(key),
  requestHash: said.slice(0, said.indexOf(' ')),
})

const saidBy = ({ requestHash, seedHash }: HeldClaim): string => `${requestHash} ${seedHash}`

type Bucket = ReturnType<typeof bucketIn>

const bucketIn = (handle: FileHandle) => {
  const { fd } = handle
  /** What the first line of each round says. */
  const first = new Map<string, string>()
  /** The latest of each wallet's rounds that are not settled. */
  const ofWallet = new Map<string, readonly string[]>()
  const settled = new Set<string>()
  let readTo = 0
  let rest = ''
  const beginFlush = flushOf(fd, 'claims')

  return {
    fd,
    first,
    settled,
    unsettledOf: (walletId: string): readonly ClaimedRound[] =>
      (ofWallet.get(walletId) ?? []).map((key) => claimedRound([key, first.get(key) ?? ''])),
    settle: (round: RoundId) => {
      const key = keyOfRound(round)
      if (!first.has(key)) return
      settled.add(key)
      const left = (ofWallet.get(round.walletId) ?? []).filter((one) => one !== key)
      if (left.length > 0) ofWallet.set(round.walletId, left)
      else ofWallet.delete(round.walletId)
    },
    append: (lines: readonly string[]) => {
      // A line that a power cut left unfinished stays alone on its line.
      appendFileSync(fd, `\n${lines.join('\n')}\n`)
    },
    sync: async () => {
      const done = beginFlush()
      if (done === undefined) return
      await handle.datasync()
      done()
    },
    catchUp: () => {
      const { size } = fstatSync(fd)
      while (readTo < size) {
        const buffer = Buffer.alloc(size - readTo)
        const bytesRead = readSync(fd, buffer, 0, buffer.length, readTo)
        if (bytesRead === 0) return
        readTo += bytesRead
        const lines = `${rest}${buffer.toString('latin1', 0, bytesRead)}`.split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) {
          const [, key = '', said = ''] = linePattern.exec(line) ?? []
          if (key === '' || first.has(key)) continue
          first.set(key, said)
          const { walletId } = roundOfKey(key)
          ofWallet.set(walletId, [...(ofWallet.get(walletId) ?? []), key].slice(-latestOfWallet))
        }
      }
    },
    close: () => handle.close(),
  }
}

/** `<wallet>/<protocol>/<step> <request hash> <seed hash>`; whatever else stands on a line was never claimed. */
const linePattern = /^(\S+\/\S+\/[0-9]+) ([0-9a-f]{64} [0-9a-f]{64})$/
