/** The table of a run's states: the same in the README beside it, and without a way around an open evaluation. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import {
  isUnfinished,
  requestEvent,
  runStatusOf,
  transitions,
  type Event,
  type Move,
  type RunStatus,
} from '../../../domain/service/protocol/transitions.ts'
import type { Round } from '../../../domain/service/Run.ts'

const root = new URL('../../../', import.meta.url)
const page = readFileSync(new URL('domain/service/protocol/README.md', root), 'utf8')
/** The page for auditors. */
const auditors = readFileSync(new URL('domain/mpc/README.md', root), 'utf8')

const cell = (move: Move): string => {
  if (move.kind === 'nothing') return '–'
  if (move.kind !== 'end') return move.kind
  return move.spends ? `${move.to}, spent` : move.to
}

const events = Object.entries(transitions) as [Event, (typeof transitions)[Event]][]
const runStatuses = Object.keys(transitions['next request']) as RunStatus[]
const open = ['EVALUATING', 'CONSUMED'] as const
const ended = ['ABORTED', 'SUPERSEDED', 'BANNED'] as const

it('is in the README as it is in the code', () => {
  const columns = runStatuses.filter((status) => status !== 'SUPERSEDED' && status !== 'BANNED')
  const head = ['event', ...columns.map((one) => (one === 'NONE' ? 'no run' : one === 'ABORTED' ? 'ended' : one))]
  const rows = events.map(([event, moves]) => [event, ...columns.map((one) => cell(moves[one]))])
  const lines = [head, head.map(() => '---'), ...rows].map((line) => `| ${line.join(' | ')} |\n`)
  const table = `\n\n${lines.join('')}\n`

  expect(page).toContain(table)
  expect(auditors).toContain(table)
  for (const [, moves] of events) for (const one of ended) expect(moves[one]).toEqual(moves.ABORTED)
})

it('lets no request of a client end an open evaluation', () => {
  const sent: readonly Event[] = [
    'request 1, allowed',
    'request 1, call missing',
    'request 1, call differs',
    'request 1, not let through',
    'next request',
    'same request',
    'last request again',
    'other request',
    'request ahead of its turn',
    'superseded',
    'another begins',
    'given up',
  ]
  for (const event of sent)
    for (const status of open) expect([event, transitions[event][status].kind]).not.toContain('end')
})

it('deletes the transfers of every open evaluation that ends without its verdict', () => {
  const verdicts: readonly Event[] = ['aborted', 'banned']
  for (const [event, moves] of events) {
    for (const status of runStatuses) {
      const move = moves[status]
      if (move.kind !== 'end') continue
      const isOpen = open.some((one) => one === status)
      expect([event, status, move.spends]).toEqual([event, status, isOpen && !verdicts.includes(event)])
    }
  }
})

it('does not change a run that has ended', () => {
  for (const [event, moves] of events) {
    for (const status of ['DONE', ...ended] as const) {
      expect(isUnfinished(status)).toBe(false)
      expect([event, moves[status].kind]).toEqual([event, expect.stringMatching(/^(over|nothing|stored)$/)])
    }
  }
})

const round = (step: number, responseHash: string | null): Round => ({
  step,
  requestHash: `request ${step}`,
  messageHash: '',
  responseHash,
  sealedState: null,
})

it('calls a signature with a claimed and unanswered round an open evaluation, and no setup', () => {
  const [answered, claimed] = [[round(1, 'answer')], [round(1, 'answer'), round(2, null)]]

  expect(runStatusOf({ kind: 'sign', state: 'RUNNING' }, [round(1, null)])).toBe('EVALUATING')
  expect(runStatusOf({ kind: 'sign', state: 'RUNNING' }, answered)).toBe('RUNNING')
  expect(runStatusOf({ kind: 'sign', state: 'CONSUMED' }, claimed)).toBe('CONSUMED')
  expect(runStatusOf({ kind: 'sign', state: 'WAITING' }, [round(1, null)])).toBe('WAITING')
  expect(runStatusOf({ kind: 'sign', state: 'ABORTED' }, [round(1, null)])).toBe('ABORTED')
  for (const kind of ['keygen', 'attach', 'refresh'] as const) {
    expect(runStatusOf({ kind, state: 'RUNNING' }, [round(1, null)])).toBe('RUNNING')
  }
})

it('classifies a request by the rounds before it', () => {
  const eventOf = (rounds: readonly Round[], step: number, requestHash = `request ${step}`) =>
    requestEvent(rounds, { step, requestHash, lastStep: 2 })
  const [claimed, answered] = [[round(1, null)], [round(1, 'answer')]]

  expect(eventOf(claimed, 1)).toBe('same request')
  expect(eventOf(claimed, 1, 'other')).toBe('other request')
  expect(eventOf(claimed, 2)).toBe('request ahead of its turn')
  expect(eventOf(answered, 2)).toBe('next request')
  expect(eventOf(answered, 3)).toBe('request ahead of its turn')
  expect(eventOf([...answered, round(2, null)], 2)).toBe('last request again')
})
