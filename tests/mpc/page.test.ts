/** domain/mpc/README.md against the code: hash tags, lengths of messages, traces, frames, named files and sections. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import * as Attach from '../../domain/mpc/dkls/enrol.ts'
import * as Keygen from '../../domain/mpc/dkls/keygen.ts'
import * as Refresh from '../../domain/mpc/dkls/refresh.ts'
import * as Setup from '../../domain/mpc/dkls/setup.ts'
import * as Sign from '../../domain/mpc/dkls/sign.ts'
import * as EdKeygen from '../../domain/mpc/ed25519/keygen.ts'
import * as EdRefresh from '../../domain/mpc/ed25519/refresh.ts'
import * as EdSign from '../../domain/mpc/ed25519/sign.ts'
import * as Frame from '../../domain/mpc/Frame.ts'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'domain/mpc/README.md'), 'utf8')

const sourcesIn = (folder: string): string =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n')

const unique = (found: readonly string[]): readonly string[] => [...new Set(found)].sort()
const all = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map(([, found = '']) => found)

/** The rows of the table that follows a name in bold, which occurs once in each chapter that has such tables. */
const tableOf = (chapter: string, name: string): readonly (readonly string[])[] => {
  const [, rest = ''] = (page.split(`\n## ${chapter}\n`)[1] ?? '').split(`\n**${name}**`)
  const [lines = ''] = rest.slice(rest.indexOf('\n| ') + 1).split('\n\n')
  const rows = lines.split('\n').map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
  return rows.slice(2)
}

it('has every hash tag of the protocols and of the keys around them, and no other', () => {
  const inSources = all(`${sourcesIn('domain/mpc')}\n${sourcesIn('domain/crypto')}`, /['"`](tandem\/[^'"`\n]+)['"`]/g)
  const inPage = all(page, /`(tandem\/[^`\n]+)`/g)

  expect(inSources.length).toBeGreaterThan(40)
  expect(unique(inPage)).toEqual(unique(inSources.map((tag) => tag.replace(/\$\{(\w+)\}/g, '<$1>'))))
})

describe('has the lengths of all messages', () => {
  const confirmed = { length: 0 }
  const setup = [Setup.secondResponse, Setup.thirdRequest, Setup.thirdResponse, Setup.confirmation, confirmed]
  it.each([
    ['DKLS keygen', [Keygen.firstRequest, Keygen.firstResponse, Keygen.secondRequest, ...setup]],
    ['DKLS attach', [Attach.firstRequest, Attach.firstResponse, Attach.secondRequest, ...setup]],
    ['DKLS refresh', [Refresh.firstRequest, Refresh.firstResponse, Refresh.secondRequest, ...setup]],
    ['DKLS sign', [Sign.firstRequest, Sign.firstResponse, Sign.secondRequest, Sign.secondResponse]],
    [
      'ED25519 keygen',
      [
        EdKeygen.firstRequest,
        EdKeygen.firstResponse,
        EdKeygen.secondRequest,
        EdKeygen.secondResponse,
        EdKeygen.confirmation,
        confirmed,
      ],
    ],
    ['ED25519 sign', [EdSign.request, EdSign.response]],
    ['ED25519 refresh', [EdRefresh.firstRequest, EdRefresh.firstResponse, EdRefresh.confirmation, confirmed]],
  ] as const)('of %s, and those of their fields add up', (name, messages) => {
    const rows = tableOf('Messages', name)
    const lengths = rows.map(([, length = '']) => Number(length.replaceAll(',', '')))
    const sums = rows.map(([, length = '', fields = '']) =>
      /^(|as keygen.*)$/.test(fields)
        ? Number(length.replaceAll(',', ''))
        : fields.split(', ').reduce((sum, field) => sum + sizeOf(field), 0),
    )

    expect(lengths).toEqual(messages.map(({ length }) => length))
    expect(sums).toEqual(lengths)
  })

  /** `name 32`, `name 128 × 33`, `name 2 × 128 × 32`. */
  const sizeOf = (field: string): number => {
    const factors = /(?:^| )(\d+(?: × \d+)*)$/.exec(field)?.[1]?.split(' × ') ?? []
    return factors.length === 0 ? Number.NaN : factors.reduce((product, factor) => product * Number(factor), 1)
  }
})

describe('has a trace of each protocol', () => {
  const textOf = (path: string) => readFileSync(join(root, 'domain/mpc', path), 'utf8')
  const shared = { DKLS: ['dkls/setup.ts', 'dkls/Session.ts'], ED25519: ['ed25519/Frost.ts', 'ed25519/rfc9591.ts'] }
  const kinds = [
    ['DKLS', 'keygen'],
    ['DKLS', 'attach'],
    ['DKLS', 'refresh'],
    ['DKLS', 'sign'],
    ['ED25519', 'keygen'],
    ['ED25519', 'sign'],
    ['ED25519', 'refresh'],
  ] as const

  it.each(kinds)('of %s %s, whose functions, codecs and labels are those of the code', (scheme, kind) => {
    const rows = tableOf('Traces', `${scheme} ${kind}`)
    const text = [`${scheme.toLowerCase()}/${kind === 'attach' ? 'enrol' : kind}.ts`, ...shared[scheme]]
      .map(textOf)
      .join('\n')
    const named = rows.flatMap(([, functions = '', codecs = '']) => all(`${functions} ${codecs}`, /`(\w+)`/g))
    const labels = rows.flatMap(([, , , draws = '']) => all(draws, /`([\w-]+)(?:\/\d)?`/g))

    expect(rows.length).toBeGreaterThan(2)
    expect(named.filter((name) => !new RegExp(`\\b(const|export const) ${name}\\b`).test(text))).toEqual([])
    expect(labels.filter((label) => !text.includes(`'${label}'`))).toEqual([])
  })

  it('which has the label of every draw', () => {
    const traces = page.split('\n## Traces\n')[1]?.split('\n## ')[0] ?? ''
    const drawn = (scheme: 'dkls' | 'ed25519') =>
      all(
        sourcesIn(`domain/mpc/${scheme}`),
        /(?:draws\.(?:bytes|scalar)|bytes|scalar|draw|drawOnce|\)|drawing\(\w+, ?|seededBytes\([\w., ]+, )\(?'([a-z-]+)'/g,
      )
    const labels = unique([...drawn('dkls'), ...drawn('ed25519')])

    expect(labels).toEqual(
      expect.arrayContaining(['blinds', 'check', 'conf-proof', 'confirmation', 'nonces', 'polynomial', 'proof']),
    )
    expect(labels.filter((label) => !new RegExp(`\`${label}(/\\d)?\``).test(traces))).toEqual([])
  })
})

describe('has the frame', () => {
  const frame: Frame.Frame = {
    operation: 'SIGN',
    scheme: 'DKLS',
    step: 1,
    protocolId: '00000000-0000-4000-8000-000000000000',
    sessionId: '00000000-0000-4000-8000-000000000000',
    walletId: '00000000-0000-4000-8000-000000000000',
    epoch: 0,
    shareId: new Uint8Array(0),
    attempt: new Uint8Array(16),
    deviceKeyThumb: new Uint8Array(32),
    body: new Uint8Array(0),
  }

  it('with its length and numbers', () => {
    const chapter = page.split('\n## Frames\n')[1]?.split('\n## ')[0] ?? ''
    const numbered = (names: readonly string[]) => names.map((name, index) => `${index + 1} ${name}`).join(', ')
    const operations = Frame.operations.map((name) => (name === 'EXPORT' ? 'EXPORT (not offered)' : name))

    expect(chapter).toContain(`\n${Frame.encodeUnsigned(frame).length + Frame.signatureLength} bytes beside the body`)
    expect(chapter).toContain(`| operation | 1 | ${numbered(operations)} |`)
    expect(chapter).toContain(`(${numbered(Frame.statuses)})`)
  })
})

it('has every kind of signing request', () => {
  const chapter = page.split('\n## What is signed\n')[1]?.split('\n## ')[0] ?? ''
  const kinds = all(chapter, /^\| (`.+?`) \|/gm).flatMap((cell) => all(cell, /`(\w+)`/g))

  const known = all(
    sourcesIn('domain/mpc'),
    /readonly kind: '(\w+)'; readonly (?:message|typedData|address|transaction|signDoc|digest):/g,
  )
  expect(unique(kinds)).toEqual(unique(known))
})

it('has every field of a share text', () => {
  const chapter = page.split('\n### Share text\n')[1]?.split('\n## ')[0] ?? ''
  const rows = all(chapter, /^\| (`.+?`) \|/gm).flatMap((cell) => all(cell, /`(\w+)`/g))
  const sample = JSON.parse(readFileSync(join(root, 'tests/mpc/fixtures/shareText.v1.json'), 'utf8')) as {
    readonly DKLS: string
  }

  expect(rows).toEqual(Object.keys(JSON.parse(sample.DKLS) as object))
})

it('links to sections that exist', () => {
  const slugsOf = (text: string) =>
    all(text, /^#+ (.+)$/gm).map((title) =>
      title
        .toLowerCase()
        .replace(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    )
  const slugs = slugsOf(page)
  const other = slugsOf(readFileSync(join(root, 'domain/crypto/README.md'), 'utf8'))

  expect(unique(slugs)).toHaveLength(slugs.length)
  expect(all(page, /\]\(#([\w-]+)\)/g).filter((anchor) => !slugs.includes(anchor))).toEqual([])
  expect(all(page, /\]\(\.\.\/crypto\/README\.md#([\w-]+)\)/g).filter((one) => !other.includes(one))).toEqual([])
})

it('names files that exist', () => {
  const files = [
    ...all(page, /`((?:tests|domain|wasm)\/[\w/.]+\.ts)`/g),
    ...all(page, /`((?!wasm\/)(?:\w+\/)?\w+\.ts)`/g).map((path) => `domain/mpc/${path}`),
    ...all(page, /`\.\.\/(crypto\/\w+\.ts)`/g).map((path) => `domain/${path}`),
  ]
  const isThere = (path: string) =>
    [path, ...['dkls', 'ed25519'].map((folder) => path.replace('domain/mpc/', `domain/mpc/${folder}/`))].some((one) =>
      existsSync(join(root, one)),
    )

  expect(files.length).toBeGreaterThan(40)
  expect(unique(files).filter((path) => !isThere(path))).toEqual([])
})
