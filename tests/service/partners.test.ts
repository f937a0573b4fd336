/**
 * What an operator's command changes, as the copies of a running service answer it: keys that are rotated and revoked, and a
 * partner that is frozen.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as Effect from 'effect/Effect'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runCommand } from '../../adapters/cli/command.ts'
import { Database } from '../../adapters/service/database/Database.ts'
import { applyPolicy } from '../../domain/service/policies.ts'
import { makeDatabaseUrl } from '../kit/database.ts'
import { personWith } from '../kit/portalPlayer.ts'
import { startService, type TestService } from '../kit/service.ts'
import { logIn, portal, shop, signUp } from './people.ts'
import { rowsOf } from './rows.ts'
import { ask, heldBy, refusal, type Client } from './wire.ts'

const dataFolder = mkdtempSync(join(tmpdir(), 'tandem-partners-'))
let settings: Readonly<Record<string, string>> = {}
let hearing: TestService
/** Is told nothing by other processes. */
let deaf: TestService

beforeAll(async () => {
  settings = { DATABASE_URL: await makeDatabaseUrl(), DATA_FOLDER: dataFolder }
  hearing = await startService({ dataFolder, environment: settings })
  deaf = await startService({ dataFolder, environment: { ...settings, DATABASE_LISTEN: 'off' } })
})
afterAll(async () => {
  await hearing.stop()
  await deaf.stop()
  rmSync(dataFolder, { recursive: true })
})

type Made = { readonly id: string; readonly kind: string; readonly key: string }

/** The data of a command that succeeds. */
const tandem = async (...words: readonly string[]): Promise<Readonly<Record<string, unknown>>> => {
  const { exitCode, out } = await runCommand([...words, '--json'], () => Promise.reject(new Error('no file')), settings)
  const answer = JSON.parse(out) as { readonly data?: Readonly<Record<string, unknown>> }
  expect([exitCode, out]).toEqual([0, expect.stringMatching(/^\{"ok":true,/)])
  return answer.data ?? {}
}

const createPartner = async () => {
  const { partner, keys } = await tandem('partner', 'create', '--name', 'Shop', '--origin', 'https://shop.example')
  const of = (kind: string) => (keys as readonly Made[]).find((key) => key.kind === kind) ?? { id: '', kind, key: '' }
  return { partnerId: (partner as { readonly id: string }).id, publishable: of('publishable'), secret: of('secret') }
}

const touch = async (copy: TestService, apiKey: string): Promise<string> => {
  const answer = await ask({ base: copy.addresses.api, apiKey, origin: 'https://shop.example' }, 'POST', '/touch')
  return answer.status === 200 ? 'answered' : refusal(answer)
}
const touches = async (apiKey: string) => [await touch(hearing, apiKey), await touch(deaf, apiKey)]

it('answers a new partner at once, and its rotated key to the end of the overlap on every copy', async () => {
  const { partnerId, publishable } = await createPartner()
  await tandem('webhook', 'create', 'http://127.0.0.1:9/hooks', '--partner', partnerId)
  expect(await touches(publishable.key)).toEqual(['answered', 'answered'])
  const unknown = await touch(hearing, 'pk_nobody')

  const { id, key, old } = await tandem('partner', 'keys', 'rotate', partnerId, publishable.id, '--overlap', '1h')
  expect(await touches(String(key))).toEqual(['answered', 'answered'])
  const { outbox = [] } = await rowsOf(hearing)
  expect(outbox.map(({ body }) => JSON.parse(String(body)) as object)).toMatchObject([
    { type: 'key.rotated', data: { keyId: id, oldKeyId: publishable.id, endsAt: (old as { endsAt: number }).endsAt } },
  ])
  const advance = (ms: number) => [hearing, deaf].forEach((copy) => copy.advance(ms))
  advance(59 * 60_000)
  expect(await touches(publishable.key)).toEqual(['answered', 'answered'])
  advance(61_000)
  expect(await touches(publishable.key)).toEqual([unknown, unknown])
  expect(await touches(String(key))).toEqual(['answered', 'answered'])
})

it('refuses a revoked key like one that never was: where the change is heard, and without it five seconds later', async () => {
  const { partnerId, publishable, secret } = await createPartner()
  expect(await touches(publishable.key)).toEqual(['answered', 'answered'])
  const unknown = await touch(hearing, 'pk_nobody')

  await tandem('partner', 'keys', 'revoke', partnerId, publishable.id, '--yes')
  await expect.poll(() => touch(hearing, publishable.key)).toBe(unknown)
  deaf.advance(5_000)
  expect(await touch(deaf, publishable.key)).toBe(unknown)
  const { keys } = await tandem('partner', 'keys', 'list', partnerId)
  expect(keys).toMatchObject([{ id: secret.id, kind: 'secret', endsAt: null }])
})

it('says what the app gives the SDK, and where a change was done that names no deployment', async () => {
  const words = ['partner', 'create', '--name', 'Shop', '--origin', 'https://shop.example', '--reason', 'a new partner']
  const created = (more: Readonly<Record<string, string>>) =>
    runCommand(words, () => Promise.reject(new Error('no file')), { ...settings, ...more })
  const unnamed = await created({})
  expect(unnamed.error).toMatch(/^This was done on a development deployment: /)
  expect(unnamed.out).toMatch(/\n {2}in the app {7}\{"environment":"DEV","apiKey":"pk_[-\w]+"\}$/)
  expect((await created({ TANDEM_ENVIRONMENT: 'DEV' })).error).toBe('')
})

it('signs nothing for users of a frozen partner, whose calls it refuses on every listener', async () => {
  const { partnerId, apiKey } = hearing.partner
  const ada = await signUp(hearing, { types: { SOLANA: true } })
  const walletId = ada.walletIds[0] ?? ''
  const held = await heldBy(hearing, ada.device)
  await ada.device.signMessage({ walletId, message: 'before' })
  const page: Client = { base: hearing.addresses.api, apiKey, origin: portal }
  const calls = () =>
    Promise.all([
      ask({ ...page, origin: shop }, 'POST', '/touch'),
      ask(page, 'GET', `/partners/${partnerId}`),
      ask(held.client, 'GET', `/users/${held.userId}/wallets`),
      ask({ ...page, apiKey: hearing.partner.secretKey }, 'POST', '/pending-transactions/a/decision', { jws: 'a' }),
    ])
  const frozen = '403 PartnerFrozen: partner is frozen'

  await tandem('partner', 'freeze', partnerId)
  await expect.poll(async () => refusal((await calls())[0])).toBe(frozen)
  expect((await calls()).map(refusal)).toEqual([frozen, frozen, frozen, frozen])
  await expect(ada.device.signMessage({ walletId, message: 'frozen' })).rejects.toThrow('partner is frozen')
  deaf.advance(5_000)
  expect(await touch(deaf, apiKey)).toBe(frozen)

  await tandem('partner', 'unfreeze', partnerId)
  await expect.poll(async () => (await calls())[0].status).toBe(200)
  await ada.device.signMessage({ walletId, message: 'after' })
})

it('shows the policy as it was applied, and why one that cannot be known denies everything', async () => {
  const { partnerId } = await createPartner()
  expect(await tandem('policy', 'show', '--partner', partnerId)).toEqual({ policy: null })
  const document = { tandem: 'policy/1', default: 'deny', rules: [] }
  await hearing.run(applyPolicy(partnerId, document))
  const shown = await tandem('policy', 'show', '--partner', partnerId)
  expect(shown).toEqual({ policy: document, version: 1, appliedAt: expect.any(Number) as number })

  await hearing.run(
    Effect.flatMap(Database, ({ query }) =>
      query((db) => db.deleteFrom('policies').where('partner_id', '=', partnerId).execute()),
    ),
  )
  const words = ['policy', 'show', '--partner', partnerId]
  const { exitCode, out } = await runCommand(words, () => Promise.reject(new Error('no file')), settings)
  expect([exitCode, out]).toEqual([6, 'Everything is denied: the policy is missing.\n1 problem found.'])
})

it('rolls a policy back to the one directly before it, and to no other', async () => {
  const { partnerId } = await createPartner()
  const of = ['--partner', partnerId]
  const rollBack = () => runCommand(['policy', 'rollback', ...of], () => Promise.reject(new Error('no file')), settings)
  const none = { exitCode: 5, error: expect.stringMatching(/^There is no policy directly before/) as string }
  const [denying, allowing] = (['deny', 'allow'] as const).map((byDefault) => ({
    tandem: 'policy/1',
    default: byDefault,
    rules: [],
  }))
  await hearing.run(applyPolicy(partnerId, denying))
  expect(await rollBack()).toMatchObject(none)
  await hearing.run(applyPolicy(partnerId, allowing))
  const rowOf = () =>
    hearing.run(
      Effect.flatMap(Database, ({ query }) =>
        query((db) =>
          db.selectFrom('policies').selectAll().where('partner_id', '=', partnerId).executeTakeFirstOrThrow(),
        ),
      ),
    )
  const change = (values: Partial<Awaited<ReturnType<typeof rowOf>>>) =>
    hearing.run(
      Effect.flatMap(Database, ({ query }) =>
        query((db) => db.updateTable('policies').set(values).where('partner_id', '=', partnerId).execute()),
      ),
    )
  const second = await rowOf()

  expect(await tandem('policy', 'rollback', ...of, '--reason', 'a mistake')).toEqual({ partnerId, version: 3, of: 1 })
  expect(await tandem('policy', 'show', ...of)).toMatchObject({ policy: denying, version: 3 })
  expect(await tandem('policy', 'rollback', ...of)).toEqual({ partnerId, version: 4, of: 2 })
  expect(await tandem('policy', 'show', ...of)).toMatchObject({ policy: allowing, version: 4 })
  const { audits = [] } = await rowsOf(hearing)
  expect(
    audits.filter(({ event, partner_id: by }) => event === 'policy.rolled back' && by === partnerId),
  ).toMatchObject([{ detail: { actor: 'operator', reason: 'a mistake' } }, { detail: { actor: 'operator' } }])

  // What a writer of the database could put there: an older document before this one, and an older row.
  await change({ before_version: second.before_version, before_sealed: second.before_sealed })
  expect(await rollBack()).toMatchObject(none)
  await change(second)
  expect(await rollBack()).toMatchObject(none)
})

it('shows a user with the identity masked, and signs them out everywhere', async () => {
  const { device, userId, email } = await signUp(hearing, { types: { SOLANA: true } })
  const { user } = await tandem('users', 'show', email)
  expect(user).toMatchObject({ id: userId, hasCredential: true, sessions: 1, wallets: [{ type: 'SOLANA' }] })
  expect(JSON.stringify(user)).not.toContain(email)
  expect(await tandem('users', 'show', userId)).toEqual({ user })
  const held = await heldBy(hearing, device)
  expect(await ask(held.client, 'GET', `/users/${userId}/wallets`)).toMatchObject({ status: 200 })

  expect(await tandem('users', 'end-sessions', userId, '--reason', 'a lost phone')).toEqual({ userId, sessions: 1 })
  expect(await ask(held.client, 'GET', `/users/${userId}/wallets`)).toMatchObject({ status: 401 })
  const { audits = [] } = await rowsOf(hearing)
  const records = audits.filter((row) => row['user_id'] === userId && String(row['event']).includes('.ended'))
  expect(records.map(({ event, detail }) => [event, detail])).toEqual(
    expect.arrayContaining([
      ['user.sessions.ended', { actor: 'operator', reason: 'a lost phone' }],
      ['session.ended', expect.anything()],
    ]),
  )
  await device.dispose()
})

it('signs a frozen user out, lets nobody sign in as it, and signs again after the freeze', async () => {
  const ada = await signUp(hearing, { types: { SOLANA: true } })
  const { userId, email, password } = ada
  expect(await tandem('users', 'freeze', email, '--reason', 'a claim')).toEqual({ userId, isFrozen: true, sessions: 1 })
  expect(await tandem('users', 'show', userId)).toMatchObject({ user: { isFrozen: true, sessions: 0 } })
  await expect(ada.device.signMessage({ message: 'frozen' })).rejects.toThrow('no signed-in user')
  const atThePortal: unknown[] = []
  const play = Effect.tapError(personWith(password), (refusal) => Effect.sync(() => atThePortal.push(refusal)))
  await expect(logIn(hearing, { email, password }, { play })).rejects.toThrow('popup was closed')
  expect(atThePortal).toMatchObject([{ code: 'UserFrozen' }])

  expect(await tandem('users', 'show', userId)).toMatchObject({ user: { isFrozen: true } })

  expect(await tandem('users', 'unfreeze', userId)).toEqual({ userId, isFrozen: false })
  const again = await logIn(hearing, { email, password }, { types: { SOLANA: true } })
  expect((await again.signMessage({ message: 'thawed' })).ethereumSignature).toBeUndefined()
  const { audits = [] } = await rowsOf(hearing)
  const records = audits.filter((row) => row['user_id'] === userId && /^user\.(un)?frozen$/.test(String(row['event'])))
  expect(records.map(({ event, detail }) => [event, detail])).toEqual([
    ['user.frozen', { actor: 'operator', reason: 'a claim' }],
    ['user.unfrozen', { actor: 'operator' }],
  ])
  await ada.device.dispose()
  await again.dispose()
})

it('deletes a user with all that names it, destroys the keys of its shares, and frees its address', async () => {
  const ada = await signUp(hearing, { types: { SOLANA: true } })
  const { userId, email, walletIds } = ada
  await ada.device.logout()
  const keysOf = (id = '') => join(dataFolder, 'cosigner', 'share-keys', id.slice(0, 2), id)
  expect(walletIds.flatMap((id) => readdirSync(keysOf(id)))).toHaveLength(1)
  const named = async () =>
    Object.entries(await rowsOf(hearing)).flatMap(([table, rows]) =>
      [userId, email, ...walletIds].some((text) => JSON.stringify(rows).includes(text)) ? [table] : [],
    )
  expect(await named()).toEqual(
    expect.arrayContaining(['users', 'wallets', 'provider_shares', 'key_shares', 'passwords']),
  )

  const words = ['users', 'delete', email, '--reason', 'asked for']
  expect(await runCommand(words, () => Promise.reject(new Error()), settings)).toMatchObject({ exitCode: 5 })
  expect(await tandem(...words, '--yes')).toEqual({ userId, wallets: 1 })
  expect(walletIds.flatMap((id) => readdirSync(keysOf(id)))).toEqual([])
  expect((await named()).toSorted()).toEqual(['audits', 'rate_limits'])
  const { audits = [] } = await rowsOf(hearing)
  expect(audits.filter(({ event, user_id: of }) => event === 'user.deleted' && of === userId)).toMatchObject([
    { detail: { actor: 'operator', reason: 'asked for' } },
  ])

  const again = await signUp(hearing, { email, types: { SOLANA: true } })
  expect(again.userId).not.toBe(userId)
  await ada.device.dispose()
  await again.device.dispose()
})

it('finds no user that there is not', async () => {
  const nobody = await runCommand(['users', 'show', 'nobody@example.org'], () => Promise.reject(new Error()), settings)
  expect(nobody).toMatchObject({
    exitCode: 1,
    error: 'There is no user nobody@example.org.\nFix: Give the whole id, or the whole e-mail address.',
  })
})
