/** domain/crypto/README.md against the code: labels, lengths, links to its own sections, and named files. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { base64, base64urlnopad } from '@scure/base'
import { expect, it } from 'vitest'
import * as CosignerKey from '../../../domain/crypto/CosignerKey.ts'
import * as DeviceKey from '../../../domain/crypto/DeviceKey.ts'
import * as Ecies from '../../../domain/crypto/Ecies.ts'
import * as Hpke from '../../../domain/crypto/Hpke.ts'
import * as RecoverySecret from '../../../domain/crypto/RecoverySecret.ts'
import * as RootKey from '../../../domain/crypto/RootKey.ts'
import * as RsaKey from '../../../domain/crypto/RsaKey.ts'
import * as Wrap from '../../../domain/crypto/Wrap.ts'

const root = join(import.meta.dirname, '../../..')
const page = readFileSync(join(root, 'domain/crypto/README.md'), 'utf8')

const of = (name: string): Uint8Array => sha256(utf8ToBytes(name))
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8')
const all = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map(([, found = '']) => found)
const unique = (found: readonly string[]): readonly string[] => [...new Set(found)].sort()

it('has every label of this folder and of the formats beside it, and no other', () => {
  const sources = [
    ...readdirSync(join(root, 'domain/crypto')).filter((name) => name.endsWith('.ts')),
    '../client/redirectSeal.ts',
  ].map((name) => textOf(join('domain/crypto', name)))
  const labels = all(sources.join('\n'), /['"`](tandem\/[^'"`\n]+)['"`]/g).map((label) =>
    label.replace(/\$\{(\w+)\}/g, '<$1>'),
  )
  const elsewhere = ['tandem/frame/v1', 'tandem/sealed', 'tandem/sealed/v1/<name>', 'tandem/keys']
  // Labels in blocks of formulas have no backquotes; those of a family are written with their family.
  const inPage = all(page, /(tandem\/[\w<>/-]*[\w>])/g).filter((label) => !/\/v1\/(auth|wrap|kek)$/.test(label))

  expect(labels.length).toBeGreaterThan(20)
  expect(unique(inPage.filter((label) => !elsewhere.includes(label)))).toEqual(unique(labels))
})

it('has the lengths of the formats', () => {
  const zeros = (length: number) => new Uint8Array(length)
  const plaintext = utf8ToBytes('plaintext')
  const wrap = Wrap.seal({ key: zeros(32), aad: zeros(0), plaintext, iv: zeros(12) })
  const ecies = Ecies.seal({
    publicKey: RecoverySecret.publicKeyOf(of('recipient')),
    plaintext: 'plaintext',
    ephemeralSecret: of('ephemeral'),
    iv: zeros(16),
  })
  const hpke = Hpke.seal({
    recipientPublicKey: Hpke.publicKeyOf(of('recipient')),
    ephemeralSecretKey: of('ephemeral'),
    info: zeros(0),
    aad: zeros(0),
    plaintext,
  })
  const texts = { userId: 'u', partnerId: 'pp', origin: 'ooo', sessionId: 'ssss' }
  const times = { issuedAt: 1, expiresAt: 2 }
  const device = CosignerKey.publicKeyOf(of('device'))
  const certificate = RootKey.certifyDevice(of('root'), { ...texts, ...times, devicePublicKey: device })
  const { sigDerivedPublicKey } = JSON.parse(textOf('tests/domain/crypto/fixtures/credentials.v2.json')) as {
    readonly sigDerivedPublicKey: string
  }

  const header = { keyThumb: DeviceKey.thumbprint(device), ms: 1, signature: zeros(64) }

  expect(page).toContain(
    `${base64urlnopad.decode(wrap.slice(3)).length - plaintext.length} bytes more than the plaintext. IVs`,
  )
  expect(page).toContain(
    `\n${base64.decode(ecies).length - 2 * plaintext.length} bytes more than the plaintext, which is`,
  )
  expect(page).toContain(`tag 16: ${(hpke?.length ?? 0) - plaintext.length} bytes more than the plaintext. Keys`)
  expect(page).toContain(`${certificate.length - 'uppooossss'.length} bytes and the four texts`)
  expect(page).toContain(`PEM has ${RsaKey.publicPem(sigDerivedPublicKey)?.length} bytes`)
  expect(DeviceKey.formatHeader(header)).toBe(`${bytesToHex(header.keyThumb)}.1.${'00'.repeat(64)}`)
})

it('names files and sections that exist', () => {
  const slugs = all(page, /^#+ (.+)$/gm).map((title) =>
    title
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  )
  const files = [
    ...all(page, /`((?:tests|domain|adapters)\/[\w/.]+\.ts)`/g),
    ...all(page, /`(\w+\.ts)`/g).map((name) => `domain/crypto/${name}`),
    ...all(page, /\]\(([\w./]+\.md)/g).map((path) => join('domain/crypto', path)),
  ]

  expect(unique(all(page, /\]\(#([\w-]+)\)/g)).filter((anchor) => !slugs.includes(anchor))).toEqual([])
  expect(unique(slugs)).toHaveLength(slugs.length)
  expect(files.length).toBeGreaterThan(12)
  expect(unique(files).filter((path) => !existsSync(join(root, path)))).toEqual([])
})
