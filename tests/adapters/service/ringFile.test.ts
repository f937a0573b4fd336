/** The key ring in a file: what is taken for one, and when a process that runs sees that it was replaced. */
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { lookEveryMs, ringKey } from '../../../adapters/service/vault/KeyRing.ts'
import { createRing, readRing, replaceRing, ringAt, type RingFile } from '../../../adapters/service/vault/ringFile.ts'
import { runLimits } from '../../../domain/service/Run.ts'

const folder = mkdtempSync(join(tmpdir(), 'tandem-ring-'))
afterAll(() => rmSync(folder, { recursive: true }))

let made = 0
const ringFile = (changes: Partial<RingFile> = {}): RingFile => {
  const path = join(folder, `${++made}.json`)
  return { ring: 'service', path, before: `${path}.before`, environment: 'PROD', ...changes }
}
const bytes = (value: number) => new Uint8Array(32).fill(value)
const hex = (value: number) => Buffer.from(bytes(value)).toString('hex')
const [first, second, third] = [ringKey(bytes(1), 0), ringKey(bytes(2), 1), ringKey(bytes(3), 2)]

const refusal = (use: () => unknown) => {
  try {
    use()
    return 'accepted'
  } catch (cause) {
    return cause instanceof Error ? cause.message : 'something else'
  }
}

describe('a ring’s file', () => {
  it('is made once, with one key, readable by its owner alone', () => {
    const file = ringFile()
    createRing(file)
    const text = readFileSync(file.path, 'utf8')
    createRing(file)

    expect(readFileSync(file.path, 'utf8')).toBe(text)
    expect(readRing(file)).toHaveLength(1)
    expect(statSync(file.path).mode & 0o777).toBe(0o600)
    expect(JSON.parse(text)).toMatchObject({ tandem: 'ring/1', ring: 'service' })
  })

  it('holds what it was replaced by, and nothing is left beside it', () => {
    const file = ringFile()
    replaceRing(file, [first, { ...second, rewrappedAt: 7 }])

    expect(readRing(file)).toEqual([first, { ...second, rewrappedAt: 7 }])
    expect(readdirSync(folder).filter((name) => name.startsWith(basename(file.path)))).toEqual([basename(file.path)])
    expect(statSync(file.path).mode & 0o777).toBe(0o600)
  })

  const keyOf = ({ id, activeFrom }: typeof first, value: number) => ({ id, key: hex(value), activeFrom })
  const good = { tandem: 'ring/1', ring: 'service', keys: [keyOf(first, 1), keyOf(second, 2)] }
  it.each<[string, unknown, string]>([
    ['no JSON', 'keys', 'is not a key ring of this version'],
    ['another version', { ...good, tandem: 'ring/2' }, 'is not a key ring of this version'],
    ['no keys', { ...good, keys: [] }, 'is not a key ring of this version'],
    [
      'a key of another length',
      { ...good, keys: [{ ...keyOf(first, 1), key: '01' }] },
      'is not a key ring of this version',
    ],
    [
      'another id than the key’s',
      { ...good, keys: [{ ...keyOf(first, 1), id: second.id }] },
      'is not a key ring of this version',
    ],
    ['keys out of order', { ...good, keys: [keyOf(second, 2), keyOf(first, 1)] }, 'is not a key ring of this version'],
    [
      'a time that is none',
      { ...good, keys: [{ ...keyOf(first, 1), activeFrom: -1 }] },
      'is not a key ring of this version',
    ],
    ['the other ring', { ...good, ring: 'cosigner' }, "is the ring 'cosigner', not 'service'"],
    ['development keys', { ...good, development: true }, 'holds development keys, which PROD does not accept'],
  ])('is refused with %s', (_, json, what) => {
    const file = ringFile()
    const write = (content: unknown) =>
      writeFileSync(file.path, typeof content === 'string' ? content : JSON.stringify(content), { mode: 0o600 })
    write(json)
    expect(refusal(() => ringAt(file))).toBe(`SERVICE_KEYS_FILE: ${file.path} ${what}.`)

    write(good)
    expect(refusal(() => ringAt(file))).toBe('accepted')
  })

  it('is refused if others can read it, outside of DEV', () => {
    const file = ringFile()
    createRing(file)
    for (const mode of [0o640, 0o604, 0o620]) {
      chmodSync(file.path, mode)
      expect(refusal(() => ringAt(file))).toMatch(/can be read by others than its owner/)
    }
  })

  it('is refused where it cannot be read', () => {
    const file = ringFile()
    mkdirSync(file.path)

    expect(refusal(() => ringAt(file))).toBe(`SERVICE_KEYS_FILE: ${file.path} cannot be read: EISDIR.`)
  })

  it('is taken for the one key of before while it is missing, and is refused where there is none', () => {
    const file = ringFile()
    expect(refusal(() => ringAt(file))).toBe(
      `SERVICE_KEYS_FILE: ${file.path} does not exist: bring it back from its copy, or, for a new deployment, run \`tandem kek create\`.`,
    )
    writeFileSync(file.before, hex(1), { mode: 0o600 })
    const ring = ringAt(file)
    expect([ring.isFiled(), ring.active()]).toEqual([false, first])

    replaceRing(file, [first, second])
    expect(ring.find(second.id)).toEqual(second)
    expect([ring.isFiled(), ring.active()]).toEqual([true, second])
  })
})

describe('a process that has read a ring', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance'] }))
  afterEach(() => void vi.useRealTimers())

  const ringOf = (...keys: Parameters<typeof replaceRing>[1]) => {
    const file = ringFile()
    replaceRing(file, keys)
    return { file, ring: ringAt(file) }
  }

  it('sees a new key within a second, and at once where it meets its id', () => {
    const { file, ring } = ringOf(first)
    replaceRing(file, [first, second])
    expect(ring.keys()).toEqual([first])
    vi.advanceTimersByTime(lookEveryMs)
    expect(ring.keys()).toEqual([first, second])

    replaceRing(file, [first, second, third])
    expect(ring.find(third.id)).toEqual(third)
  })

  it('takes runs that were sealed without it only if it saw it come, and for as long as such a run may live', () => {
    const file = ringFile()
    writeFileSync(file.before, hex(1), { mode: 0o600 })
    const waiting = ringAt(file)
    const taken = (ring = waiting) => [ring.isFiled(), ring.takesRunsOfBefore()]
    expect(taken()).toEqual([false, true])

    replaceRing(file, [first])
    vi.advanceTimersByTime(lookEveryMs)
    expect([taken(), taken(ringAt(file))]).toEqual([
      [true, true],
      [true, false],
    ])
    replaceRing(file, [first, second])
    vi.advanceTimersByTime(lookEveryMs + runLimits.life - 1)
    expect(taken()).toEqual([true, true])
    vi.advanceTimersByTime(1)
    expect(taken()).toEqual([true, false])
    rmSync(file.path)
    vi.advanceTimersByTime(lookEveryMs)
    expect(taken()).toEqual([true, false])
  })

  it('seals with a key from its time on, and opens with it before', () => {
    const coming = ringKey(bytes(4), Date.now() + 5_000)
    const { ring } = ringOf(first, coming)
    expect([ring.active().id, ring.find(coming.id)?.id]).toEqual([first.id, coming.id])
    vi.advanceTimersByTime(5_000)
    expect(ring.active().id).toBe(coming.id)
  })

  it('forgets a retired key, and keeps those that it has where the file is broken or gone', () => {
    const { file, ring } = ringOf(first, second)
    replaceRing(file, [second])
    vi.advanceTimersByTime(lookEveryMs)
    expect(ring.find(first.id)).toBeUndefined()

    writeFileSync(file.path, '{')
    vi.advanceTimersByTime(lookEveryMs)
    expect(ring.active()).toEqual(second)
    writeFileSync(file.before, hex(1), { mode: 0o600 })
    rmSync(file.path)
    vi.advanceTimersByTime(lookEveryMs)
    expect([ring.active(), ring.isFiled()]).toEqual([second, true])
    mkdirSync(file.path)
    vi.advanceTimersByTime(lookEveryMs)
    expect(ring.active()).toEqual(second)
    rmSync(file.path, { recursive: true })
    replaceRing(file, [second, third])
    vi.advanceTimersByTime(lookEveryMs)
    expect(ring.active()).toEqual(third)
  })
})
