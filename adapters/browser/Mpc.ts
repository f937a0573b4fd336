/** The protocols' steps on the calling thread, which is how Node runs them. */
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { Mpc } from '../../domain/client/ports/Mpc.ts'
import { Random } from '../../domain/client/ports/Random.ts'
import { begin } from '../../domain/mpc/ClientRun.ts'
import { noble } from '../../domain/mpc/dkls/noble.ts'
import { abort } from '../../domain/mpc/Protocol.ts'
import { protocolOf } from '../../domain/mpc/protocols.ts'

export const MpcInline = Layer.effect(
  Mpc,
  Effect.map(Random, ({ source }) => ({
    begin: (run) =>
      Effect.sync(() => {
        const protocol = protocolOf(run.context.scheme, run.context.kind)
        if (protocol === undefined) return abort('the scheme has no such protocol')
        const begun = begin(protocol, { ...run, random: source, arithmetic: noble })
        if ('kind' in begun) return begun
        return {
          request: begun.request,
          receive: (round: number, response: Uint8Array) => Effect.sync(() => begun.receive(round, response)),
        }
      }),
  })),
)
