/**
 * Both parties of a protocol in one process. A run is a list of positions, each a message about to be delivered with
 * all that its receiver knows, so that a test can change any message of a run and play on from there.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { expand } from '../../domain/crypto/expand.ts'
import { u32 } from '../../domain/crypto/Transcript.ts'
import type { Arithmetic } from '../../domain/mpc/Arithmetic.ts'
import { noble } from '../../domain/mpc/noble.ts'
import type {
  Abort,
  Ban,
  Context,
  Kind,
  Protocol,
  RandomBytes,
  Result,
  ServerAnswer,
  ServerInput,
} from '../../domain/mpc/Protocol.ts'
import type { ShareRecord } from '../../domain/mpc/ShareRecord.ts'

export type Party = {
  readonly context: Context
  readonly share?: ShareRecord
  readonly ot?: Uint8Array
  /** The test's arithmetic in place of noble's: a party that cheats is one with another arithmetic. */
  readonly arithmetic?: Partial<Arithmetic>
}

export type Setup = {
  readonly protocol: Protocol
  readonly client: Party
  readonly server: Party
  /** Everything random of either party comes from it. */
  readonly seed: string
}

export type Position = {
  readonly to: 'client' | 'server'
  /** 1 for the first request and its response. */
  readonly round: number
  readonly message: Uint8Array
  readonly clientState: Uint8Array
  readonly serverState: Uint8Array
  readonly requestHashes: readonly Uint8Array[]
}

export type Outcome = {
  readonly positions: readonly Position[]
  /** Which party stopped the run and how, if one did. */
  readonly stopped?: (Abort | Ban) & { readonly by: 'client' | 'server' }
  readonly client?: Result
  readonly server?: Result
}

/** The run with each party on an arithmetic of its own. */
export const by = (setup: Setup, client: Arithmetic, server: Arithmetic = client): Setup => ({
  ...setup,
  client: { ...setup.client, arithmetic: client },
  server: { ...setup.server, arithmetic: server },
})

/** A reproducible source of bytes. */
export const seededRandom = (seed: string): RandomBytes => {
  let calls = 0
  return (length) => expand('tandem/test/random', [seed, u32(calls++)], length)
}

/** The random seed of the server's run. */
export const runSeed = (setup: Pick<Setup, 'seed'>): Uint8Array => expand('tandem/test/seed', [setup.seed], 32)

export const serverInput = (setup: Setup, position: Position): ServerInput => ({
  ...setup.server,
  arithmetic: { ...noble, ...setup.server.arithmetic },
  seed: runSeed(setup),
  requestHashes: [...position.requestHashes, sha256(position.message)],
  state: position.serverState,
  request: position.message,
})

export const serverStep = (setup: Setup, position: Position): ServerAnswer => {
  const step = setup.protocol.server[position.round - 1]
  if (step === undefined) throw new RangeError('no such step')
  return step(serverInput(setup, position))
}

/** The input of the client's step before any response (0) or for response n. */
export const clientInput = (setup: Setup, round: number) => ({
  ...setup.client,
  arithmetic: { ...noble, ...setup.client.arithmetic },
  random: seededRandom(`${setup.seed}/client/${round}`),
})

export const clientStep = (setup: Setup, position: Position) => {
  const step = setup.protocol.client[position.round - 1]
  if (step === undefined) throw new RangeError('no such step')
  const input = clientInput(setup, position.round)
  return step({ ...input, state: position.clientState, response: position.message })
}

/** Plays from a position to the end. `before` are the positions that led there. */
export const playOn = (setup: Setup, from: Position, before: readonly Position[] = []): Outcome => {
  const positions = [...before, from]
  let at = from
  let client: Result | undefined
  for (;;) {
    if (at.to === 'server') {
      const answer = serverStep(setup, at)
      if (answer.kind === 'abort' || answer.kind === 'ban') return { positions, stopped: { ...answer, by: 'server' } }
      const requestHashes = [...at.requestHashes, sha256(at.message)]
      const message = answer.response
      if (answer.kind === 'done' && client !== undefined) {
        return { positions: [...positions, { ...at, to: 'client', message }], client, server: answer.result }
      }
      const serverState = answer.kind === 'done' ? new Uint8Array(0) : answer.state
      at = { ...at, to: 'client', message, serverState, requestHashes }
      positions.push(at)
      if (answer.kind === 'done') {
        const last = clientStep(setup, at)
        if (last.kind === 'abort' || last.kind === 'ban') return { positions, stopped: { ...last, by: 'client' } }
        if (last.kind !== 'done') throw new Error('the client goes on after the end')
        return { positions, client: last.result, server: answer.result }
      }
    } else {
      const answer = clientStep(setup, at)
      if (answer.kind === 'abort' || answer.kind === 'ban') return { positions, stopped: { ...answer, by: 'client' } }
      if (answer.kind === 'done') return { positions, client: answer.result }
      if (answer.kind === 'confirm') client = answer.result
      const clientState = answer.kind === 'request' ? answer.state : new Uint8Array(0)
      at = { ...at, to: 'server', round: at.round + 1, message: answer.request, clientState }
      positions.push(at)
    }
  }
}

export const run = (setup: Setup): Outcome => {
  const begun = setup.protocol.start(clientInput(setup, 0))
  if (begun.kind === 'abort') return { positions: [], stopped: { ...begun, by: 'client' } }
  const empty = new Uint8Array(0)
  return playOn(setup, {
    to: 'server',
    round: 1,
    message: begun.request,
    clientState: begun.state,
    serverState: empty,
    requestHashes: [],
  })
}

/** The position at which request or response `round` of a run is delivered, and those before it. */
export const find = (outcome: Outcome, to: Position['to'], round: number) => {
  const index = outcome.positions.findIndex((position) => position.to === to && position.round === round)
  const position = outcome.positions[index]
  if (position === undefined) throw new RangeError(`no ${to} ${round}`)
  return { position, before: outcome.positions.slice(0, index) }
}

/** The run again from that position on, with another message. */
export const deliver = (
  setup: Setup,
  outcome: Outcome,
  to: Position['to'],
  round: number,
  message: Uint8Array,
): Outcome => {
  const { position, before } = find(outcome, to, round)
  return playOn(setup, { ...position, message }, before)
}

export const contextOf = (kind: Kind, changes: Partial<Context> = {}): Context => ({
  kind,
  scheme: 'DKLS',
  protocolId: '11111111-2222-4333-8444-555555555555',
  walletId: 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee',
  userId: '99999999-8888-4777-8666-555555555555',
  partnerId: '12345678-1234-4123-8123-123456789abc',
  deviceKeyThumb: sha256(utf8ToBytes('device key')),
  epoch: 1,
  attempt: sha256(utf8ToBytes('attempt')).subarray(0, 16),
  shareId: new Uint8Array(0),
  otId: new Uint8Array(0),
  rootPublicKey: sha256(utf8ToBytes('root key')),
  ...changes,
})
