/**
 * The words of the field. A private word of the left column fails here as a declared name, as the name of a file or an
 * error, in a comment, in a sentence of the code and on a page. The wire, the database and what is stored keep theirs: openapi/README.md#names has the pairs.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')

const product = ['adapters', 'domain', 'openapi', 'react', 'wasm']

/** Folders whose comments are held to it, too: `product` for all of them. */
const commentFolders: readonly string[] = product

type Row = {
  readonly instead: string
  /** Parts of a name: `opening` is one of `openingLife`, and none of `reopening`. */
  readonly parts?: readonly string[]
  readonly wholeNames?: readonly string[]
  /** What a comment, a sentence and a page do not say; the others are plain English there. */
  readonly inProse?: readonly string[]
  /** Where it is said in another sense. */
  readonly but?: string
}

const rows: readonly Row[] = [
  {
    instead: 'portal session',
    parts: ['opening', 'openings', 'visit', 'visits', 'arrival', 'arrive'],
    inProse: ['openings', 'an opening', 'the opening', 'its opening', 'arrival'],
    but: 'domain/mpc/',
  },
  {
    instead: 'handshake, close',
    parts: ['greet', 'greets', 'greeted', 'greeting', 'hello', 'bye'],
    wholeNames: ['meetOpener'],
    inProse: ['greet', 'greets', 'greeted', 'greeting', 'greetings', 'bye'],
  },
  { instead: 'heartbeat', parts: ['beat', 'beats', 'beating'], inProse: ['beat', 'beats'] },
  { instead: 'device enrolment', parts: ['attach', 'attached', 'attaching'], inProse: ['attaches', 'attaching'] },
  {
    instead: 'locked',
    parts: ['burn', 'burns', 'burned', 'burning', 'ban', 'bans', 'banned', 'marks', 'unburned'],
    inProse: ['burn', 'burns', 'burned'],
  },
  { instead: 'database generation', parts: ['incarnation'], inProse: ['incarnation', 'incarnations'] },
  { instead: 'status', parts: ['standing', 'standings'], inProse: ['standings'] },
  {
    instead: 'unacknowledged',
    parts: ['untold', 'teller', 'tellers'],
    wholeNames: ['sayingSecret'],
    inProse: ['untold', 'teller', 'tellers'],
  },
  {
    instead: 'refreshSession, ensureSession, start, resumeFromRedirect, onTabMessage',
    parts: ['attend', 'hear'],
    wholeNames: ['lookAgain', 'lookOnce'],
  },
  {
    instead: 'certify, setCertificate, setUser',
    parts: ['vouch', 'vouched', 'equip', 'equipment', 'identify'],
    inProse: ['vouch', 'vouches', 'vouched', 'equip', 'equips'],
  },
  { instead: 'associated data', parts: ['place', 'places'] },
  {
    instead: 'pool, spawn, terminate',
    parts: ['crew', 'hire', 'hired', 'dismiss'],
    inProse: ['crew', 'hire', 'hired'],
  },
  { instead: 'operation', parts: ['noun'], inProse: ['noun'] },
]

/** Names that stay, with the reason. Operations, fields and columns are read from where they are defined. */
const exceptions: readonly { readonly name: string; readonly in: string; readonly why: string }[] = [
  { name: 'ATTACH', in: 'domain/client/runProtocol.ts', why: 'the operation of a frame' },
  { name: 'attach', in: 'domain/mpc/protocols.ts', why: 'the kind of a run, which its transcript binds' },
  { name: 'DeviceNotAttached', in: '', why: 'a code of an error on the wire' },
  { name: 'BANNED', in: 'domain/service/protocol/transitions.ts', why: 'a stored state of a run' },
  { name: 'banned', in: 'domain/service/protocol/transitions.ts', why: 'the event that leads to that state' },
  { name: 'banned', in: 'adapters/browser/ShareStore.ts', why: 'a field that devices have stored' },
  { name: 'Ban', in: 'domain/mpc/', why: 'a verdict of the protocol, as its papers call it' },
  { name: 'ban', in: 'domain/mpc/', why: 'a verdict of the protocol, as its papers call it' },
  { name: 'demandOrBan', in: 'domain/mpc/', why: 'a verdict of the protocol, as its papers call it' },
  { name: 'presentOrBan', in: 'domain/mpc/', why: 'a verdict of the protocol, as its papers call it' },
  { name: 'isBan', in: 'adapters/service/cosigner/', why: 'whether a step ended in that verdict' },
  { name: 'opening', in: 'domain/mpc/', why: 'of a commitment' },
  { name: 'openingsLength', in: 'domain/mpc/', why: 'of the challenges of base transfers' },
  { name: 'demandOpenings', in: 'domain/mpc/', why: 'of the challenges of base transfers' },
  { name: 'opening', in: 'react/portal/pages/ShortLink.tsx', why: 'the status of a link that is being opened' },
  { name: 'Hello', in: 'react/example/App.tsx', why: 'the first component of the quick start' },
  { name: 'openings.yaml', in: 'openapi/', why: 'the contract of those operations, under their tag' },
]

const filesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))

const files = product.flatMap(filesIn).toSorted()
/** `wasm/assembly` is a dialect that has no private words. */
const sources = files.filter((file) => /\.tsx?$/.test(file) && !file.startsWith('wasm/assembly/'))

const parsed = new Map(
  sources.map((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    return [file, ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)] as const
  }),
)

const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)

/** Operations, schemas, fields and parameters of the contract. */
const namesOfContract = (): ReadonlySet<string> => {
  const names = new Set<string>()
  const walk = (value: unknown, key: string): void => {
    if (typeof value !== 'object' || value === null) {
      if ((key === 'operationId' || key === 'name') && typeof value === 'string') names.add(value)
      return
    }
    for (const [name, child] of Object.entries(value)) {
      if (key === 'properties' || key === 'schemas') names.add(name)
      walk(child, name)
    }
  }
  walk(JSON.parse(readFileSync(join(root, 'generated/openapi.json'), 'utf8')), '')
  return names
}

/** Tables and columns, as their types name them. */
const namesOfDatabase = (): ReadonlySet<string> =>
  new Set(
    [...parsed]
      .filter(([file]) => /^adapters\/service\/database\/\w*Tables\.ts$/.test(file))
      .flatMap(([, source]) => namesIn(source, ts.isPropertySignature)),
  )

const namesIn = (source: ts.SourceFile, isMeant: (node: ts.Node) => boolean): string[] => {
  const names: string[] = []
  const walk = (node: ts.Node): void => {
    const { name } = node as { readonly name?: ts.Node }
    if (name !== undefined && isMeant(node) && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name))) {
      names.push(name.text)
    }
    ts.forEachChild(node, walk)
  }
  walk(source)
  return names
}

/** What is declared here, with members and variables; what is only used or imported has its name from elsewhere. */
const isDeclared = (node: ts.Node): boolean =>
  !ts.isPropertyAccessExpression(node) &&
  !ts.isMetaProperty(node) &&
  !ts.isJsxAttribute(node) &&
  !((ts.isImportSpecifier(node) || ts.isExportSpecifier(node)) && node.propertyName === undefined)

/** The names of errors and of services, which are texts. */
const tagsIn = (source: ts.SourceFile): string[] =>
  [...source.text.matchAll(/(?:TaggedError|Context\.Service<[^(]*>\(\))\('([^']+)'/g)].map(([, tag = '']) => tag)

const [contract, database] = [namesOfContract(), namesOfDatabase()]
const needed = new Set<(typeof exceptions)[number]>()

const rowOf = (name: string): Row | undefined => {
  const words = wordsOf(name)
  return rows.find(
    ({ parts = [], wholeNames = [] }) => wholeNames.includes(name) || parts.some((part) => words.includes(part)),
  )
}

const complaint = (name: string, file: string): string[] => {
  const row = rowOf(name)
  if (row === undefined || contract.has(name) || database.has(name)) return []
  const allowed = exceptions.filter((one) => one.name === name && file.startsWith(one.in))
  for (const one of allowed) needed.add(one)
  return allowed.length > 0 ? [] : [`${file}: ${name} (say: ${row.instead})`]
}

describe('a private word', () => {
  const inDeclarations = [...parsed].flatMap(([file, source]) =>
    [...new Set(namesIn(source, isDeclared))].flatMap((name) => complaint(name, file)),
  )
  const inFiles = files.flatMap((file) => file.split('/').flatMap((part) => complaint(part, file)))
  const tags = [...parsed].flatMap(([file, source]) => tagsIn(source).map((tag) => [file, tag] as const))
  const inTags = tags.flatMap(([file, tag]) => complaint(basename(tag), file))

  it('is not declared', () => {
    expect(inDeclarations).toEqual([])
  })

  it('is not the name of a file', () => {
    expect([...new Set(inFiles)]).toEqual([])
  })

  it('is not the name of an error or of a service', () => {
    expect(tags.length).toBeGreaterThan(100)
    expect(inTags).toEqual([])
  })

  it('has no exception that is not needed', () => {
    expect(exceptions.filter((one) => !needed.has(one))).toEqual([])
  })
})

const unsaid = rows.flatMap(({ inProse = [], instead, but }) =>
  inProse.map((word) => {
    const [first = '', ...rest] = word
    const pattern = new RegExp(`\\b[${first}${first.toUpperCase()}]${rest.join('')}\\b`)
    return { pattern, but, said: `${word} (say: ${instead})` }
  }),
)

/** Names in backticks and paths are those of something that exists; words in capitals are states. */
const wordsIn = (prose: string, file: string): string[] => {
  const tokens = prose.replace(/`[^`]*`/g, ' … ').split(/\s+/)
  const text = tokens.map((token) => (/[/_].*\../.test(token) ? '…' : token)).join(' ')
  return unsaid
    .filter(({ pattern, but }) => pattern.test(text) && (but === undefined || !file.startsWith(but)))
    .map(({ said }) => said)
}

/** The others have no such word anywhere, and are not walked. */
const suspects = [...parsed].filter(([, { text }]) => {
  const line = text.replace(/\s+/g, ' ')
  return unsaid.some(({ pattern }) => pattern.test(line))
})

describe('a sentence', () => {
  it('of the code has no private word', () => {
    const held = suspects.filter(([file]) => !file.startsWith('adapters/service/database/migrations/'))
    const found = held.flatMap(([file, source]) =>
      sentencesIn(source).flatMap((text) => wordsIn(text, file).map((said) => `${file}: '${text}': ${said}`)),
    )

    expect(found).toEqual([])
  })

  it('is a text with blanks, whole or a part of a template', () => {
    const source = ts.createSourceFile(
      'a.ts',
      "f('a beat', 'beat', `a beat of ${b} and an opening`)",
      ts.ScriptTarget.Latest,
    )

    expect(sentencesIn(source)).toEqual(['a beat', 'a beat of ', ' and an opening'])
  })

  it('of a page has no private word', () => {
    const pages = files.filter((file) => file.endsWith('.md'))
    const found = pages.flatMap((file) =>
      wordsIn(readFileSync(join(root, file), 'utf8'), file).map((said) => `${file}: ${said}`),
    )

    expect(pages.length).toBeGreaterThan(10)
    expect(found).toEqual([])
  })

  const isSql = (text: string): boolean => /^select .* from /.test(text)

  const sentencesIn = (source: ts.SourceFile): string[] => {
    const sentences: string[] = []
    const walk = (node: ts.Node): void => {
      const isText = ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)
      if ((isText || ts.isJsxText(node)) && node.text.trim().includes(' ') && !isSql(node.text))
        sentences.push(node.text)
      ts.forEachChild(node, walk)
    }
    walk(source)
    return sentences
  }
})

describe('a comment', () => {
  const held = suspects.filter(([file]) => commentFolders.some((folder) => file.startsWith(`${folder}/`)))

  it('has no private word', () => {
    const found = held.flatMap(([file, source]) =>
      commentsIn(source).flatMap(({ text, line }) => wordsIn(text, file).map((said) => `${file}:${line}: ${said}`)),
    )

    expect(found).toEqual([])
  })

  it('is checked wherever it stands, without its names in backticks and its paths', () => {
    const source = ts.createSourceFile(
      'a.ts',
      '/** A beat. */\nconst a = `beat` // an opening\n',
      ts.ScriptTarget.Latest,
      true,
    )

    expect(commentsIn(source).flatMap(({ text }) => wordsIn(text, 'domain/model/a.ts'))).toEqual([
      'beat (say: heartbeat)',
      'an opening (say: portal session)',
    ])
    expect(wordsIn('/** `openings` is the table, `burned/…` a watermark, BURNED a state. */', '')).toEqual([])
    expect(wordsIn('/** The openings of a commitment. */', 'domain/mpc/a.ts')).toEqual([])
  })

  const commentsIn = (source: ts.SourceFile): { readonly text: string; readonly line: number }[] => {
    const ends = new Map<number, number>()
    const walk = (node: ts.Node): void => {
      if (node.kind !== ts.SyntaxKind.JsxText) {
        const ranges = [
          ...(ts.getLeadingCommentRanges(source.text, node.getFullStart()) ?? []),
          ...(ts.getTrailingCommentRanges(source.text, node.getEnd()) ?? []),
        ]
        for (const { pos, end } of ranges) ends.set(pos, end)
      }
      for (const child of node.getChildren(source)) walk(child)
    }
    walk(source)
    return [...ends].map(([pos, end]) => ({
      text: source.text.slice(pos, end),
      line: source.getLineAndCharacterOfPosition(pos).line + 1,
    }))
  }
})
