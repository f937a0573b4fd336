/** `tandem webhook`: the addresses of a partner's server, on the deployment that this environment configures. */
import type * as Effect from 'effect/Effect'
import * as Result from 'effect/Result'
import { byOperator } from '../../domain/service/operator.ts'
import * as webhooks from '../../domain/service/webhooks.ts'
import type { Variables } from '../service/settings.ts'
import { onDeployment, sentenceOf } from './deployment.ts'
import type { Ended, Problem } from './Verb.ts'

/** `reason`: for the audit. */
type Given = { readonly variables: Variables; readonly partnerId: string; readonly reason: string | undefined }

export const createWebhook = async (given: Given, url: string): Ended =>
  Result.map(
    await changing(given, 'created', undefined, webhooks.createEndpoint(given.partnerId, url)),
    ({ id, secret }) => ({
      exitCode: 0,
      text: `Webhook ${id} is made. Its secret, which is shown only now: ${secret}`,
      data: { id, secret },
    }),
  )

export const listWebhooks = async (variables: Variables, partnerId: string): Ended =>
  Result.map(
    await onDeployment({ variables }, webhooks.listEndpoints(partnerId), problemOf(partnerId)),
    (endpoints) => ({
      exitCode: 0,
      text: endpoints.length === 0 ? 'There are no webhooks.' : endpoints.map(lineOf).join('\n'),
      data: endpoints.map(({ createdAt, disabledAt, ...endpoint }) => ({
        ...endpoint,
        createdAt: time(createdAt),
        disabledAt: disabledAt === null ? null : time(disabledAt),
      })),
    }),
  )

export const rotateWebhook = async (given: Given, id: string): Ended =>
  Result.map(await changing(given, 'rotated', id, webhooks.rotateSecret(given.partnerId, id)), (secret) => ({
    exitCode: 0,
    text: `The new secret, which is shown only now: ${secret}\nFor 24 hours messages are signed with the old one, too.`,
    data: { id, secret },
  }))

export const disableWebhook = async (given: Given, id: string): Ended =>
  Result.map(await changing(given, 'disabled', id, webhooks.disableEndpoint(given.partnerId, id)), () => ({
    exitCode: 0,
    text: `Webhook ${id} is disabled. What waited for it is not sent.`,
    data: { id },
  }))

export const enableWebhook = async (given: Given, id: string): Ended =>
  Result.map(await changing(given, 'enabled', id, webhooks.enableEndpoint(given.partnerId, id)), () => ({
    exitCode: 0,
    text: `Webhook ${id} is enabled. What failed before is sent by tandem webhook resend.`,
    data: { id },
  }))

export const testWebhook = async (given: Given, id: string): Ended =>
  Result.map(await changing(given, 'tested', id, webhooks.testEndpoint(given.partnerId, id)), (messageId) => ({
    exitCode: 0,
    text: `Message ${messageId} of type webhook.test is on its way.`,
    data: { id, messageId },
  }))

/** One message, or without `messageId` all that have failed. */
export const resendWebhook = async (given: Given, id: string, messageId?: string): Ended =>
  Result.map(await changing(given, 'resent', id, webhooks.resend(given.partnerId, id, messageId)), (messages) => ({
    exitCode: 0,
    text: `${messages} ${messages === 1 ? 'message is' : 'messages are'} on the way again.`,
    data: { id, messages },
  }))

type Refused =
  | Effect.Error<ReturnType<typeof webhooks.createEndpoint>>
  | Effect.Error<ReturnType<typeof webhooks.rotateSecret>>
  | Effect.Error<ReturnType<typeof webhooks.testEndpoint>>

type Needs =
  Effect.Services<ReturnType<typeof webhooks.createEndpoint>> | Effect.Services<ReturnType<typeof webhooks.resend>>

/** `id`: of a webhook that there is. */
const changing = <A>(
  { variables, partnerId, reason }: Given,
  verb: string,
  id: string | undefined,
  flow: Effect.Effect<A, Refused, Needs>,
): Promise<Result.Result<A, Problem>> => {
  const entry = { event: `webhook.operator.${verb}`, partnerId, ...(id === undefined ? {} : { subject: id }) }
  return onDeployment({ variables }, byOperator(entry, reason, flow), problemOf(partnerId))
}

const problemOf =
  (partnerId: string) =>
  (refusal: Refused): Problem => {
    switch (refusal._tag) {
      case 'NotFound': {
        const message = `There is no partner ${partnerId}, or it has no such webhook.`
        return { code: 'failed', message, fix: `tandem webhook list --partner ${partnerId}` }
      }
      case 'InvalidWebhookUrl':
        return { code: 'failed', message: `The address ${refusal.reason}.`, fix: 'Give another address.' }
      default:
        return {
          code: 'failed',
          message: sentenceOf(refusal.message),
          fix: `tandem webhook list --partner ${partnerId}`,
        }
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
