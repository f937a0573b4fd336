/**
 * A cheating device against a whole service: many first requests at once, each with a guess of another bit of the
 * co-signer's Δ, on one or several replicas, each in a process of its own. The answers and their times are compared
 * with whether each guess was right, beyond the verdicts that the protocol gives anyway.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { CosignerEngine } from '../../domain/service/ports/CosignerEngine.ts'
import { Sessions } from '../../domain/service/ports/Sessions.ts'
import { Vault } from '../../domain/service/ports/Vault.ts'
import { makePartner, makeUser, signIn, startWorld, value, type SignedIn, type World } from '../kit/cosignerWorld.ts'
import { keyOf } from '../kit/device.ts'
import { deltaOf, firstFrame, firstOf, guessOf, hello } from '../kit/guesses.ts'
import { databaseIn } from '../kit/databasePlace.ts'
import { startServiceProcess } from '../kit/serviceProcess.ts'
import { untilSighted } from '../kit/sightings.ts'
import { ask } from './wire.ts'
import { openAnswer } from '../kit/openAnswer.ts'

export type Told = {
  readonly isRight: boolean
  /** The status of the answer's frame, or of the refusal with its tag. */
  readonly content: string
  /** From the first request until this answer. */
  readonly ms: number
  /** Since the answer before this one, and until the one after it: a thread that is replaced keeps the next order waiting. */
  readonly sinceMs: number
  readonly untilMs: number
}

/** One wallet, whose Δ is guessed once, bit by bit. */
export type Attack = { readonly verdicts: readonly Told[]; readonly others: readonly Told[] }

export const attack = async (of: {
  readonly databaseUrl: string
  readonly replicas: number
  readonly threads: number
  readonly guesses: number
  readonly repetitions: number
}): Promise<readonly Attack[]> => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'tandem-guesses-'))
  const database = Layer.orDie(databaseIn({ kind: 'postgres', url: of.databaseUrl }))
  const started: { readonly stop: () => Promise<void> }[] = []
  const keep = <A extends (typeof started)[number]>(one: A): A => (started.push(one), one)
  try {
    // Makes users and keys, and knows every Δ.
    const world = keep(await startWorld({ dataFolder, database }))
    const { publicKey } = await world.run(Effect.flatMap(CosignerEngine, ({ identity }) => identity))
    const start = () =>
      startServiceProcess(
        dataFolder,
        { kind: 'postgres', url: of.databaseUrl },
        { COSIGNER_THREADS: String(of.threads) },
      )
    const first = keep(await start()).addresses.cosigner
    const replicas = [first]
    while (replicas.length < of.replicas) replicas.push(keep(await start()).addresses.cosigner)
    await untilSighted(of.databaseUrl, started.length)
    const partner = await makePartner(world)
    const [origin] = partner.origins
    const attacks: Attack[] = []
    for (let repetition = 0; repetition < of.repetitions; repetition++) {
      const by = await signIn(world, await makeUser(world), partner)
      const token = await tokenFor(world, by)
      const wallet = value(await by.createWallet({ type: 'EVM' }))
      const key = keyOf(await by.device.keygen({ ...wallet, scheme: 'DKLS' }, by.user.rootPublicKey))
      const delta = await deltaOf(world, key)
      const guesses: { readonly isRight: boolean; readonly frame: Uint8Array }[] = []
      for (let index = 0; index < of.guesses; index++) {
        const isRight = ((randomBytes(1)[0] ?? 0) & 1) === 1
        guesses.push({
          isRight,
          frame: await firstFrame(by.device, key, hello, { guess: guessOf(delta, index, isRight) }),
        })
      }
      // The threads are busy with setups of another wallet while the guesses arrive.
      const slow = value(await by.createWallet({ type: 'COSMOS', cosmosPrefix: 'cosmos' }))
      const { share } = keyOf(await by.device.keygen({ ...slow, scheme: 'DKLS' }, by.user.rootPublicKey))
      const blockers: Uint8Array[] = []
      for (let count = 0; count < 4; count++) blockers.push(await firstOf((meddle) => by.device.attach(share, meddle)))
      // In every other pair of wallets each guess is sent again until the answer is not a refusal as busy.
      const insists = repetition % 4 > 1
      const send = async (frame: Uint8Array, at: string): Promise<string> => {
        for (;;) {
          const answer = await ask({ base: at, token, origin }, 'POST', '/protocol', frame, frameType)
          if (answer.status === 200) return openAnswer(publicKey, frame, answer.bytes)?.status ?? 'not signed'
          if (answer.code !== 'AnotherRunInProgress' || !insists) return `${answer.status} ${String(answer.code)}`
        }
      }
      const blocking = blockers.map((frame, index) => send(frame, replicas[index % replicas.length] ?? first))
      const begun = performance.now()
      const told = await Promise.all(
        guesses.map(async ({ isRight, frame }, index) => ({
          isRight,
          content: await send(frame, replicas[index % replicas.length] ?? first),
          ms: performance.now() - begun,
        })),
      )
      await Promise.all(blocking)
      const inOrder = told.toSorted((one, other) => one.ms - other.ms)
      const withGaps = inOrder.map((one, index) => ({
        ...one,
        sinceMs: one.ms - (inOrder[index - 1]?.ms ?? 0),
        untilMs: (inOrder[index + 1]?.ms ?? one.ms) - one.ms,
      }))
      const isVerdict = ({ content }: Told) => content === 'OK' || content === 'BAN'
      attacks.push({ verdicts: withGaps.filter(isVerdict), others: withGaps.filter((one) => !isVerdict(one)) })
    }
    return attacks
  } finally {
    for (const one of started.toReversed()) await one.stop()
    rmSync(dataFolder, { recursive: true, force: true })
  }
}

const frameType = { 'content-type': 'application/octet-stream' }

const tokenFor = async (world: World, { sessionId }: SignedIn): Promise<string> => {
  const token = randomUUID()
  const now = world.now()
  await world.run(
    Effect.gen(function* () {
      const { mac } = yield* Vault
      const tokenMac = mac('session token', token)
      yield* (yield* Sessions).replaceToken({
        sessionId,
        oldTokenMac: mac('session token', ''),
        tokenMac,
        retiresAt: now,
        now,
      })
    }),
  )
  return token
}

/** Balanced accuracy on untrained data, and its standard error for answers without information. */
export type Accuracy = { readonly accuracy: number; readonly error: number }

type Guesser = (one: Told) => boolean

const accuracyOf = (guess: Guesser, of: readonly Told[]): number => {
  const rateOf = (isRight: boolean) => {
    const those = of.filter((one) => one.isRight === isRight)
    return those.length === 0 ? 0.5 : those.filter((one) => guess(one) === isRight).length / those.length
  }
  return (rateOf(true) + rateOf(false)) / 2
}

const errorOf = (of: readonly Told[]): number => {
  const right = of.filter(({ isRight }) => isRight).length
  return 0.25 * Math.sqrt(1 / Math.max(1, right) + 1 / Math.max(1, of.length - right))
}

/** The best guesser of these on one half of the wallets, judged on the other half. */
const judged = (
  attacks: readonly Attack[],
  guessersFor: (trained: readonly Told[]) => readonly Guesser[],
): Accuracy => {
  const halfOf = (parity: number) => attacks.filter((_, index) => index % 2 === parity).flatMap(({ others }) => others)
  const [trained, rest] = [halfOf(0), halfOf(1)]
  let best: { readonly guess: Guesser; readonly accuracy: number } = { guess: () => true, accuracy: 0 }
  for (const guess of guessersFor(trained)) {
    const accuracy = accuracyOf(guess, trained)
    if (accuracy > best.accuracy) best = { guess, accuracy }
  }
  return { accuracy: accuracyOf(best.guess, rest), error: errorOf(rest) }
}

/** Each answer, read as the verdict that it had more often. */
export const byContent = (attacks: readonly Attack[]): Accuracy =>
  judged(attacks, (trained) => {
    const share = (content: string, isRight: boolean) =>
      trained.filter((one) => one.isRight === isRight && one.content === content).length /
      Math.max(1, trained.filter((one) => one.isRight === isRight).length)
    return [({ content }) => share(content, true) > share(content, false)]
  })

/** The best threshold in the time of an answer, or in that to the answers before and after it, either way around. */
export const byTime = (attacks: readonly Attack[]): Accuracy =>
  judged(attacks, (trained) =>
    (['ms', 'sinceMs', 'untilMs'] as const).flatMap((time) => {
      const times = trained.map((one) => one[time]).toSorted((one, other) => one - other)
      const thresholds = Array.from({ length: 200 }, (_, part) => times[Math.floor((part / 200) * times.length)] ?? 0)
      return thresholds.flatMap((threshold): Guesser[] => [
        (one) => one[time] < threshold,
        (one) => one[time] >= threshold,
      ])
    }),
  )
