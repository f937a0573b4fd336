/** `tandem webhook`: on the database of a deployment, beside its processes. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Result from 'effect/Result'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  createWebhook,
  disableWebhook,
  enableWebhook,
  listWebhooks,
  resendWebhook,
  rotateWebhook,
  testWebhook,
} from '../../adapters/cli/webhook.ts'
import type { Problem } from '../../adapters/cli/Verb.ts'
import { developmentPartner } from '../../adapters/development/partner.ts'
import { readConfiguration } from '../../adapters/service/config.ts'
import { databaseAt } from '../../adapters/service/database/open.ts'
import { operatorLayers } from '../../adapters/service/operatorLayers.ts'
import * as partners from '../../domain/service/partners.ts'
import { makePlace } from '../kit/database.ts'

const folder = mkdtempSync(join(tmpdir(), 'tandem-webhooks-'))
let variables: Readonly<Record<string, string>>
let partnerId: string

beforeAll(async () => {
  const place = await makePlace('PostgreSQL', folder)
  variables = { DATA_FOLDER: folder, ...(place.kind === 'postgres' ? { DATABASE_URL: place.url } : {}) }
  const configuration = Result.getOrThrow(readConfiguration(variables))
  const made = await Effect.runPromise(
    Effect.provide(
      partners.create(developmentPartner),
      Layer.provideMerge(
        operatorLayers(configuration, { asCosigner: false }),
        databaseAt(configuration.database, { migrates: true }),
      ),
    ),
  )
  partnerId = made.partner.id
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const given = (of: string) => ({ variables, partnerId: of, reason: 'asked for' })

const dataOf = (found: Result.Result<{ readonly data: unknown }, Problem>) => Result.getOrThrow(found).data as never

it('makes, lists, rotates, disables, enables and tests a webhook, and sends again', async () => {
  const made = Result.getOrThrow(await createWebhook(given(partnerId), 'https://shop.example/hooks'))
  const { id, secret } = made.data as { readonly id: string; readonly secret: string }
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(made).toMatchObject({
    exitCode: 0,
    text: `Webhook ${id} is made. Its secret, which is shown only now: ${secret}`,
  })

  const { messageId } = dataOf(await testWebhook(given(partnerId), id)) as { readonly messageId: string }
  expect(messageId).toMatch(/^msg_[0-9a-f-]{36}$/)
  expect(dataOf(await listWebhooks(variables, partnerId))).toMatchObject([
    { id, url: 'https://shop.example/hooks', waiting: 1, failed: 0, disabledAt: null },
  ])
  const rotated = dataOf(await rotateWebhook(given(partnerId), id)) as { readonly secret: string }
  expect(rotated.secret).not.toBe(secret)

  Result.getOrThrow(await disableWebhook(given(partnerId), id))
  expect(Result.getOrThrow(await listWebhooks(variables, partnerId)).text).toBe(
    `${id}  disabled  0 waiting, 1 failed  https://shop.example/hooks`,
  )
  expect(await testWebhook(given(partnerId), id)).toMatchObject({
    failure: { code: 'failed', message: 'Webhook endpoint is disabled.' },
  })
  Result.getOrThrow(await enableWebhook(given(partnerId), id))
  expect(Result.getOrThrow(await resendWebhook(given(partnerId), id)).text).toBe('1 message is on the way again.')
  expect(Result.getOrThrow(await resendWebhook(given(partnerId), id, 'msg_none')).text).toBe(
    '0 messages are on the way again.',
  )
})

it('says what is wrong', async () => {
  expect(await createWebhook(given(partnerId), 'file:///etc/passwd')).toMatchObject({
    failure: { code: 'failed', message: 'The address is not https.' },
  })
  expect(await createWebhook(given('none'), 'https://shop.example/')).toMatchObject({
    failure: { code: 'failed', message: 'There is no partner none, or it has no such webhook.' },
  })
  expect(await createWebhook({ ...given(partnerId), reason: '' }, 'https://shop.example/')).toMatchObject({
    failure: {
      code: 'refused',
      message: 'The change needs a reason, of one line and 500 characters at most.',
      fix: 'Add --reason "why it is changed".',
    },
  })
  expect(await operatorsEvents()).toEqual([
    ['webhook.operator.created', 'asked for'],
    ['webhook.operator.tested', 'asked for'],
    ['webhook.operator.rotated', 'asked for'],
    ['webhook.operator.disabled', 'asked for'],
    ['webhook.operator.enabled', 'asked for'],
    ['webhook.operator.resent', 'asked for'],
    ['webhook.operator.resent', 'asked for'],
  ])
  expect(await disableWebhook(given(partnerId), 'none')).toMatchObject({
    failure: { code: 'failed', message: `There is no partner ${partnerId}, or it has no such webhook.` },
  })
  expect(await listWebhooks({ ...variables, TANDEM_ENVIRONMENT: 'PROD' }, partnerId)).toMatchObject({
    failure: {
      code: 'configuration',
      message: expect.stringMatching(/^API_URL, .* are missing, and PROD has no defaults for them\.$/) as string,
    },
  })
})

/** What the audit has of the operator's changes, in their order. */
const operatorsEvents = async () => {
  const client = new pg.Client({ connectionString: variables['DATABASE_URL'] })
  await client.connect()
  const { rows } = await client.query<{ readonly event: string; readonly reason: string }>(
    `select event, detail->>'reason' as reason from audits where detail->>'actor' = 'operator' order by at, id`,
  )
  await client.end()
  return rows.map(({ event, reason }) => [event, reason])
}
