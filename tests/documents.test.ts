/**
 * Each page and heading that a file cites is in the repository. Code cites by a path from the repository's root, with a
 * heading's anchor as GitHub makes it; Markdown links are relative to their page.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, it } from 'vitest'

type Text = { readonly path: string; readonly text: string }

const root = join(import.meta.dirname, '..')

/** With files that are not yet added, so that an author sees a failure before the commit. */
const paths: ReadonlySet<string> = new Set(
  execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter((path) => path !== '' && existsSync(join(root, path))),
)

const isFolder = (path: string): boolean => [...paths].some((one) => one.startsWith(`${path.replace(/\/$/, '')}/`))

const texts: readonly Text[] = [...paths]
  .filter((path) => /\.(tsx?|mjs|js|css|yaml|md|html)$/.test(path))
  .filter((path) => !path.startsWith('generated/'))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

/** GitHub's rule: lower case, word characters, hyphens and spaces stay, a space is a hyphen, a repetition gets a number. */
const anchorsOf = (page: string): ReadonlySet<string> => {
  const anchors = new Set<string>()
  for (const [, heading = ''] of withoutFences(page).matchAll(/^ {0,3}#{1,6}[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$/gm)) {
    const shown = heading.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    const slug = shown
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{Nd}\p{Nl}\p{Pc}\- ]/gu, '')
      .replaceAll(' ', '-')
    let anchor = slug
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${slug}-${count}`
    anchors.add(anchor)
  }
  return anchors
}

/** Code and drawings have lines that begin with # and texts that look like links. Lines keep their numbers. */
const withoutFences = (page: string): string => {
  let fence: string | undefined
  return page
    .split('\n')
    .map((line) => {
      const [, mark] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? []
      const isInside = fence !== undefined
      if (mark !== undefined && fence === undefined) fence = mark
      else if (fence !== undefined && line.trim().startsWith(fence) && /^[`~]+$/.test(line.trim())) fence = undefined
      return isInside || mark !== undefined ? '' : line
    })
    .join('\n')
}

const anchorsByPage = new Map<string, ReadonlySet<string>>()
const anchorsOfPath = (path: string): ReadonlySet<string> => {
  const known = anchorsByPage.get(path) ?? anchorsOf(readFileSync(join(root, path), 'utf8'))
  anchorsByPage.set(path, known)
  return known
}

/** Undefined when path and anchor are there, else what is missing. */
const missing = (path: string, anchor: string | undefined): string | undefined => {
  if (!paths.has(path)) return isFolder(path) ? undefined : 'no such file'
  if (anchor === undefined || !path.endsWith('.md')) return undefined
  return anchorsOfPath(path).has(anchor) ? undefined : 'no such heading'
}

const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length

const link = /\[[^\]]*\]\(([^)\s]*)\)/g
/** Not the rest of a pattern or of a template string. */
const mention = /(?<![\w./@:}*-])([\w./@:-]*[\w-]\.md)\b(?:#([\p{L}\p{N}_-]+))?/gu

/** Every citation of a page in a text that leads nowhere, as `file:line citation: reason`. */
const brokenIn = ({ path, text }: Text): readonly string[] => {
  const folder = posix.dirname(path)
  const isPage = path.endsWith('.md')
  const relative = (target: string) => posix.join(folder, target)
  const broken = (index: number, citation: string, reason: string | undefined) =>
    reason === undefined ? [] : [`${path}:${lineAt(text, index)} ${citation}: ${reason}`]

  const links = isPage ? [...withoutFences(text).matchAll(link)] : []
  const brokenLinks = links.flatMap(({ 1: target = '' }) => {
    if (/^[a-z]+:/.test(target)) return []
    const [file = '', anchor] = target.split('#')
    return broken(text.indexOf(`](${target})`), target, missing(file === '' ? path : relative(file), anchor))
  })
  const prose = isPage ? text.replace(link, (found) => ' '.repeat(found.length)) : text
  const brokenMentions = [...prose.matchAll(mention)].flatMap(({ 0: citation, 1: file = '', 2: anchor, index }) => {
    if (file.includes('://')) return []
    const candidates = isPage ? [file, relative(file)] : [file.startsWith('.') ? relative(file) : file]
    const reasons = candidates.map((one) => missing(one, anchor))
    return reasons.includes(undefined) ? [] : broken(index, citation, reasons[0])
  })
  return [...brokenLinks, ...brokenMentions]
}

/** Those whose parts were once cited without `.md`; with it, a page that is not there is a broken citation. */
const papers = '[Ff]lows|[Ss]pec|mpc-review|[Dd]esign|contract-facts|[Ff]acts|[Ss]ecurity'
/** A space, or the end of a comment's line and the beginning of the next. */
const gap = String.raw`[ \t]*(?:\n[ \t]*(?:\*|//|#)?)?[ \t]+`
const section = String.raw`(?:(?:section|part|decision|item|appendix|chapter)${gap})?(?:§ ?)?(?:[A-Z]?\d+|[A-Z]\b)`
/** Names of a paper's parts, marks of its notation, and the paper that is meant without a name. */
const other = String.raw`[Ff]lows,${gap}(?:notation|states|compat|redirect|ask)\b|[+]D\b|the${gap}spec\b|spec['’]s`
const paper = new RegExp(String.raw`(?<![\w./#-])(?:(?:${papers})(?:\.md)?,?${gap}${section}|${other})`, 'g')

/** Every citation of a paper that the repository does not have, as `file:line citation`. */
const papersIn = ({ path, text }: Text): readonly string[] =>
  [...text.matchAll(paper)].map(({ 0: found, index }) => `${path}:${lineAt(text, index)} ${found.replace(/\s+/g, ' ')}`)

/** Rows of `MOVED.md` that name a file on the left which is there, or one on the right which is not. */
const wrongMoves = (page: string): readonly string[] =>
  page.split('\n').filter((row) => {
    const [, before = '', now = ''] = /^\| (`.*) \| (.*) \|$/.exec(row) ?? []
    const named = (cell: string) => [...cell.matchAll(/`([\w./-]+)`/g)].map(([, name = '']) => name)
    const folder = posix.dirname(named(before)[0] ?? '')
    const left = named(before).map((name) => (name.includes('/') ? name : posix.join(folder, name)))
    // After a colon stands which part of a file went.
    const isBack = !before.includes(':') && left.some((path) => paths.has(path))
    return isBack || named(now).some((path) => path.includes('/') && !paths.has(path) && !isFolder(path))
  })

describe('citations', () => {
  it('lead to a page and a heading', () => {
    expect(texts.flatMap(brokenIn)).toEqual([])
  })

  it('of files that moved name what is gone, and where it is', () => {
    expect(texts.filter(({ path }) => path === 'MOVED.md').flatMap(({ text }) => wrongMoves(text))).toEqual([])
  })

  it('are of papers that the repository has', () => {
    expect(texts.flatMap(papersIn)).toEqual([])
  })
})

describe('the checks see', () => {
  const code = (text: string) => brokenIn({ path: 'domain/client/login.ts', text })
  const page = (text: string) => brokenIn({ path: 'tests/README.md', text })
  /** Examples of broken citations are built from parts, because this file is checked as well. */
  const md = '.md'

  it.each([
    ['a page that is gone', code(`/** Why (domain/gone/README${md}). */`), 'no such file'],
    ['a path from elsewhere than the root', code(`// mpc/README${md}#constant-time`), 'no such file'],
    ['a heading that is gone', code(`a {} /* domain/mpc/README${md}#gone */`), 'no such heading'],
    ['a heading in another case', code(`# domain/mpc/README${md}#Constant-Time`), 'no such heading'],
    ['a link from the root in a page below it', page('[a](tests/simulation/README.md)'), 'no such file'],
    ['a link to a heading of its own page', page('[a](#gone)'), 'no such heading'],
    ['a link to a file of code', page('[a](kit/gone.ts)'), 'no such file'],
    ['a page in prose', page(`see \`gone/README${md}\``), 'no such file'],
  ])('%s', (_, found, reason) => {
    expect(found).toEqual([expect.stringMatching(new RegExp(`:1 .*: ${reason}$`))])
  })

  it('rows of files that are back, or that are gone once more', () => {
    const move = (before: string, now: string) => `| ${before} | ${now} |`
    const [here, other] = ['`tests/kit/long.ts`', '`tests/kit/clock.ts`']
    const wrong = [move(here, other), move('`tests/kit/gone.ts`, `long.ts`', other), move('`a/gone.ts`', '`b/gone.ts`')]
    const right = [move('`a/gone.ts`', `${other}, \`clockAt\``), move(`${here}: a part`, other), move('before', 'now')]

    expect(wrongMoves([...right, ...wrong].join('\n'))).toEqual(wrong)
  })

  it.each([
    ['a path from the root', code('/** domain/mpc/README.md#constant-time, README.md. */')],
    ['a path of a module, from its own folder', code(`new URL('../mpc/README${md}', import.meta.url)`)],
    ['an address', code('// https://example.com/gone.md')],
    ['a pattern', code("'**/gone.md', '*.md', `${folder}/gone.md`")],
    [
      'links',
      page(`[a](simulation/README${md}#the-invariants) [b](../README.md) [c](#databases) [d](kit) [e](kit/long.ts)`),
    ],
    ['a fence', page('```\n[a](gone.ts)\n```')],
  ])('and let pass: %s', (_, found) => {
    expect(found).toEqual([])
  })

  it('headings as GitHub names them', () => {
    const text = [
      '# The `run`, again!',
      '## Twice',
      '### Twice ###',
      'text',
      '```mermaid',
      '# not one',
      '```',
      `## A [link](x${md}) – über_all`,
      '#no heading',
    ].join('\n')

    expect([...anchorsOf(text)]).toEqual(['the-run-again', 'twice', 'twice-1', 'a-link--über_all'])
  })

  it.each(
    [
      ['(flows', ' 2.3)'],
      ['Flows', ' 6.12, in its order'],
      ['(flows', '\n * 2.4)'],
      ['(flows', '\n# 2.4)'],
      ['flows,', ' notation K'],
      ['marked +', 'D'],
      ['spec', ' §4'],
      ['spec', '.md section 3'],
      ['mpc-review', ' E1'],
      ['design', '.md 8'],
      ['(facts', ' 0)'],
      ['contract-facts', ', section 2'],
      ['security', ' T8'],
      ['as the ', 'spec has it'],
      ['the ', 'spec', '’s keys'],
    ].map((parts) => parts.join('')),
  )('a citation of a paper: %s', (text) => {
    expect(papersIn({ path: 'a.ts', text })).toHaveLength(1)
  })

  it.each([
    'RFC 9591 section 5.2',
    'DKLs23, protocol 3.4',
    'SECURITY.md',
    'import * as flows from 1',
    '{ flows, spec }',
    'domain/mpc/README.md#constant-time',
    'two fields 3 bytes long',
    'specified 4 times',
  ])('and let pass: %s', (text) => {
    expect(papersIn({ path: 'a.ts', text })).toEqual([])
  })
})
