/** The table of a run's states: the same on the page for auditors, and without a way around an open evaluation. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import {
  isUnfinished,
  requestEvent,
  standingOf,
  standings,
  transitions,
  type Event,
  type Move,
} from '../../../domain/service/protocol/transitions.ts'
import type { Round } from '../../../domain/service/Run.ts'

const page = readFileSync(new URL('../../../domain/mpc/README.md', import.meta.url), 'utf8')

const cell = (move: Move): string => {
  if (move.kind === 'nothing') return '–'
  if (move.kind !== 'end') return move.kind
  return move.spends ? `${move.to}, spent` : move.to
}

const events = Object.entries(transitions) as [Event, (typeof transitions)[Event]][]
const open = ['EVALUATING', 'CONSUMED'] as const
const ended = ['ABORTED', 'SUPERSEDED', 'BANNED'] as const

it('is on the page for auditors as it is in the code', () => {
  const columns = standings.filter((standing) => standing !== 'SUPERSEDED' && standing !== 'BANNED')
  const head = ['event', ...columns.map((one) => (one === 'NONE' ? 'no run' : one === 'ABORTED' ? 'ended' : one))]
  const rows = events.map(([event, moves]) => [event, ...columns.map((one) => cell(moves[one]))])
  const table = [head, head.map(() => '---'), ...rows].map((line) => `| ${line.join(' | ')} |\n`).join('')

  expect(page).toContain(`\n\n${table}\n`)
  for (const [, moves] of events) for (const one of ended) expect(moves[one]).toEqual(moves.ABORTED)
})

it('lets nothing that a client sends end an open evaluation', () => {
  const sent: readonly Event[] = [
    'request 1, allowed',
    'request 1, call missing',
    'request 1, call differs',
    'next request',
    'same request',
    'last request again',
    'other request',
    'request ahead of its turn',
    'superseded',
    'another begins',
    'given up',
  ]
  for (const event of sent) for (const standing of open) expect([event, transitions[event][standing].kind]).not.toContain('end')
})

it('spends the transfers of every open evaluation that ends without its verdict', () => {
  const verdicts: readonly Event[] = ['aborted', 'banned']
  for (const [event, moves] of events) {
    for (const standing of standings) {
      const move = moves[standing]
      if (move.kind !== 'end') continue
      const isOpen = open.some((one) => one === standing)
      expect([event, standing, move.spends]).toEqual([event, standing, isOpen && !verdicts.includes(event)])
    }
  }
})

it('leaves what has ended as it is', () => {
  for (const [event, moves] of events) {
    for (const standing of ['DONE', ...ended] as const) {
      expect(isUnfinished(standing)).toBe(false)
      expect([event, moves[standing].kind]).toEqual([event, expect.stringMatching(/^(over|nothing|stored)$/)])
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

  expect(standingOf({ kind: 'sign', state: 'RUNNING' }, [round(1, null)])).toBe('EVALUATING')
  expect(standingOf({ kind: 'sign', state: 'RUNNING' }, answered)).toBe('RUNNING')
  expect(standingOf({ kind: 'sign', state: 'CONSUMED' }, claimed)).toBe('CONSUMED')
  expect(standingOf({ kind: 'sign', state: 'WAITING' }, [round(1, null)])).toBe('WAITING')
  expect(standingOf({ kind: 'sign', state: 'ABORTED' }, [round(1, null)])).toBe('ABORTED')
  for (const kind of ['keygen', 'attach', 'refresh'] as const) {
    expect(standingOf({ kind, state: 'RUNNING' }, [round(1, null)])).toBe('RUNNING')
  }
})

it('tells what a request is to the rounds before it', () => {
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
