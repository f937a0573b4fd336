import { join } from 'node:path'
import * as Effect from 'effect/Effect'
import * as References from 'effect/References'
import { ESLint, Linter } from 'eslint'
import { afterEach, describe, expect, it, vi } from 'vitest'
import * as packaged from '../../react/pack/packagedEffect.ts'

const said = (level: 'debug' | 'info' | 'warn') => vi.spyOn(console, level).mockReturnValue(undefined)

describe('the package’s Effect', () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  it('writes the lines of the app’s level and above to the console, with the error of a cause', async () => {
    const [debug, info, warn] = [said('debug'), said('info'), said('warn')]
    const error = new Error('a listener threw')
    const flow = Effect.catchCause(Effect.fail(error), (cause) => packaged.logWarning('said', cause))
    const lines = Effect.all([packaged.logDebug('left out'), packaged.logInfo('told'), flow])
    await Effect.runPromise(Effect.provideService(lines, References.MinimumLogLevel, 'Info'))

    expect(debug.mock.calls).toEqual([])
    expect(info.mock.calls).toEqual([['told']])
    expect(warn.mock.calls).toEqual([['said', error]])
  })

  it('ignores failures, and defects only by ignoreCause', async () => {
    const defect = Effect.die(new Error('a defect'))

    await expect(Effect.runPromise(packaged.ignore(Effect.fail('refused')))).resolves.toBeUndefined()
    await expect(Effect.runPromise(packaged.ignore(defect))).rejects.toThrow('a defect')
    await expect(Effect.runPromise(packaged.ignoreCause(defect))).resolves.toBeUndefined()
  })

  it('keeps what a flow without spans answers and how it fails', async () => {
    const flow = packaged.fn('named')(function* (count: number) {
      return count === 0 ? yield* Effect.fail('none') : count
    })

    expect(await Effect.runPromise(packaged.withSpan('named')(flow(2)))).toBe(2)
    expect(await Effect.runPromise(Effect.flip(flow(0)))).toBe('none')
  })

  it('has the forms that the lint of bundled code lets through', async () => {
    const overrideConfigFile = join(import.meta.dirname, '..', 'eslint.config.js')
    const { rules } = (await new ESLint({ overrideConfigFile }).calculateConfigForFile('domain/client/sign.ts')) as {
      readonly rules: Linter.RulesRecord
    }
    const isRefused = (code: string): boolean =>
      new Linter().verify(code, { rules: { 'no-restricted-syntax': rules['no-restricted-syntax'] ?? 'off' } }).length >
      0
    const given = [
      `import * as Effect from 'effect/Effect'`,
      `Effect.fn('name')(function* () {})`,
      `flow.pipe(Effect.withSpan('name'), Effect.ignore, Effect.ignoreCause)`,
      `Effect.ignore(flow)`,
    ]
    const others = [
      `import { ignore } from 'effect/Effect'`,
      `import * as Other from 'effect/Effect'`,
      `Effect.fn(function* () {})`,
      `Effect.withSpan(flow, 'name')`,
      `flow.pipe(Effect.ignore({ log: true }))`,
      `Effect.ignore(flow, { log: true })`,
      `flow.pipe(Effect.ignoreCause({ log: true }))`,
    ]

    expect(given.filter(isRefused)).toEqual([])
    expect(others.filter((code) => !isRefused(code))).toEqual([])
  })
})
