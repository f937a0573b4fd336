import * as Effect from 'effect/Effect'
import * as References from 'effect/References'
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
})
