import { InvalidArgumentError, Option } from 'commander'
import type { Ring } from '../../domain/service/ports/SealedTables.ts'
import { counted } from '../service/counted.ts'
import type { Call, Verb } from './Verb.ts'

const rings: readonly Ring[] = ['service', 'cosigner']

const ringOption = () => [new Option('--ring <RING>', 'the key ring').choices(rings).makeOptionMandatory()]

/** Commander has checked it. */
const ringOf = (call: Call): Ring => (call.option('ring') === 'service' ? 'service' : 'cosigner')

const countOf = (text: string): string => {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It is a number of capsules, as `kek status` tells it.')
  return text
}

/** Data goes to stdout alone. */
const progress = (count: number): void => void process.stderr.write(`${counted(count, 'record')} sealed anew\n`)

export const kekVerbs: readonly Verb[] = [
  {
    name: 'kek create',
    takes: [],
    says: 'both key rings of a new deployment',
    run: async ({ variables }) => (await import('./kek.ts')).createKek(variables),
  },
  {
    name: 'kek status',
    takes: [],
    says: 'the keys of both rings, and what needs them',
    run: async ({ variables }) => (await import('./kek.ts')).kekStatus(variables),
  },
  {
    name: 'kek rotate',
    takes: [],
    says: 'makes a key, and seals everything of its ring anew',
    options: ringOption,
    changes: true,
    run: async (call) => (await import('./kek.ts')).rotateKek(call, ringOf(call), progress),
  },
  {
    name: 'kek retire',
    takes: ['KEY'],
    says: 'removes a key that nothing needs any more',
    options: () => [
      ...ringOption(),
      new Option('--abandon-capsules <COUNT>', 'at most so many devices’ capsules are given up').argParser(countOf),
    ],
    changes: true,
    beforeAsking: async (call) =>
      (await import('./kek.ts')).knownNotRetirable(call.variables, ringOf(call), call.given[0] ?? ''),
    asks: ([key = '']) => `key ${key} leaves the ring, and what it seals in copies of the database opens no more.`,
    run: async (call) => {
      const abandoned = Number(call.option('abandonCapsules') ?? 0)
      return (await import('./kek.ts')).retireKek(call, { ring: ringOf(call), id: call.given[0] ?? '', abandoned })
    },
  },
  {
    name: 'kek split',
    takes: [],
    says: 'makes two rings of the one key that versions before had',
    changes: true,
    run: async (call) => (await import('./kek.ts')).splitKek(call, progress),
  },
]
