/** What always holds and takes a browser to see, beside attackers.test.ts and tests/service. */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import type { Page, Request } from 'playwright'
import { describe, expect, it } from 'vitest'
import * as RsaKey from '../../domain/crypto/RsaKey.ts'
import { passwordOf } from './kit/credentials.ts'
import {
  button,
  enterPassword,
  giveEmail,
  logIn,
  openDialog,
  proveEmail,
  signInShop,
  signUp,
  windowOf,
} from './kit/person.ts'
import { rewrite } from './kit/rewrite.ts'
import { stack } from './kit/stack.ts'
import { newEmail, newPassword, useChromium, visit, type Visitor } from './kit/visitor.ts'
import { expectQuiet } from './kit/watch.ts'

const browser = useChromium()

const requestsOf = (visitor: Visitor, method: string, path: RegExp) =>
  visitor.seen.requests.filter((request) => request.method() === method && path.test(request.url()))

const lastOf = (visitor: Visitor, path: RegExp): Request => {
  const [found] = requestsOf(visitor, 'POST', path).slice(-1)
  if (found === undefined) throw new Error('there was no such request')
  return found
}

/** All that this origin keeps for the tab, and what a window cloned from it would get. */
const sessionStorageOf = (page: Page) =>
  page.evaluate(() => JSON.stringify(Object.fromEntries(Object.entries(sessionStorage))))

describe('invariant 3', () => {
  it('invariant 3: the token alone, in curl, signs, stores, creates, rotates and registers nothing', async () => {
    const email = newEmail()
    const visitor = await visit(browser())
    const { shop } = await signUp(visitor, email, passwordOf().signUp)
    const { 'x-capsule-sid': token = '', ...headers } = await lastOf(visitor, /\/touch/).allHeaders()
    expect(token).not.toBe('')
    const { apiHere, cosigner } = stack()
    const apiKey = headers['x-external-api-key'] ?? ''
    const thief = { 'x-capsule-sid': token, 'x-external-api-key': apiKey, origin: stack().shop }
    const ask = (method: string, path: string, body?: unknown) =>
      fetch(`${apiHere}${path}`, {
        method,
        headers: { ...thief, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
    const touched = await ask('POST', '/touch?regenerate=true')
    const { userId, sessionId } = (await touched.json()) as { readonly userId: string; readonly sessionId: string }

    expect([null, token]).toContain(touched.headers.get('x-capsule-sid'))
    const recipients = bytesToHex(secp256k1.getPublicKey(secp256k1.utils.randomSecretKey(), false))
    const attempts: readonly (readonly [string, string, unknown])[] = [
      ['POST', `/users/${userId}/passwords/key`, { status: 'PENDING' }],
      ['POST', `/users/${userId}/biometrics/key`, { status: 'PENDING', type: 'WEB' }],
      ['POST', `/users/${userId}/recovery-public-keys`, { publicKeys: [recipients.slice(0, 128)] }],
      ['POST', `/users/${userId}/key-shares`, { keyShares: [] }],
      ['DELETE', `/users/${userId}/temporary-shares?sessionLookupId=${randomUUID()}`, undefined],
      ['POST', `/openings/${randomUUID()}/ticket`, { page: 'step-up' }],
      ['POST', `/openings/${randomUUID()}/redeem`, { proof: '00'.repeat(32) }],
      ['POST', `/sessions/${sessionId}/keys`, { devicePublicKey: recipients, proof: '00'.repeat(64) }],
    ]
    for (const [method, path, body] of attempts) {
      const { status } = await ask(method, path, body)
      expect([path, status >= 400 && status < 500]).toEqual([path, true])
    }
    const spoiled = Buffer.from(lastOf(visitor, /\/protocol$/).postDataBuffer() ?? [])
    spoiled.writeUInt8(spoiled.readUInt8(spoiled.length - 1) ^ 1, spoiled.length - 1)
    const exchanged = await fetch(`http://127.0.0.1:${new URL(cosigner).port}/protocol`, {
      method: 'POST',
      headers: { ...thief, 'content-type': 'application/octet-stream' },
      body: Uint8Array.from(spoiled),
    })
    expect(exchanged.status).toBeGreaterThanOrEqual(400)
    await signInShop(shop, 'It still signs.')
    expectQuiet(visitor.seen)
    await visitor.close()
  })
})

describe('invariant 4', () => {
  it(
    'invariant 4: no page encrypts to keys that a writer inserts, or shows a wallet that a writer inserts',
    { tags: 'usual' },
    async () => {
      const [email, password] = [newEmail(), newPassword()]
      const credential = passwordOf(password)
      const visitor = await visit(browser())
      const [passwordId, recoveryId, walletId] = [randomUUID(), randomUUID(), randomUUID()]
      const publicKey = bytesToHex(secp256k1.getPublicKey(secp256k1.utils.randomSecretKey(), false)).slice(2)
      const pair = generateKeyPairSync('rsa', { modulusLength: 2048 })
      const sigDerivedPublicKey = RsaKey.publicPemHex(
        new Uint8Array(pair.publicKey.export({ type: 'pkcs1', format: 'der' })),
      )
      const rootSignature = '00'.repeat(64)
      const address = '0x000000000000000000000000000000000000dEaD'
      await visitor.context.route(/\/users\/passwords(?:\?|$)/, (route) =>
        rewrite(route, { method: 'GET', change: inserted({ id: passwordId, sigDerivedPublicKey, rootSignature }) }),
      )
      await visitor.context.route(/\/recovery-public-keys$/, (route) =>
        rewrite(route, { method: 'GET', change: inserted({ id: recoveryId, publicKey, rootSignature }) }),
      )
      await visitor.context.route(/\/users\/[^/]+\/wallets$/, (route) =>
        rewrite(route, { method: 'GET', change: inserted({ id: walletId, address, publicKey }) }),
      )
      const { shop } = await signUp(visitor, email, credential.signUp)

      const stored = requestsOf(visitor, 'POST', /\/key-shares$/).map((request) => request.postData() ?? '')
      expect(stored.length).toBeGreaterThan(0)
      expect(stored.join()).toContain('"PASSWORD"')
      for (const id of [passwordId, recoveryId, walletId]) expect(stored.join()).not.toContain(id)
      await button(shop, email).click()
      await shop.getByRole('heading', { name: 'Your account' }).waitFor()
      expect((await shop.locator('body').innerText()).replaceAll(/\s/g, '')).not.toContain(address)
      await visitor.close()
    },
  )

  it('invariant 4: temporary shares that a writer exchanges are not taken, and the login fails with its reason', async () => {
    const [email, password] = [newEmail(), newPassword()]
    const first = await visit(browser())
    await signUp(first, email, passwordOf(password).signUp)
    await first.close()
    const second = await visit(browser())
    await second.context.route(/\/temporary-shares\?/, (route) => rewrite(route, { method: 'GET', change: exchanged }))
    const shop = await second.shop()
    await openDialog(shop)
    await giveEmail(shop, email)
    await enterPassword(await windowOf(shop, 'Sign in with your password'), password)

    await shop.getByRole('alert').waitFor({ timeout: 30_000 })
    expect(await shop.getByRole('heading', { name: 'Your wallets', includeHidden: true }).count()).toBe(0)
    expect(requestsOf(second, 'DELETE', /\/temporary-shares/)).toEqual([])
    await second.close()
  })
})

/** One row more in each list of an answer, like the first but for these fields. */
const inserted =
  (fields: Readonly<Record<string, unknown>>) =>
  (body: Record<string, unknown>): unknown =>
    Object.fromEntries(
      Object.entries(body).map(([name, list]) => [
        name,
        Array.isArray(list) && list.length > 0
          ? [...(list as readonly object[]), { ...(list[0] as object), ...fields }]
          : list,
      ]),
    )

/** The shares of two wallets change places. */
const exchanged = (body: Record<string, unknown>): unknown =>
  Object.fromEntries(
    Object.entries(body).map(([name, list]) => {
      if (!Array.isArray(list) || list.length < 2) return [name, list]
      const shares = list as Listed
      const next = (index: number) => shares[(index + 1) % shares.length]?.walletId
      return [name, shares.map((share, index) => ({ ...share, walletId: next(index) }))]
    }),
  )

type Listed = readonly { readonly walletId: string }[]

/** As if no backup of one wallet had ever been stored for this credential. */
const withoutTheFirst = (body: Record<string, unknown>): unknown => {
  const [first] = Object.values(body).flatMap((list) => (Array.isArray(list) ? (list as Listed) : []))
  const others = (list: Listed) => list.filter(({ walletId }) => walletId !== first?.walletId)
  return Object.fromEntries(
    Object.entries(body).map(([name, list]) => [name, Array.isArray(list) ? others(list as Listed) : list]),
  )
}

describe('invariant 9', () => {
  it('invariant 9: a login ends although one wallet has no backup for this credential, and names it', async () => {
    const [email, password] = [newEmail(), newPassword()]
    const first = await visit(browser())
    await signUp(first, email, passwordOf(password).signUp)
    await first.close()

    const second = await visit(browser())
    await second.context.route(/\/passwords\/key-shares/, (route) =>
      rewrite(route, { method: 'GET', change: withoutTheFirst }),
    )
    const again = await second.shop()
    await openDialog(again)
    await giveEmail(again, email)
    await enterPassword(await windowOf(again, 'Sign in with your password'), password)
    await again.getByText('One wallet is not here', { exact: true }).waitFor({ timeout: 30_000 })
    expectQuiet(second.seen)
    await second.close()
  })
})

describe('invariant 10', () => {
  it('invariant 10: after the login its pair and secret exist in no tab, popup or clone; shares last', async () => {
    const [email, credential] = [newEmail(), passwordOf()]
    const first = await visit(browser())
    await signUp(first, email, credential.signUp)
    await first.close()
    const second = await visit(browser())
    const shop = await logIn(second, email, {
      ...credential.logIn,
      prove: async (portal) => {
        await expect.poll(() => sessionStorageOf(shopOf(second))).toMatch(/loginEncryptionKeyPair/)
        await credential.logIn.prove(portal)
      },
    })

    await expect.poll(() => requestsOf(second, 'DELETE', /\/temporary-shares/).length).toBe(1)
    const kept = [await sessionStorageOf(shop)]
    const clone = second.context.waitForEvent('page')
    await shop.evaluate(() => window.open(location.href))
    kept.push(await sessionStorageOf(await clone))
    for (const text of kept) {
      expect(text).not.toMatch(/loginEncryptionKeyPair|PRIVATE KEY|tandem\/opening/)
      for (const { bytes } of second.seen.own) expect(text).not.toContain(Buffer.from(bytes).toString())
    }
    expect(second.context.pages().filter((page) => page.url().startsWith(stack().portal))).toEqual([])
    const [forgotten] = requestsOf(second, 'DELETE', /\/temporary-shares/)
    expect(forgotten === undefined ? 0 : second.seen.sharesSealedBefore(forgotten)).toBe(3)
    await second.close()
  })
})

const shopOf = (visitor: Visitor): Page => {
  const [shop] = visitor.context.pages()
  if (shop === undefined) throw new Error('the shop is open')
  return shop
}

describe('invariant 13', () => {
  it('invariant 13: a popup that seems closed while its heartbeats arrive does not fail the login: an isolated host', async () => {
    const [email, credential] = [newEmail(), passwordOf()]
    const visitor = await visit(browser())
    const shop = await visitor.context.newPage()
    await shop.goto(`${stack().shop}/?isolated`)
    await proveEmail(shop, email)
    const portal = await windowOf(shop, credential.signUp.choice)
    await button(portal, 'Yes, continue').click()
    await credential.signUp.protect(portal)

    await shop.getByRole('textbox', { name: 'Recovery secret' }).waitFor({ timeout: 30_000 })
    expectQuiet(visitor.seen)
    await visitor.close()
  })

  it('invariant 13: a popup that dies fails the login within 10 s', async () => {
    const [email, credential] = [newEmail(), passwordOf()]
    const first = await visit(browser())
    await signUp(first, email, credential.signUp)
    await first.close()
    const second = await visit(browser())
    const shop = await second.shop()
    await openDialog(shop)
    await giveEmail(shop, email)
    const portal = await windowOf(shop, credential.logIn.choice)
    await portal.getByRole('heading', { name: 'Enter your password' }).waitFor()
    await portal.close()
    const died = Date.now()

    await shop.getByRole('alert').waitFor({ timeout: 30_000 })
    const seen = Date.now()
    // A heartbeat that was under way when the window died is the last that the service has heard of it.
    const beats = requestsOf(second, 'POST', /\/beat$/).map((request) => {
      const { startTime, responseEnd } = request.timing()
      return startTime + responseEnd
    })
    expect(seen - Math.max(died, ...beats)).toBeLessThan(10_000)
    await button(shop, credential.logIn.choice).waitFor()
    await second.close()
  })
})
