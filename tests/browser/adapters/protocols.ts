/** The protocols as an app's page runs them, against a co-signer that is played in the page. */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Logger from 'effect/Logger'
import * as ManagedRuntime from 'effect/ManagedRuntime'
import * as References from 'effect/References'
import { MpcWorker } from '../../../adapters/browser/Mpc.ts'
import { RandomWebCrypto } from '../../../adapters/browser/Random.ts'
import { Mpc, type Run } from '../../../domain/client/ports/Mpc.ts'
import { Settings } from '../../../domain/client/ports/Settings.ts'
import { noble } from '../../../domain/mpc/noble.ts'
import type { Context, Kind, Result, Scheme } from '../../../domain/mpc/Protocol.ts'
import { protocolOf } from '../../../domain/mpc/protocols.ts'
import { developmentHosts } from '../../../domain/model/Environment.ts'

const none = new Uint8Array(0)

const contextOf = (kind: Kind, scheme: Scheme, changes: Partial<Context> = {}): Context => ({
  kind,
  scheme,
  protocolId: crypto.randomUUID(),
  walletId: 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee',
  userId: '99999999-8888-4777-8666-555555555555',
  partnerId: '12345678-1234-4123-8123-123456789abc',
  deviceKeyThumb: new Uint8Array(32).fill(1),
  epoch: 1,
  attempt: new Uint8Array(16).fill(2),
  shareId: none,
  otId: none,
  rootPublicKey: none,
  ...changes,
})

/** The other party of one run, by noble. */
const makeCosigner = (run: Run) => {
  const steps = protocolOf(run.context.scheme, run.context.kind)?.server ?? []
  const seed = crypto.getRandomValues(new Uint8Array(32))
  const requestHashes: Uint8Array[] = []
  let state: Uint8Array = none
  let made: Result | undefined
  return {
    made: () => made,
    answer: (request: Uint8Array): Uint8Array => {
      const step = steps[requestHashes.length]
      requestHashes.push(sha256(request))
      const answer = step?.({ ...run, seed, requestHashes: [...requestHashes], state, request, arithmetic: noble })
      if (answer?.kind === 'answer') state = answer.state
      if (answer?.kind === 'done') made = answer.result
      if (answer === undefined || answer.kind === 'abort' || answer.kind === 'ban') {
        throw new Error(`the co-signer stopped: ${answer?.reason ?? ''}`)
      }
      return answer.response
    },
  }
}

/** Both parties of one run: the client's in the worker. */
const play = Effect.fn('test.play')(function* (client: Run, server: Run) {
  const cosigner = makeCosigner(server)
  const begun = yield* (yield* Mpc).begin(client)
  if ('kind' in begun) throw new Error(`not begun: ${begun.reason}`)
  let request = begun.request
  for (let round = 1; ; round++) {
    const progress = yield* begun.receive(round, cosigner.answer(request))
    switch (progress.kind) {
      case 'request':
        request = progress.request
        break
      case 'confirm':
        cosigner.answer(progress.request)
        return { client: progress.result, server: cosigner.made() ?? {} }
      case 'done':
        return { client: progress.result, server: cosigner.made() ?? {} }
      default:
        throw new Error(`the client stopped: ${progress.reason}`)
    }
  }
})

/** A key of two parties and a signature by both; what computed it is in the log. */
export const keygenAndSign = async (scheme: Scheme) => {
  const logs: string[] = []
  const runtime = ManagedRuntime.make(
    MpcWorker().pipe(
      Layer.provide(RandomWebCrypto),
      Layer.provide(
        Layer.succeed(Settings, {
          environment: 'DEV',
          // No server there: what came with the page has to do.
          hosts: { ...developmentHosts, portal: location.origin },
          apiKey: undefined,
          origin: location.origin,
          theme: {},
          mailLook: {},
          supportedWalletTypes: undefined,
        }),
      ),
      Layer.provideMerge(Logger.layer([Logger.make(({ message }) => void logs.push(String(message)))])),
      Layer.provideMerge(Layer.succeed(References.MinimumLogLevel, 'Info')),
    ),
  )
  const message = new Uint8Array(32).fill(5)
  const signed = await runtime.runPromise(
    Effect.gen(function* () {
      const keygen: Run = { context: contextOf('keygen', scheme) }
      const { client, server } = yield* play(keygen, keygen)
      const context = contextOf('sign', scheme, {
        attempt: new Uint8Array(16),
        shareId: client.share?.shareId ?? none,
        otId: client.otId ?? none,
        payload: { message, class: 'blind' },
      })
      const runOf = ({ share, ot }: Result): Run => ({
        context,
        ...(share === undefined ? {} : { share }),
        ...(ot === undefined ? {} : { ot }),
      })
      const signature = yield* play(runOf(client), runOf(server))
      return { keys: [client.share?.publicKey, server.share?.publicKey], signature: signature.client.signature }
    }),
  )
  await runtime.dispose()
  return {
    logs,
    message: bytesToHex(message),
    keys: signed.keys.map((key) => bytesToHex(key ?? none)),
    signature: bytesToHex(signed.signature ?? none),
  }
}
