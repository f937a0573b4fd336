/** What policies say about messages and bare digests, and by who asks. */
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Asked } from '../../../../domain/service/policy/facts/Facts.ts'
import { call, friend } from './evmPayloads.ts'
import { ask, describeTable, policy, rule } from './table.ts'

const message = (text: string, more: Partial<Asked> = {}) =>
  ask({ kind: 'eip191', message: bytesToHex(utf8ToBytes(text)) }, more)
const blind = (more: Partial<Asked> = {}) => ask({ kind: 'blind', digest: '11'.repeat(32) }, more)
const isDefault = 'No rule matches, and the default is deny'
const logins = policy('deny', [rule('allow', { payload: { is: 'evm.message' } })])
const day = 86_400_000

describeTable('a policy for messages', [
  {
    name: 'a login',
    policy: logins,
    good: { asked: message('shop.example wants you to sign in'), effect: 'allow', because: 'payload as it says' },
    attack: {
      name: 'the hash of a smart account’s operation as a message',
      asked: ask({ kind: 'eip191', message: '22'.repeat(32) }),
      effect: 'deny',
      because: isDefault,
    },
  },
  {
    name: 'a login, where recipients are denied by a list',
    policy: policy('allow', [rule('deny', { recipient: { inList: 'sanctions' } })], { sanctions: [friend] }),
    good: { asked: message('hello'), effect: 'allow', because: 'the default is allow' },
    attack: {
      name: 'the hash of an operation, whose recipient is hidden',
      asked: ask({ kind: 'eip191', message: '22'.repeat(32) }),
      effect: 'deny',
      because: 'recipient cannot be known',
    },
  },
  {
    name: 'a site that is named',
    policy: policy('deny', [rule('allow', { origin: { is: 'https://shop.example' } })]),
    good: { asked: message('hello'), effect: 'allow', because: 'origin as it says' },
    attack: {
      name: 'another site whose name begins alike',
      asked: message('hello', { origin: 'https://shop.example.thief.example' }),
      effect: 'deny',
      because: isDefault,
    },
  },
  {
    name: 'every other site is denied',
    policy: policy('allow', [rule('deny', { origin: { notIn: ['https://shop.example'] } })]),
    good: { asked: message('hello'), effect: 'allow', because: 'the default is allow' },
    attack: {
      name: 'a caller that names no site',
      asked: message('hello', { origin: null }),
      effect: 'deny',
      because: 'origin cannot be known',
    },
  },
  {
    name: 'a device that is known for a day',
    policy: policy('allow', [rule('review', { deviceAge: { atMost: '24h' } })]),
    good: { asked: message('hello', { deviceAgeMs: day + 1 }), effect: 'allow', because: 'the default is allow' },
    attack: {
      name: 'a new one',
      asked: message('hello', { deviceAgeMs: day }),
      effect: 'review',
      because: 'deviceAge as it says',
    },
  },
  {
    name: 'a device, where new ones are held',
    policy: policy('allow', [rule('review', { deviceAge: { atMost: '24h' } })]),
    good: { asked: message('hello'), effect: 'allow', because: 'the default is allow' },
    attack: {
      name: 'a client without a device key',
      asked: message('hello', { deviceAgeMs: null }),
      effect: 'review',
      because: 'deviceAge cannot be known',
    },
  },
  {
    name: 'a wallet that is a day old',
    policy: policy('deny', [rule('allow', { walletAge: { atLeast: '24h' } })]),
    good: { asked: message('hello'), effect: 'allow', because: 'walletAge as it says' },
    attack: {
      name: 'one that was made for this',
      asked: message('hello', { wallet: { type: 'EVM', address: '', ageMs: day - 1 } }),
      effect: 'deny',
      because: isDefault,
    },
  },
  {
    name: 'a bare digest that a rule names and the partner allows',
    policy: policy('deny', [rule('allow', { payload: { in: ['blind', 'evm.message'] } })]),
    good: { asked: blind({ optedIn: true }), effect: 'allow', because: 'Rule allow allows it' },
    attack: { name: 'that the partner does not allow', asked: blind(), effect: 'deny', because: 'did not opt in' },
  },
  {
    name: 'a transaction, where everything is allowed',
    policy: policy('allow', [rule('allow', {})]),
    good: { asked: call(friend, '0x', 1n), effect: 'allow', because: 'allows it' },
    attack: {
      name: 'its digest alone, which no rule names',
      asked: blind({ optedIn: true }),
      effect: 'deny',
      because: 'no rule names the payload blind',
    },
  },
  {
    name: 'a bare digest without a policy',
    policy: undefined,
    good: { asked: blind({ optedIn: true }), effect: 'allow', because: 'There is no policy' },
    attack: { name: 'that the partner does not allow', asked: blind(), effect: 'deny', because: 'did not opt in' },
  },
])
