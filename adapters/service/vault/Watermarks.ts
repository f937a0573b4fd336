/**
 * Watermarks in a file that only grows: one line per mark, flushed before `raise` is done. What another process on the
 * same folder appended is read before it counts. No process puts a shorter file in its place, because another that has this one open
 * would go on to append to what is not there any more (adapters/service/vault/README.md#watermarks).
 */
import { appendFileSync, closeSync, fsyncSync, fstatSync, mkdirSync, openSync, readSync } from 'node:fs'
import { dirname } from 'node:path'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { Watermarks, type Mark } from '../../../domain/service/ports/Watermarks.ts'
import { flushOf, requireSameFile, syncFolder } from './keyFile.ts'

/** How much of a file is in memory at a time, in bytes. */
export const pieceLength = 1 << 20

export const WatermarksFile = (file: string): Layer.Layer<Watermarks> =>
  Layer.effect(
    Watermarks,
    Effect.gen(function* () {
      const opened = yield* Effect.acquireRelease(
        Effect.sync(() => openWatermarks(file)),
        ({ close }) => Effect.sync(close),
      )
      return Watermarks.of({
        raise: (name, value) => Effect.sync(() => opened.raise([[name, value]])),
        raiseAll: (watermarks) => Effect.sync(() => opened.raise(watermarks)),
        read: (name) => Effect.sync(() => opened.read(name)),
      })
    }),
  )

/** Of a process whose roles have no folder of the co-signers: a mark that it cannot know never counts as 0. */
export const noWatermarks = Layer.succeed(Watermarks, {
  raise: (name) => Effect.die(noFolder(name)),
  raiseAll: (watermarks) => Effect.die(noFolder(watermarks.map(([name]) => name).join())),
  read: (name) => Effect.die(noFolder(name)),
})

const noFolder = (name: string) =>
  new Error(`the mark ${name} is in COSIGNER_FOLDER, which processes without the roles api and cosigner do not open`)

/** The same as `raise` of the file for many. What is higher in the file stays. Durable when it returns. */
export const raiseWatermarks = (file: string, watermarks: Iterable<Mark>): void => {
  const opened = openWatermarks(file)
  try {
    opened.raise(watermarks)
  } finally {
    opened.close()
  }
}

const openWatermarks = (file: string) => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const handle = openSync(file, 'a+', 0o600)
  syncFolder(dirname(file))
  const { watermarks, take, isWithinLine } = readWatermarks()
  let readTo = 0
  const beginFlush = flushOf(handle, file)

  const sync = () => {
    const done = beginFlush()
    if (done === undefined) return
    fsyncSync(handle)
    done()
  }

  const catchUp = () => {
    requireSameFile(handle, file)
    const { size } = fstatSync(handle)
    if (size < readTo)
      throw new Error(`${file} is shorter than it was: marks are lost, and nothing goes on without them`)
    while (readTo < size) {
      const appended = Buffer.alloc(Math.min(size - readTo, pieceLength))
      const length = readSync(handle, appended, 0, appended.length, readTo)
      if (length === 0) return
      readTo += length
      take(appended.subarray(0, length))
    }
  }

  const isRaised = ([name, value]: Mark) => value <= (watermarks.get(name) ?? 0)

  return {
    read: (name: string): number => {
      catchUp()
      return watermarks.get(name) ?? 0
    },
    raise: (wanted: Iterable<Mark>): void => {
      catchUp()
      const raised = [...wanted].filter((mark) => !isRaised(mark))
      if (raised.length === 0) return sync()
      // A line that a power cut left unfinished stays alone on its line.
      let text = isWithinLine() ? '\n' : ''
      for (const [name, value] of raised) {
        text += `${value} ${name}\n`
        if (text.length < pieceLength) continue
        appendFileSync(handle, text)
        text = ''
      }
      appendFileSync(handle, text)
      sync()
      catchUp()
      if (!raised.every(isRaised)) throw new Error(`${file} does not have a mark that was written to it`)
    },
    close: () => closeSync(handle),
  }
}

/** The marks of lines `<value> <name>` that come in pieces, the highest of each name; whatever else stands on a line is none. */
export const readWatermarks = () => {
  const watermarks = new Map<string, number>()
  let rest = Buffer.alloc(0)

  const keep = (line: string) => {
    const [value = '', name = ''] = line.split(' ')
    const watermark = Number(value)
    if (Number.isSafeInteger(watermark) && watermark > (watermarks.get(name) ?? 0)) watermarks.set(name, watermark)
  }

  return {
    watermarks: watermarks as ReadonlyMap<string, number>,
    isWithinLine: () => rest.length > 0,
    take: (appended: Buffer): void => {
      const bytes = Buffer.concat([rest, appended])
      let from = 0
      for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, from)) {
        // A text of its own: a part of a larger one would keep all of that in memory.
        keep(bytes.toString('utf8', from, end))
        from = end + 1
      }
      rest = bytes.subarray(from)
    },
  }
}

const newline = 0x0a
