/**
 * Genuine messages in the wrong place: from another run, session, device, wallet or epoch, reflected to their sender,
 * or out of turn. Each run ends at once as an abort, never as a ban, because a network or a server that mixes messages
 * up must not lock a wallet. Then single fields of such messages in an honest one, which only a cheater sends.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { describe, expect, it } from 'vitest'
import type { Context } from '../../domain/mpc/Protocol.ts'
import * as Ed25519 from './ed25519.ts'
import { kernel, usualArithmetics } from './kernel.ts'
import * as Messages from './messages.ts'
import { by, deliver, find, run, type Outcome, type Position, type Setup } from './run.ts'
import { enrolSetup, keygenSetup, makeWallet, refreshed, refreshSetup, signSetup } from './wallet.ts'

const message = utf8ToBytes('hello')
const digest = sha256(message)

/** The setup with its context changed on both sides. */
const changed = (setup: Setup, changes: Partial<Context>, seed = setup.seed): Setup => ({
  ...setup,
  seed,
  client: { ...setup.client, context: { ...setup.client.context, ...changes } },
  server: { ...setup.server, context: { ...setup.server.context, ...changes } },
})

const otherWallet = { walletId: 'bbbbbbbb-bbbb-4ccc-8ddd-eeeeeeeeeeee' }

const dkls = makeWallet()
const nextDkls = refreshed(dkls, run(by(refreshSetup(dkls, 'next'), kernel)))
const otherDkls = makeWallet(changed(keygenSetup, otherWallet, 'another wallet'))

const ed = Ed25519.makeWallet()
const edRefreshed = run(Ed25519.refreshSetup(ed, 'next'))
const nextEd = { client: edRefreshed.client!.share!, server: edRefreshed.server!.share! }
const otherEd = Ed25519.makeWallet('another wallet', otherWallet)

/** A protocol of one wallet, of the same wallet in its next epoch, and of another wallet. */
type Case = {
  readonly own: Setup
  readonly next: Setup
  readonly other: Setup
  readonly messages: readonly Messages.Sent[]
}
const cases: Readonly<Record<string, Case>> = {
  'DKLS keygen': {
    messages: Messages.dkls.keygen,
    own: keygenSetup,
    next: changed(keygenSetup, { epoch: 2 }),
    other: changed(keygenSetup, otherWallet),
  },
  'DKLS attach': {
    messages: Messages.dkls.attach,
    own: enrolSetup(dkls, 'attach'),
    next: enrolSetup(nextDkls, 'attach'),
    other: enrolSetup(otherDkls, 'attach'),
  },
  'DKLS sign': {
    messages: Messages.dkls.sign,
    own: signSetup(dkls, digest, 'sign'),
    next: signSetup(nextDkls, digest, 'sign'),
    other: signSetup(otherDkls, digest, 'sign'),
  },
  'DKLS refresh': {
    messages: Messages.dkls.refresh,
    own: refreshSetup(dkls, 'refresh'),
    next: refreshSetup(nextDkls, 'refresh'),
    other: refreshSetup(otherDkls, 'refresh'),
  },
  'ED25519 keygen': {
    messages: Messages.ed25519.keygen,
    own: Ed25519.keygenSetup('keygen'),
    next: Ed25519.keygenSetup('keygen', { epoch: 2 }),
    other: Ed25519.keygenSetup('keygen', otherWallet),
  },
  'ED25519 sign': {
    messages: Messages.ed25519.sign,
    own: Ed25519.signSetup(ed, message, 'sign'),
    next: Ed25519.signSetup(nextEd, message, 'sign'),
    other: Ed25519.signSetup(otherEd, message, 'sign', otherWallet),
  },
  'ED25519 refresh': {
    messages: Messages.ed25519.refresh,
    own: Ed25519.refreshSetup(ed, 'refresh'),
    next: Ed25519.refreshSetup(nextEd, 'refresh'),
    other: Ed25519.refreshSetup(otherEd, 'refresh', otherWallet),
  },
}

/** Runs that differ from this one in who, where or when. */
const foreignTo = ({ own, next, other }: Case): readonly (readonly [string, Setup])[] => [
  ['another run', changed(own, { protocolId: '22222222-2222-4333-8444-555555555555' })],
  ['another attempt', changed(own, { attempt: new Uint8Array(16).fill(7) })],
  ['another device', changed(own, { deviceKeyThumb: new Uint8Array(32).fill(7) })],
  ['another user', changed(own, { userId: '88888888-8888-4777-8666-555555555555' })],
  ['another partner', changed(own, { partnerId: '22345678-1234-4123-8123-123456789abc' })],
  ['the next epoch', next],
  ['another wallet', other],
]

const finished = (setup: Setup): Outcome => {
  const outcome = run(by(setup, kernel))
  if (outcome.stopped !== undefined) throw new Error(`an honest run stopped: ${outcome.stopped.reason}`)
  return outcome
}

describe.each(Object.entries(cases))('%s', (name, all) => {
  const honest = finished(all.own)
  const foreign = foreignTo(all).map(([name, setup]) => [name, finished(setup)] as const)
  const again = finished(changed(all.own, {}, 'the same people once more'))

  describe.each(usualArithmetics)('by %s', (computer, arithmetic) => {
    const setup = by(all.own, arithmetic)
    /** Noble is slow with base OTs: one of them represents all where every field is tried. */
    const isSlow = computer === 'noble' && name.startsWith('DKLS') && name !== 'DKLS sign'
    const others = isSlow ? foreign.filter(([why]) => why === 'the next epoch') : foreign

    /** The receiver ends the run: no message follows. */
    const expectEnd = ({ to, round }: Position, bytes: Uint8Array, why: string) => {
      const { stopped, positions } = deliver(setup, honest, to, round, bytes)
      const { before } = find(honest, to, round)
      expect({ why, to, round, kind: stopped?.kind, by: stopped?.by, after: positions.length - before.length }).toEqual(
        {
          why,
          to,
          round,
          kind: 'abort',
          by: to,
          after: 1,
        },
      )
    }

    it.each(foreign)('refuses a message of %s', (name, outcome) => {
      for (const position of honest.positions) {
        if (position.message.length === 0) continue
        expectEnd(position, find(outcome, position.to, position.round).position.message, name)
      }
    })

    it('refuses a message of another session; a first request begins a session of its own, unknown to the peer', () => {
      for (const position of honest.positions) {
        if (position.message.length === 0) continue
        const other = find(again, position.to, position.round).position.message
        if (position.to === 'server' && position.round === 1) {
          const { stopped, positions } = deliver(setup, honest, 'server', 1, other)
          expect(stopped).toMatchObject({ kind: 'abort', by: 'client', reason: 'sid2' })
          expect(positions).toHaveLength(2)
        } else {
          expectEnd(position, other, 'another session')
        }
      }
    })

    it('refuses a message that is reflected, out of turn, doubled, truncated or empty', () => {
      for (const position of honest.positions) {
        const { message: genuine } = position
        if (genuine.length === 0) continue
        const wrong = [
          ...honest.positions.filter((other) => other !== position).map((other) => other.message),
          concatBytes(genuine, genuine),
          concatBytes(genuine, new Uint8Array(1)),
          genuine.subarray(0, genuine.length >> 1),
          genuine.subarray(0, -1),
          genuine.subarray(1),
          new Uint8Array(0),
        ]
        for (const bytes of wrong) expectEnd(position, bytes, `${bytes.length} bytes for ${genuine.length}`)
      }
    })

    it.each(all.messages)('$name: refuses a field of another session or epoch, and a reflected one', (sent) => {
      const { to, round, codec } = sent
      const { before } = find(honest, to, round)
      const fieldsOf = (outcome: Outcome) => codec.decode(find(outcome, to, round).position.message) ?? {}
      const own = fieldsOf(honest)
      const reflected = before.flatMap((earlier) => {
        const table = all.messages.find((one) => one.to === earlier.to && one.round === earlier.round)
        return earlier.to === to ? [] : [table?.codec.decode(earlier.message) ?? {}]
      })
      for (const [field, honestly] of Object.entries(own)) {
        const values = [
          ...[again, ...others.map(([, outcome]) => outcome)].map((outcome) => ({
            value: fieldsOf(outcome)[field],
            endsOf: Messages.endsOf,
          })),
          ...reflected.map((fields) => ({ value: fields[field], endsOf: Messages.endsOfReflected })),
        ]
        for (const [index, { value, endsOf }] of values.entries()) {
          if (value?.length !== honestly.length || Buffer.compare(value, honestly) === 0) continue
          const outcome = deliver(setup, honest, to, round, codec.encode({ ...own, [field]: value }))
          expect(endsOf(sent, field, value), `${field} ${index}`).toContain(Messages.endOf(outcome))
        }
      }
    })
  })
})
