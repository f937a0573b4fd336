/**
 * No other chance or time. A process that imports this before anything else has node's and the web's randomness from the schedule's
 * stream, and every use of the machine's clock, timers and randomness counted: a schedule that leaks is not repeatable.
 * `laterVariable` puts the machine's clock ahead: what a schedule does on another day is the same.
 */
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { laterVariable } from './messages.ts'

/** Where bytes come from while a schedule runs. */
export const chance = {
  isGuarded: false,
  bytes: (length: number): Uint8Array => new Uint8Array(length),
}

/** What was used, by name and caller, and how often. */
export const leaks = new Map<string, number>()

const later = Number(process.env[laterVariable] ?? 0)

const own = `${import.meta.url}:`

const count = (name: string): void => {
  if (!chance.isGuarded) return
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 8
  const [, ...callers] = new Error().stack?.split('\n') ?? []
  const caller = callers.find((line) => !line.includes(own) && !line.includes('(<anonymous>)'))?.trim() ?? ''
  Error.stackTraceLimit = limit
  const where = `${name} ${caller.replace(/^.*\/(tests|domain|adapters|node_modules)\//, '$1/')}`
  leaks.set(where, (leaks.get(where) ?? 0) + 1)
}

export const uuidOf = (bytes: Uint8Array): `${string}-${string}-${string}-${string}-${string}` => {
  const made = Uint8Array.from(bytes)
  made[6] = ((made[6] ?? 0) & 15) | 64
  made[8] = ((made[8] ?? 0) & 63) | 128
  const hex = Buffer.from(made).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

const drawn = <A>(name: string, make: () => A): A => {
  count(name)
  return make()
}

Object.assign(crypto, {
  randomBytes: (length: number) => drawn('randomBytes', () => Buffer.from(chance.bytes(length))),
  randomUUID: () => drawn('randomUUID', () => uuidOf(chance.bytes(16))),
  randomInt: (below: number) => drawn('randomInt', () => (chance.bytes(1)[0] ?? 0) % below),
  randomFillSync: (into: Uint8Array) =>
    drawn('randomFillSync', () => {
      into.set(chance.bytes(into.length))
      return into
    }),
})
syncBuiltinESMExports()

/** A stream of the process, of no schedule: how often it is drawn from depends on caches that outlive a schedule. */
const apart = (seed: number) => {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return state >>> 16
  }
}

/** noble blinds its multiplications: no result depends on these bytes. */
const blinding = apart(1)
const blind = <A extends NodeJS.ArrayBufferView>(into: A): A => {
  count('getRandomValues')
  const bytes = new Uint8Array(into.buffer, into.byteOffset, into.byteLength)
  for (let at = 0; at < bytes.length; at++) bytes[at] = blinding()
  return into
}
Object.assign(globalThis.crypto, {
  getRandomValues: blind,
  randomUUID: () => drawn('web randomUUID', () => uuidOf(chance.bytes(16))),
})

/** Effect hashes objects by it, and then compares them: the order of no collection depends on it. */
const hashing = apart(2)
Math.random = () => drawn('Math.random', () => hashing() / 0x1_0000)

const machineNow = Date.now
const now = () => machineNow() + later
globalThis.Date = new Proxy(Date, {
  construct: (target, given: readonly unknown[], made) =>
    Reflect.construct(target, given.length === 0 ? [drawn('new Date', now)] : given, made) as Date,
  apply: (target) => new target(drawn('Date', now)).toString(),
  get: (target, name, of) =>
    name === 'now' ? () => drawn('Date.now', now) : (Reflect.get(target, name, of) as unknown),
})
const machineElapsed = performance.now.bind(performance)
performance.now = () => drawn('performance.now', () => machineElapsed() + later)

/** Of the machine: counted, and left as they are, because what starts before a schedule may need them. */
const counted =
  <A extends unknown[], R>(name: string, work: (...given: A) => R) =>
  (...given: A): R =>
    drawn(name, () => work(...given))
const { setTimeout, setInterval, setImmediate } = globalThis
Object.assign(globalThis, {
  setTimeout: counted('setTimeout', setTimeout),
  setInterval: counted('setInterval', setInterval),
  setImmediate: counted('setImmediate', setImmediate),
})
