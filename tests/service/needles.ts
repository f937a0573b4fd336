/** Looks for secrets in heaps of bytes: as they are, in hexadecimal digits and in base64, wherever they begin. */

export type Needle = {
  readonly name: string
  readonly bytes: Uint8Array
  /** Short enough to occur by chance: it counts only where no letter or digit is beside it. */
  readonly alone?: boolean
}

export const textNeedle = (name: string, text: string): Needle => ({ name, bytes: Buffer.from(text, 'utf8') })

/** Names of the needles that are in the heap, in any spelling. */
export const foundIn = (heap: Uint8Array, needles: readonly Needle[]): readonly string[] => {
  const forms = needles.flatMap((needle) => spellingsOf(needle.bytes).map((form) => ({ needle, form })))
  const byHead = new Map<number, { readonly needle: Needle; readonly form: Buffer }[]>()
  for (const { needle, form } of forms) {
    const head = form.readUInt16LE(0)
    byHead.set(head, [...(byHead.get(head) ?? []), { needle, form }])
  }
  const buffer = Buffer.from(heap.buffer, heap.byteOffset, heap.byteLength)
  const found = new Set<string>()
  for (let at = 0; at + 1 < buffer.length; at++) {
    const candidates = byHead.get((buffer[at] ?? 0) | ((buffer[at + 1] ?? 0) << 8))
    if (candidates === undefined) continue
    for (const { needle, form } of candidates) {
      if (buffer.compare(form, 0, form.length, at, Math.min(at + form.length, buffer.length)) !== 0) continue
      if (needle.alone === true && !isAlone(buffer, at, form.length)) continue
      found.add(needle.name)
    }
  }
  return [...found].sort()
}

/** The bytes themselves and their texts; of base64 the part that does not depend on neighbouring bytes. */
const spellingsOf = (bytes: Uint8Array): readonly Buffer[] => {
  const own = Buffer.from(bytes)
  if (own.length < 6) throw new RangeError('too short to look for')
  const texts = [own.toString('hex'), own.toString('hex').toUpperCase(), ...base64Of(own)]
  const again = texts.flatMap((text) => {
    const spelled = Buffer.from(text)
    return [spelled.toString('hex'), ...base64Of(spelled)]
  })
  return [own, ...[...texts, ...again].map((text) => Buffer.from(text))]
}

const base64Of = (bytes: Buffer): readonly string[] =>
  [0, 1, 2].flatMap((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes])
    const fromStart = Math.ceil((before * 8) / 6)
    const core = whole.toString('base64').slice(fromStart, Math.floor((whole.length * 8) / 6))
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')]
  })

const isAlone = (buffer: Buffer, at: number, length: number): boolean =>
  !isWord(buffer[at - 1]) && !isWord(buffer[at + length])

const isWord = (byte: number | undefined): boolean => byte !== undefined && /[\w+/=-]/.test(String.fromCharCode(byte))
