import { Option } from 'commander'
import type { Call, Verb } from './Verb.ts'

const partner = () => new Option('--partner <ID>', 'the partner').makeOptionMandatory()

const partnerOf = (call: Call): string => call.option('partner') ?? ''

const given = (call: Call) => ({ variables: call.variables, partnerId: partnerOf(call), reason: call.reason })

const first = ({ given }: Call): string => given[0] ?? ''

export const webhookVerbs: readonly Verb[] = [
  {
    name: 'webhook create',
    takes: ['URL'],
    says: 'tells a partner’s server what happens; shows the secret once',
    options: () => [partner()],
    changes: true,
    run: async (call) => (await import('./webhook.ts')).createWebhook(given(call), first(call)),
  },
  {
    name: 'webhook list',
    takes: [],
    says: 'the webhooks of a partner, and what waits for them',
    options: () => [partner()],
    run: async (call) => (await import('./webhook.ts')).listWebhooks(call.variables, partnerOf(call)),
  },
  {
    name: 'webhook rotate',
    takes: ['WEBHOOK'],
    says: 'another secret; for a day both sign',
    options: () => [partner()],
    changes: true,
    run: async (call) => (await import('./webhook.ts')).rotateWebhook(given(call), first(call)),
  },
  {
    name: 'webhook disable',
    takes: ['WEBHOOK'],
    says: 'sends it nothing more',
    options: () => [partner()],
    changes: true,
    run: async (call) => (await import('./webhook.ts')).disableWebhook(given(call), first(call)),
  },
  {
    name: 'webhook enable',
    takes: ['WEBHOOK'],
    says: 'sends it what happens from now on',
    options: () => [partner()],
    changes: true,
    run: async (call) => (await import('./webhook.ts')).enableWebhook(given(call), first(call)),
  },
  {
    name: 'webhook test',
    takes: ['WEBHOOK'],
    says: 'sends it a message that means nothing',
    options: () => [partner()],
    changes: true,
    run: async (call) => (await import('./webhook.ts')).testWebhook(given(call), first(call)),
  },
  {
    name: 'webhook resend',
    takes: ['WEBHOOK'],
    says: 'sends again what failed within 30 days',
    options: () => [partner(), new Option('--message <ID>', 'only this one')],
    changes: true,
    run: async (call) => (await import('./webhook.ts')).resendWebhook(given(call), first(call), call.option('message')),
  },
]
