/** Runs of the protocols on the thread that loads this: the worker's, or without a worker the page's. */
import type { Run } from '../../domain/client/ports/Mpc.ts'
import { begin, type ClientRun } from '../../domain/mpc/ClientRun.ts'
import type { Arithmetic } from '../../domain/mpc/Arithmetic.ts'
import { abort, type Abort, type RandomBytes } from '../../domain/mpc/Protocol.ts'
import { protocolOf } from '../../domain/mpc/protocols.ts'

export const beginRun = (run: Run, random: RandomBytes, arithmetic: Arithmetic): ClientRun | Abort => {
  const protocol = protocolOf(run.context.scheme, run.context.kind)
  if (protocol === undefined) return abort('the scheme has no such protocol')
  return begin(protocol, { ...run, random, arithmetic })
}
