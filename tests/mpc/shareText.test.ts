import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { ed25519 } from '@noble/curves/ed25519.js'
import { p256 } from '@noble/curves/nist.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import * as Redacted from 'effect/Redacted'
import * as Result from 'effect/Result'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Scheme } from '../../domain/mpc/Protocol.ts'
import type { ShareRecord } from '../../domain/mpc/ShareRecord.ts'
import * as ShareText from '../../domain/mpc/ShareText.ts'

const digest = (text: string) => new Uint8Array(createHash('sha256').update(text).digest())
const schemes: readonly Scheme[] = ['DKLS', 'ED25519']
const stored = JSON.parse(readFileSync(new URL('fixtures/shareText.v1.json', import.meta.url), 'utf8')) as Record<
  Scheme,
  string
>

/** One of each class of characters: hex, not hex, upper case, what JSON gives a meaning, and what is not ASCII. */
const intruders = ['0', '1', 'f', 'F', 'g', ' ', '"', '\\', '\u0000', 'é', '\u2028']

const scalar = (scheme: Scheme, text: string) => {
  const Fn = scheme === 'DKLS' ? secp256k1.Point.Fn : ed25519.Point.Fn
  return Fn.create(BigInt(`0x${createHash('sha256').update(text).digest('hex')}`))
}
const point = (scheme: Scheme, k: bigint) =>
  scheme === 'DKLS' ? secp256k1.Point.BASE.multiply(k).toBytes() : ed25519.Point.BASE.multiply(k).toBytes()
const bytesOf = (scheme: Scheme, k: bigint) =>
  scheme === 'DKLS' ? secp256k1.Point.Fn.toBytes(k) : ed25519.Point.Fn.toBytes(k)

const shareOf = (scheme: Scheme): ShareRecord => {
  const { Fn } = scheme === 'DKLS' ? secp256k1.Point : ed25519.Point
  const [client, server] = [scalar(scheme, 'client'), scalar(scheme, 'server')]
  const key = scheme === 'DKLS' ? Fn.add(client, server) : Fn.sub(Fn.add(client, client), server)
  return {
    scheme,
    role: 'USER',
    walletId: 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee',
    epoch: 3,
    shareId: digest('share id'),
    secret: bytesOf(scheme, client),
    clientPublic: point(scheme, client),
    serverPublic: point(scheme, server),
    publicKey: point(scheme, key),
    chainCode: scheme === 'DKLS' ? digest('chain code') : new Uint8Array(32),
    rootPublicKey: scheme === 'DKLS' ? digest('root') : new Uint8Array(0),
  }
}

const userShareOf = (scheme: Scheme, changes: Partial<ShareRecord> = {}): ShareText.UserShare => ({
  share: { ...shareOf(scheme), ...changes },
  userId: '99999999-8888-4777-8666-555555555555',
  partnerId: '12345678-1234-4123-8123-123456789abc',
  cosignerName: 'cosigner.example',
  cosignerKey: p256.getPublicKey(digest('cosigner'), false),
})

const write = (user: ShareText.UserShare): string => Redacted.value(ShareText.write(user))

const open = (text: string) => ShareText.open(Redacted.make(text))

const outcome = (text: string) => {
  const opened = open(text)
  return Result.isSuccess(opened) ? 'opened' : opened.failure.reason
}

describe.each(schemes)('the text of a user share of %s', (scheme) => {
  const text = write(userShareOf(scheme))

  it('is ASCII and opens to the written share', () => {
    expect(/^[\x20-\x7e]+$/.test(text)).toBe(true)
    expect(Result.getOrThrow(open(text))).toEqual(userShareOf(scheme))
  })

  it('opens in the form of version 1', () => {
    expect(Result.getOrThrow(open(stored[scheme]))).toEqual(userShareOf(scheme))
    expect(text).toBe(stored[scheme])
  })

  it('does not open with any character changed, missing or added', () => {
    for (let index = 0; index < text.length; index++) {
      const [before, character, after] = [text.slice(0, index), text.charAt(index), text.slice(index + 1)]
      const others = intruders.filter((one) => one !== character)
      for (const changed of [before + after, ...others.map((one) => before + one + after)]) {
        expect([index, outcome(changed)]).not.toEqual([index, 'opened'])
      }
      for (const added of [' ', '0', '\n']) {
        expect([index, outcome(before + added + text.slice(index))]).not.toEqual([index, 'opened'])
      }
    }
    expect([`${text} `, `${text}}`, `[${text}]`, '', '{}', 'null', '1', '"a"', '[]'].map(outcome)).toEqual(
      Array.from({ length: 9 }, () => 'malformed'),
    )
  })

  it('does not open when one field is changed to another valid value', () => {
    const fields = JSON.parse(text) as Record<string, string | number>
    const changes: Record<string, string | number> = {
      v: 2,
      scheme: scheme === 'DKLS' ? 'ED25519' : 'DKLS',
      role: 'PROVIDER',
      walletId: 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeef',
      userId: '99999999-8888-4777-8666-555555555556',
      partnerId: '',
      epoch: 4,
      shareId: '00'.repeat(32),
      secret: Buffer.from(bytesOf(scheme, 5n)).toString('hex'),
      clientPublic: Buffer.from(point(scheme, 5n)).toString('hex'),
      serverPublic: Buffer.from(point(scheme, 5n)).toString('hex'),
      publicKey: Buffer.from(point(scheme, 5n)).toString('hex'),
      chainCode: '11'.repeat(32),
      rootPublicKey: '22'.repeat(32),
      cosignerName: 'evil.example',
      cosignerKey: Buffer.from(p256.getPublicKey(digest('evil'), false)).toString('hex'),
      mac: '00'.repeat(32),
    }

    expect(Object.keys(changes)).toEqual(Object.keys(fields))
    for (const [name, value] of Object.entries(changes)) {
      const expected = ['v', 'scheme', 'role'].includes(name) ? 'malformed' : 'changed'
      expect([name, outcome(JSON.stringify({ ...fields, [name]: value }))]).toEqual([name, expected])
    }
  })

  it('does not open with a field missing, added, doubled or of another type', () => {
    const fields = JSON.parse(text) as Record<string, string | number>
    for (const name of Object.keys(fields)) {
      const { [name]: _, ...without } = fields
      const values = [null, {}, -1, 1.5, 2 ** 40, 'x', true]
      for (const other of [without, ...values.map((value) => ({ ...fields, [name]: value }))]) {
        expect([name, outcome(JSON.stringify(other))]).not.toEqual([name, 'opened'])
      }
    }
    expect(outcome(JSON.stringify({ ...fields, more: 1 }))).toBe('malformed')
    expect(outcome(text.replace('{', '{"v":1,'))).toBe('malformed')
    expect(outcome(JSON.stringify(Object.fromEntries(Object.entries(fields).reverse())))).toBe('malformed')
  })

  it('opens after the public client has rewritten disableWebSockets in it, and to the same share', () => {
    const fields = JSON.parse(text) as Record<string, unknown>
    const rewritten = JSON.stringify({ ...fields, disableWebSockets: true })

    expect(Result.getOrThrow(open(rewritten))).toEqual(userShareOf(scheme))
    expect(outcome(JSON.stringify({ ...fields, disableWebSockets: 'true' }))).toBe('malformed')
  })

  it('does not open when the share is not one of its key, though its MAC is right', () => {
    const wrong: readonly Partial<ShareRecord>[] = [
      { secret: bytesOf(scheme, 5n) },
      { secret: bytesOf(scheme, 5n), clientPublic: point(scheme, 5n) },
      { clientPublic: point(scheme, 5n) },
      { serverPublic: point(scheme, 5n) },
      { publicKey: point(scheme, 5n) },
      { secret: new Uint8Array(32) },
      { secret: new Uint8Array(32).fill(255) },
      { publicKey: new Uint8Array(scheme === 'DKLS' ? 33 : 32) },
      { publicKey: new Uint8Array(scheme === 'DKLS' ? 33 : 32).fill(255) },
    ]

    for (const changes of wrong) {
      expect(outcome(write(userShareOf(scheme, changes)))).toBe('not a share of its key')
    }
  })
})

describe('an ED25519 share text', () => {
  it('does not open with a torsion component in its points', () => {
    const torsion = ed25519.Point.fromHex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa')
    const { serverPublic, publicKey } = shareOf('ED25519')
    const add = (bytes: Uint8Array) => ed25519.Point.fromBytes(bytes).add(torsion).toBytes()
    const subtract = (bytes: Uint8Array) => ed25519.Point.fromBytes(bytes).subtract(torsion).toBytes()
    const twisted = userShareOf('ED25519', { serverPublic: add(serverPublic), publicKey: subtract(publicKey) })

    expect(outcome(write(twisted))).toBe('not a share of its key')
  })
})

describe('writing a share text', () => {
  it('is for the user’s share and in ASCII only', () => {
    const provider = userShareOf('DKLS', { role: 'PROVIDER' })
    expect(() => write(provider)).toThrow("only the user's share is written as text")
    expect(() => write({ ...userShareOf('DKLS'), cosignerName: 'mitunterzeichnér' })).toThrow(
      'a share is written in ASCII',
    )
  })

  it('has a hash that identifies exactly this text', () => {
    const text = stored.DKLS
    expect(Buffer.from(ShareText.shareHash(Redacted.make(text))).toString('hex')).toBe(
      createHash('sha256').update(text).digest('hex'),
    )
  })
})

describe('the export of several wallets', () => {
  it('is base64 of each text, joined with -, and is read back', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1 }), (texts) => {
        const joined = ShareText.joinExport(texts)
        expect(joined).toBe(texts.map((text) => Buffer.from(text, 'utf8').toString('base64')).join('-'))
        expect(ShareText.splitExport(joined)).toEqual(texts)
      }),
    )
  })

  it('is refused when a part is not base64 of text', () => {
    const texts = ['a', 'YWI', '*', 'YWI=-_', '/w==']

    expect(texts.map(ShareText.splitExport)).toEqual(texts.map(() => undefined))
  })
})
