/** `tandem webhook`: the addresses of a partner's server, on the deployment that this environment configures. */
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Result from 'effect/Result'
import { byOperator, type ReasonRequired } from '../../domain/service/operator.ts'
import * as webhooks from '../../domain/service/webhooks.ts'
import { readConfiguration } from '../service/config.ts'
import { databaseAt } from '../service/database/open.ts'
import { operatorLayers } from '../service/operatorLayers.ts'
import type { Variables } from '../service/settings.ts'
import type { Finding } from './Verb.ts'

/** `reason`: for the audit. */
type Given = { readonly variables: Variables; readonly partnerId: string; readonly reason: string | undefined }

/** Fails with the sentence that says why nothing was done. */
type Verb = Promise<Result.Result<Finding, string>>

export const createWebhook = ({ variables, partnerId, reason }: Given, url: string): Verb =>
  on(
    variables,
    partnerId,
    byOperator({ event: 'webhook.operator.created', partnerId }, reason, webhooks.createEndpoint(partnerId, url)),
    ({ id, secret }) => ({
      text: `Webhook ${id} is made. Its secret, which is shown only now: ${secret}`,
      data: { id, secret },
    }),
  )

export const listWebhooks = (variables: Variables, partnerId: string): Verb =>
  on(variables, partnerId, webhooks.listEndpoints(partnerId), (endpoints) => ({
    text: endpoints.length === 0 ? 'There are no webhooks.' : endpoints.map(lineOf).join('\n'),
    data: endpoints.map(({ createdAt, disabledAt, ...endpoint }) => ({
      ...endpoint,
      createdAt: time(createdAt),
      disabledAt: disabledAt === null ? null : time(disabledAt),
    })),
  }))

export const rotateWebhook = ({ variables, partnerId, reason }: Given, id: string): Verb =>
  on(
    variables,
    partnerId,
    byOperator(
      { event: 'webhook.operator.rotated', partnerId, subject: id },
      reason,
      webhooks.rotateSecret(partnerId, id),
    ),
    (secret) => ({
      text: `The new secret, which is shown only now: ${secret}\nFor 24 hours messages are signed with the old one, too.`,
      data: { id, secret },
    }),
  )

export const disableWebhook = ({ variables, partnerId, reason }: Given, id: string): Verb =>
  on(
    variables,
    partnerId,
    byOperator(
      { event: 'webhook.operator.disabled', partnerId, subject: id },
      reason,
      webhooks.disableEndpoint(partnerId, id),
    ),
    () => ({
      text: `Webhook ${id} is disabled. What waited for it is not sent.`,
      data: { id },
    }),
  )

export const enableWebhook = ({ variables, partnerId, reason }: Given, id: string): Verb =>
  on(
    variables,
    partnerId,
    byOperator(
      { event: 'webhook.operator.enabled', partnerId, subject: id },
      reason,
      webhooks.enableEndpoint(partnerId, id),
    ),
    () => ({
      text: `Webhook ${id} is enabled. What failed before is sent by tandem webhook resend.`,
      data: { id },
    }),
  )

export const testWebhook = ({ variables, partnerId, reason }: Given, id: string): Verb =>
  on(
    variables,
    partnerId,
    byOperator(
      { event: 'webhook.operator.tested', partnerId, subject: id },
      reason,
      webhooks.testEndpoint(partnerId, id),
    ),
    (messageId) => ({
      text: `Message ${messageId} of type webhook.test is on its way.`,
      data: { id, messageId },
    }),
  )

/** One message, or without `messageId` all that have failed. */
export const resendWebhook = ({ variables, partnerId, reason }: Given, id: string, messageId?: string): Verb =>
  on(
    variables,
    partnerId,
    byOperator(
      { event: 'webhook.operator.resent', partnerId, subject: id },
      reason,
      webhooks.resend(partnerId, id, messageId),
    ),
    (messages) => ({
      text: `${messages} ${messages === 1 ? 'message is' : 'messages are'} on the way again.`,
      data: { id, messages },
    }),
  )

type Needs = Layer.Success<ReturnType<typeof operatorLayers>>

type Refused =
  | ReasonRequired
  | Effect.Error<ReturnType<typeof webhooks.createEndpoint>>
  | Effect.Error<ReturnType<typeof webhooks.rotateSecret>>
  | Effect.Error<ReturnType<typeof webhooks.testEndpoint>>

const on = async <A>(
  variables: Variables,
  partnerId: string,
  flow: Effect.Effect<A, Refused, Needs>,
  found: (result: A) => Omit<Finding, 'exitCode'>,
): Verb => {
  const configuration = readConfiguration(variables)
  if (Result.isFailure(configuration)) return Result.fail(configuration.failure.message)
  const { database, environment } = configuration.success
  const layers = Layer.provideMerge(
    operatorLayers(configuration.success, { asCosigner: false }),
    databaseAt(database, { migrates: environment === 'DEV' }),
  )
  const done = await Effect.runPromise(Effect.result(Effect.provide(flow, layers)))
  if (Result.isSuccess(done)) return Result.succeed({ exitCode: 0, ...found(done.success) })
  const refusal = done.failure
  switch (refusal._tag) {
    case 'NotFound':
      return Result.fail(`There is no partner ${partnerId}, or it has no such webhook.`)
    case 'InvalidWebhookUrl':
      return Result.fail(`The address ${refusal.reason}.`)
    default:
      return Result.fail(`${refusal.message.charAt(0).toUpperCase()}${refusal.message.slice(1).replace(/\.$/, '')}.`)
  }
}

const lineOf = ({
  id,
  url,
  disabledAt,
  waiting,
  failed,
}: Effect.Success<ReturnType<typeof webhooks.listEndpoints>>[number]) =>
  `${id}  ${disabledAt === null ? 'enabled ' : 'disabled'}  ${waiting} waiting, ${failed} failed  ${url}`

const time = (ms: number): string => new Date(ms).toISOString()
