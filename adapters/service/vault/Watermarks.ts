/**
 * Watermarks in a file that only grows: one line per mark, flushed before `raise` is done. What another process on the
 * same folder appended is read before it counts.
 */
import { closeSync, fsyncSync, fstatSync, mkdirSync, openSync, readSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { Watermarks } from '../../../domain/service/ports/Watermarks.ts'

export const WatermarksFile = (file: string): Layer.Layer<Watermarks> =>
  Layer.effect(
    Watermarks,
    Effect.gen(function* () {
      const handle = yield* Effect.acquireRelease(
        Effect.sync(() => {
          mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
          return openSync(file, 'a+', 0o600)
        }),
        (opened) => Effect.sync(() => closeSync(opened)),
      )
      const watermarks = new Map<string, number>()
      let readTo = 0
      let rest = ''

      const keep = (line: string) => {
        const [value = '', name = ''] = line.split(' ')
        const watermark = Number(value)
        if (Number.isSafeInteger(watermark) && watermark > (watermarks.get(name) ?? 0)) watermarks.set(name, watermark)
      }

      const catchUp = () => {
        const { size } = fstatSync(handle)
        if (size <= readTo) return
        const appended = Buffer.alloc(size - readTo)
        readTo += readSync(handle, appended, 0, appended.length, readTo)
        const lines = `${rest}${appended.toString('utf8')}`.split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) keep(line)
      }

      return Watermarks.of({
        raise: (name, value) =>
          Effect.sync(() => {
            catchUp()
            if (value <= (watermarks.get(name) ?? 0)) return
            // A line that a power cut left unfinished stays alone on its line.
            writeSync(handle, `${rest === '' ? '' : '\n'}${value} ${name}\n`)
            fsyncSync(handle)
            catchUp()
          }),
        read: (name) =>
          Effect.sync(() => {
            catchUp()
            return watermarks.get(name) ?? 0
          }),
      })
    }),
  )
