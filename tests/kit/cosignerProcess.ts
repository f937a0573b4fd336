/**
 * A service in a process of its own that a failpoint kills: what it is asked comes as messages, and what a
 * killed process had begun, the next one on the same folder and database goes on with.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Option from 'effect/Option'
import type { Failpoint } from '../../adapters/service/node/Failpoints.ts'
import { CosignerEngine } from '../../domain/service/ports/CosignerEngine.ts'
import { Partners } from '../../domain/service/ports/Partners.ts'
import { Sessions } from '../../domain/service/ports/Sessions.ts'
import { exchangeFrame } from '../../domain/service/protocol.ts'
import { makePartner, makeUser, signIn, startWorld, value, type Dump } from './cosignerWorld.ts'
import type { Exchanged, Refused } from './device.ts'
import { databaseIn, type DatabasePlace } from './databasePlace.ts'

type Question =
  | { readonly kind: 'begin'; readonly deviceSecretKey: string }
  | { readonly kind: 'exchange'; readonly sessionId: string; readonly bytes: string }
  | { readonly kind: 'dump' }

/** An exchange in a form that can be posted as a message. */
type Sent = { readonly kind: 'answered'; readonly bytes: string } | Refused

export type Begun = {
  readonly userId: string
  readonly partnerId: string
  readonly sessionId: string
  readonly rootPublicKey: string
  readonly wallet: { readonly walletId: string; readonly protocolId: string }
  readonly cosigner: { readonly name: string; readonly publicKey: string }
}

export type CosignerProcess = {
  readonly begin: (deviceSecretKey: Uint8Array) => Promise<Begun>
  /** `undefined` when the process died meanwhile. */
  readonly exchange: (sessionId: string, bytes: Uint8Array) => Promise<Exchanged | undefined>
  readonly dump: () => Promise<Dump>
  readonly stop: () => Promise<void>
}

/** Starts one; with a failpoint it dies when a flow reaches that point for the n-th time. */
export const startProcess = async (
  dataFolder: string,
  database: DatabasePlace,
  failpoint?: Failpoint,
): Promise<CosignerProcess> => {
  const told = [dataFolder, JSON.stringify(database), JSON.stringify(failpoint ?? null)]
  const child = fork(fileURLToPath(import.meta.url), told, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  await answerOf(child)
  const ask = (question: Question) => {
    const answer = answerOf(child)
    child.send(question)
    return answer
  }
  const orThrow = async <A>(question: Question) => {
    const answer = await ask(question)
    if (answer === undefined) throw new Error('the process died')
    return answer as A
  }
  return {
    begin: (deviceSecretKey) => orThrow({ kind: 'begin', deviceSecretKey: bytesToHex(deviceSecretKey) }),
    exchange: async (sessionId, bytes) => {
      const answer = await ask({ kind: 'exchange', sessionId, bytes: bytesToHex(bytes) })
      const exchanged = answer as Sent | undefined
      return exchanged?.kind === 'answered' ? { kind: 'answered', bytes: hexToBytes(exchanged.bytes) } : exchanged
    },
    dump: () => orThrow({ kind: 'dump' }),
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = new Promise((resolve) => child.once('exit', resolve))
      child.disconnect()
      await gone
    },
  }
}

/** The next message, or `undefined` when there will be none. */
const answerOf = (child: ChildProcess): Promise<unknown> =>
  new Promise((resolve) => {
    const onMessage = (message: unknown) => done(message)
    const onExit = () => done(undefined)
    const done = (answer: unknown) => {
      child.off('message', onMessage)
      child.off('exit', onExit)
      resolve(answer)
    }
    child.on('message', onMessage)
    child.on('exit', onExit)
  })

/** The process's own part. */
const serve = async (dataFolder: string, place: DatabasePlace, failpoint: Failpoint | null) => {
  const configuration = { failpoint: failpoint ?? undefined }
  const world = await startWorld({ database: Layer.orDie(databaseIn(place)), dataFolder, configuration })

  const begin = async (deviceSecretKey: string): Promise<Begun> => {
    const [partner, user] = [await makePartner(world), await makeUser(world)]
    const host = await signIn(world, user, partner, { deviceSecretKey: hexToBytes(deviceSecretKey) })
    const { walletId, protocolId } = value(await host.createWallet({ type: 'EVM' }))
    const cosigner = await world.run(Effect.flatMap(CosignerEngine, ({ identity }) => identity))
    return {
      userId: user.userId,
      partnerId: partner.id,
      sessionId: host.sessionId,
      rootPublicKey: bytesToHex(user.rootPublicKey),
      wallet: { walletId, protocolId },
      cosigner: { name: cosigner.name, publicKey: bytesToHex(cosigner.publicKey) },
    }
  }

  const exchange = async (sessionId: string, bytes: string) => {
    const session = Option.getOrThrow(await world.run(Effect.flatMap(Sessions, (sessions) => sessions.find(sessionId))))
    const partner = Option.getOrThrow(
      await world.run(Effect.flatMap(Partners, (partners) => partners.find(session.partnerId))),
    )
    const outcome = await world.as({ session, partner }, exchangeFrame(hexToBytes(bytes)))
    return outcome.kind === 'success' ? { kind: 'answered', bytes: bytesToHex(outcome.value) } : outcome
  }

  process.on('message', (question: Question) => {
    const answer =
      question.kind === 'begin'
        ? begin(question.deviceSecretKey)
        : question.kind === 'exchange'
          ? exchange(question.sessionId, question.bytes)
          : world.dump()
    void answer.then((message) => process.send?.(message))
  })
  process.once('disconnect', () => void world.stop().then(() => process.exit(0)))
  process.send?.({ kind: 'ready' })
}

const [, script, dataFolder = '', place = 'null', failpoint = 'null'] = process.argv
if (process.send !== undefined && script === fileURLToPath(import.meta.url)) {
  void serve(dataFolder, JSON.parse(place) as DatabasePlace, JSON.parse(failpoint) as Failpoint | null)
}
