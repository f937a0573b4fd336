/**
 * Sessions, shares and links as text are read for ever: fixtures/texts.v1.json was written once, of the share texts in
 * tests/mpc/fixtures (that of ED25519 for a wallet id of its own). The link's key is the SHA-256 of its name.
 */
import { readFileSync } from 'node:fs'
import { p256 } from '@noble/curves/nist.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { base64 } from '@scure/base'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as Redacted from 'effect/Redacted'
import * as Result from 'effect/Result'
import { describe, expect, it } from 'vitest'
import { openShortLink } from '../../../domain/client/portal/openShortLink.ts'
import { Navigation } from '../../../domain/client/ports/Navigation.ts'
import { importSession } from '../../../domain/client/transferSession.ts'
import * as Address from '../../../domain/model/Address.ts'
import * as ShareText from '../../../domain/mpc/ShareText.ts'
import { clocked, makeHostStage } from '../../kit/hostStage.ts'

type Sample = {
  readonly session: string
  readonly delegatedSession: string
  readonly userShares: string
  readonly shortLink: { readonly url: string; readonly message: string; readonly target: string }
}
const sample = JSON.parse(readFileSync(new URL('fixtures/texts.v1.json', import.meta.url), 'utf8')) as Sample

const userId = '99999999-8888-4777-8666-555555555555'
const partnerId = '12345678-1234-4123-8123-123456789abc'
const sessionId = '22222222-2222-4333-8444-555555555555'
const evm = 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee'
const solana = 'bbbbbbbb-bbbb-4ccc-8ddd-eeeeeeeeeeee'

const stageOf = (message = '', origin = 'https://shop.example') =>
  makeHostStage(
    {
      touchSession: () => ({
        isAuthenticated: true,
        sessionId,
        sessionLookupId: sessionId,
        partnerId,
        userId,
        currentWalletIds: { EVM: [evm], SOLANA: [solana] },
        needsWallet: false,
        supportedWalletTypes: [{ type: 'EVM' }],
        serverTime: 0,
      }),
      getTemporaryTransmission: () => ({ message }),
    },
    { origin },
  )

describe('an exported session', () => {
  it('goes on with its shares, at their addresses', async () => {
    const stage = stageOf()

    expect(await clocked(stage.layer, importSession(sample.session))).toMatchObject({ userId, isAuthenticated: true })

    expect([...stage.shares.keys()]).toEqual([evm, solana])
    for (const [walletId, type] of [
      [evm, 'EVM'],
      [solana, 'SOLANA'],
    ] as const) {
      const { shareText, address } = Option.getOrThrow(Option.fromUndefinedOr(stage.shares.get(walletId)))
      const { share } = Result.getOrThrow(ShareText.open(shareText))
      expect(address).toBe(Address.fromPublicKey(type, share.publicKey))
    }
    const { '@CAPSULE/wallets': wallets = '', ...texts } = Object.fromEntries(stage.local)
    expect(Object.keys(JSON.parse(wallets) as object)).toEqual([evm, solana])
    expect(texts).toEqual({
      '@CAPSULE/sessionCookie': 'the token',
      '@CAPSULE/e-mail': 'ada@example.com',
      '@CAPSULE/userId': userId,
      '@CAPSULE/currentWalletIds': JSON.stringify({ EVM: [evm], SOLANA: [solana] }),
    })
  })

  it('is refused with a share of a later version, and nothing changes', async () => {
    const stage = stageOf()
    const json = new TextDecoder().decode(base64.decode(sample.session))
    const later = base64.encode(new TextEncoder().encode(json.replace('{\\"v\\":1', '{\\"v\\":2')))

    expect(later).not.toBe(sample.session)
    const error = await clocked(stage.layer, Effect.flip(importSession(later)))
    expect(error).toMatchObject({ _tag: 'SessionTextRefused' })
    expect([stage.shares.size, stage.local.size]).toEqual([0, 0])
  })
})

describe('a delegated session', () => {
  it('goes on at a server with its key', async () => {
    const stage = stageOf('', '')

    await clocked(stage.layer, importSession(sample.delegatedSession))

    expect([...stage.shares.keys()]).toEqual([evm, solana])
    expect(stage.local.get('@CAPSULE/sessionCookie')).toBe('the token')
    const keys = [...stage.keys].map(([id, { record }]) => [id, record.publicKey.slice(2, 66)])
    expect(keys).toEqual([[sessionId, bytesToHex(p256.Point.BASE.toBytes().slice(1))]])
  })
})

describe('exported user shares', () => {
  it('give the share texts of several wallets', () => {
    const texts = ShareText.splitExport(sample.userShares) ?? []
    const shares = texts.map((text) => Result.getOrThrow(ShareText.open(Redacted.make(text))))

    expect(shares.map(({ share }) => [share.walletId, share.scheme])).toEqual([
      [evm, 'DKLS'],
      [solana, 'ED25519'],
    ])
  })
})

describe('a short link', () => {
  const { url, message, target } = sample.shortLink

  it('leads to its page', async () => {
    const visited: string[] = []
    const redirect = (to: string) => Effect.sync(() => void visited.push(to))
    const visit = Effect.flatMap(Navigation, (navigation) =>
      Effect.provideService(openShortLink(url), Navigation, { ...navigation, redirect }),
    )

    await clocked(stageOf(message).layer, visit)

    expect(visited).toEqual([target])
  })

  it('is refused with a message in another envelope', async () => {
    const other = base64.encode(base64.decode(message).with(0, 5))

    const error = await clocked(stageOf(other).layer, Effect.flip(openShortLink(url)))
    expect(error).toMatchObject({ _tag: 'ShortLinkRefused' })
  })
})
