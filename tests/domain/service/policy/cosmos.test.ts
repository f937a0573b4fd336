/** What policies say about transactions of Cosmos. */
import {
  amino,
  aminoSend,
  aminoTransfer,
  aminoWith,
  delegate,
  direct,
  execute,
  friend,
  grant,
  multiSend,
  plainMessage,
  redelegate,
  send,
  thief,
  transfer,
} from './cosmosPayloads.ts'
import { describeTable, limit, policy, rule } from './table.ts'

const atom = 'cosmos:cosmoshub-4/denom:uatom'
const msgSend = '/cosmos.bank.v1beta1.MsgSend'
const msgExec = '/cosmos.authz.v1beta1.MsgExec'
const isDefault = 'No rule matches, and the default is deny'
const isUnknown = 'what leaves the wallet cannot be known'
const osmosis = 'cosmoshub-4/transfer/channel-141'
const throughOsmosis = policy('deny', [rule('allow', { channel: { in: [osmosis] }, recipient: { is: friend } })])
const toFriend = policy('deny', [rule('allow', { recipient: { is: friend } })])

describeTable('a policy for Cosmos', [
  {
    name: 'payments to one recipient',
    policy: toFriend,
    good: { asked: direct([send(friend, 5)]), effect: 'allow', because: 'recipient as it says' },
    attack: {
      name: 'one to another beside it',
      asked: direct([send(friend, 5), send(thief, 1)]),
      effect: 'deny',
      because: isDefault,
    },
  },
  {
    name: 'payments to one recipient by an amino document',
    policy: toFriend,
    good: { asked: amino(aminoSend(friend, 5)), effect: 'allow', because: 'recipient as it says' },
    attack: {
      name: 'with a field that is not known',
      asked: amino(aminoSend(friend, 5, { extra: '1' })),
      effect: 'deny',
      because: isDefault,
    },
  },
  {
    name: 'payments to many',
    policy: toFriend,
    good: { asked: direct([multiSend(friend, friend)]), effect: 'allow', because: 'allows it' },
    attack: {
      name: 'another among them',
      asked: direct([multiSend(friend, thief)]),
      effect: 'deny',
      because: isDefault,
    },
  },
  {
    name: 'types of messages',
    policy: policy('deny', [rule('allow', { msgTypes: { in: [msgSend] } })]),
    good: { asked: direct([send(friend, 5)]), effect: 'allow', because: 'msgTypes as it says' },
    attack: {
      name: 'a permission beside it',
      asked: direct([send(friend, 5), grant]),
      effect: 'deny',
      because: isDefault,
    },
  },
  {
    name: 'types of messages, the same in an amino document',
    policy: policy('allow', [rule('deny', { msgTypes: { is: '/cosmwasm.wasm.v1.MsgExecuteContract' } })]),
    good: { asked: amino(aminoSend(friend, 5)), effect: 'allow', because: 'the default is allow' },
    attack: {
      name: 'under the name that amino has for it',
      asked: amino({ type: 'wasm/MsgExecuteContract', value: {} }),
      effect: 'deny',
      because: 'msgTypes cannot be known',
    },
  },
  {
    name: 'messages for another account',
    policy: policy('deny', [rule('allow', { msgTypes: { in: [msgSend, msgExec] }, recipient: { is: friend } })]),
    good: { asked: direct([execute(send(friend, 5))]), effect: 'allow', because: 'msgTypes, recipient as it says' },
    attack: {
      name: 'to another',
      asked: direct([execute(execute(send(thief, 5)))]),
      effect: 'deny',
      because: isDefault,
    },
  },
  {
    name: 'recipients that are denied',
    policy: policy('allow', [rule('deny', { recipient: { is: thief } })]),
    good: { asked: direct([execute(send(friend, 5))]), effect: 'allow', because: 'the default is allow' },
    attack: {
      name: 'in messages too deep to be opened',
      asked: direct([execute(execute(execute(execute(execute(send(friend, 5))))))]),
      effect: 'deny',
      because: 'recipient cannot be known',
    },
  },
  {
    name: 'recipients that are denied, as they are written',
    policy: policy('allow', [rule('deny', { recipient: { is: thief } })]),
    good: { asked: amino(aminoSend(friend, 5)), effect: 'allow', because: 'the default is allow' },
    attack: {
      name: 'in capitals',
      asked: direct([send(thief.toUpperCase(), 5)]),
      effect: 'deny',
      because: 'recipient as it says',
    },
  },
  {
    name: 'a transaction without a tip under a limit',
    policy: policy('deny', [rule('allow', {}, limit(atom, '11'))]),
    good: { asked: direct([send(friend, 10)]), effect: 'allow', because: 'allows it' },
    attack: { name: 'with one', asked: direct([send(friend, 10)], { tip: 1_000 }), effect: 'deny', because: isUnknown },
  },
  {
    name: 'a limit with the fee',
    policy: policy('deny', [rule('allow', {}, limit(atom, '11'))]),
    good: { asked: direct([send(friend, 10)]), effect: 'allow', because: 'allows it' },
    attack: {
      name: 'a fee of all that is there',
      asked: direct([send(friend, 10)], { fee: 1_000 }),
      effect: 'deny',
      because: '1010 of',
    },
  },
  {
    name: 'a limit of what is sent and delegated',
    policy: policy('deny', [rule('allow', {}, limit(atom, '11'))]),
    good: { asked: direct([send(friend, 5), delegate('cosmosvaloper1x', 5)]), effect: 'allow', because: 'allows it' },
    attack: { name: 'a permission to spend', asked: direct([grant]), effect: 'deny', because: isUnknown },
  },
  {
    name: 'coins of one name',
    policy: policy('deny', [rule('allow', { denom: { is: 'uatom' } })]),
    good: { asked: direct([send(friend, 5)]), effect: 'allow', because: 'denom as it says' },
    attack: {
      name: 'of another',
      asked: direct([send(friend, 5), send(friend, 5, 'ibc/AB')]),
      effect: 'deny',
      because: isDefault,
    },
  },
  {
    name: 'a transfer to another chain, by its recipient',
    policy: toFriend,
    good: { asked: direct([send(friend, 5)]), effect: 'allow', because: 'recipient as it says' },
    attack: {
      name: 'through a channel that an attacker may have opened',
      asked: direct([send(friend, 5), transfer(friend)]),
      effect: 'deny',
      because: isDefault,
    },
  },
  {
    name: 'a transfer to another chain, by its recipient in an amino document',
    policy: toFriend,
    good: { asked: amino(aminoSend(friend, 5)), effect: 'allow', because: 'recipient as it says' },
    attack: {
      name: 'through a channel that an attacker may have opened',
      asked: amino(aminoTransfer(friend, 'channel-141')),
      effect: 'deny',
      because: isDefault,
    },
  },
  {
    name: 'a transfer through a channel',
    policy: throughOsmosis,
    good: { asked: direct([transfer(friend)]), effect: 'allow', because: 'channel, recipient as it says' },
    attack: {
      name: 'through another beside it',
      asked: direct([transfer(friend), transfer(friend, 'channel-99999')]),
      effect: 'deny',
      because: isDefault,
    },
  },
  {
    name: 'a transfer through a channel in an amino document',
    policy: throughOsmosis,
    good: {
      asked: amino(aminoTransfer(friend, 'channel-141')),
      effect: 'allow',
      because: 'channel, recipient as it says',
    },
    attack: {
      name: 'to another recipient',
      asked: amino(aminoTransfer(thief, 'channel-141')),
      effect: 'deny',
      because: isDefault,
    },
  },
  {
    name: 'a transfer through a channel of one chain',
    policy: throughOsmosis,
    good: { asked: direct([transfer(friend)]), effect: 'allow', because: 'channel, recipient as it says' },
    attack: {
      name: 'through the channel of this name of another',
      asked: direct([transfer(friend)], { chain: 'juno-1' }),
      effect: 'deny',
      because: isDefault,
    },
  },
  {
    name: 'a transfer through a channel of one port',
    policy: throughOsmosis,
    good: { asked: direct([transfer(friend)]), effect: 'allow', because: 'channel, recipient as it says' },
    attack: {
      name: 'through the channel of this name of another',
      asked: amino(aminoTransfer(friend, 'channel-141', 'wasm.cosmos1thief')),
      effect: 'deny',
      because: isDefault,
    },
  },
  {
    name: 'a transfer through a channel without a memo',
    policy: throughOsmosis,
    good: { asked: direct([transfer(friend)]), effect: 'allow', because: 'channel, recipient as it says' },
    attack: {
      name: 'with one by which it is sent on',
      asked: direct([transfer(friend, 'channel-141', '{"forward":{"receiver":"cosmos1thief"}}')]),
      effect: 'deny',
      because: isDefault,
    },
  },
  {
    name: 'channels that are not allowed',
    policy: policy('deny', [
      rule('allow', { recipient: { is: friend } }),
      rule(
        'allow',
        { channel: { notIn: ['cosmoshub-4/transfer/channel-7'] }, recipient: { is: friend } },
        { id: 'not' },
      ),
    ]),
    good: { asked: direct([send(friend, 5)]), effect: 'allow', because: 'recipient as it says' },
    attack: {
      name: 'one that no rule names',
      asked: direct([transfer(friend)]),
      effect: 'deny',
      because: isDefault,
    },
  },
  {
    name: 'recipients that are denied behind a channel',
    policy: policy('allow', [rule('deny', { channel: { is: osmosis }, recipient: { is: thief } })]),
    good: { asked: direct([transfer(friend, 'channel-7')]), effect: 'allow', because: 'the default is allow' },
    attack: {
      name: 'of whom it is not known who they are',
      asked: direct([transfer(friend)]),
      effect: 'deny',
      because: 'recipient cannot be known',
    },
  },
  {
    name: 'validators that are denied',
    policy: policy('allow', [rule('deny', { recipient: { is: 'cosmosvaloper1bad' } })]),
    good: {
      asked: direct([redelegate('cosmosvaloper1bad', 'cosmosvaloper1good', 5)]),
      effect: 'allow',
      because: 'the default is allow',
    },
    attack: {
      name: 'by way of another',
      asked: direct([delegate('cosmosvaloper1good', 5), redelegate('cosmosvaloper1good', 'cosmosvaloper1bad', 5)]),
      effect: 'deny',
      because: 'recipient as it says',
    },
  },
  {
    name: 'a transaction without extensions under a limit',
    policy: policy('deny', [rule('allow', {}, limit(atom, '11'))]),
    good: { asked: direct([send(friend, 10)]), effect: 'allow', because: 'allows it' },
    attack: {
      name: 'with one',
      asked: direct([send(friend, 10)], { extension: grant }),
      effect: 'deny',
      because: isUnknown,
    },
  },
  {
    name: 'a payer of fees',
    policy: policy('allow', [rule('review', { feePayer: { notIn: [friend] } })]),
    good: { asked: direct([send(friend, 5)], { payer: friend }), effect: 'allow', because: 'the default is allow' },
    attack: {
      name: 'another',
      asked: direct([send(friend, 5)], { payer: thief }),
      effect: 'review',
      because: 'feePayer as it says',
    },
  },
  {
    name: 'a payer of fees in the place of another',
    policy: policy('deny', [rule('allow', { feePayer: { is: friend } })]),
    good: { asked: direct([send(friend, 5)], { payer: friend }), effect: 'allow', because: 'feePayer as it says' },
    attack: {
      name: 'who is granted the fee by a third account, which pays it',
      asked: direct([send(friend, 5)], { payer: friend, granter: thief }),
      effect: 'deny',
      because: isDefault,
    },
  },
  {
    name: 'a payer of fees in an amino document',
    policy: policy('allow', [rule('review', { feePayer: { notIn: [friend] } })]),
    good: { asked: amino(aminoSend(friend, 5)), effect: 'allow', because: 'the default is allow' },
    attack: {
      name: 'who grants the fee',
      asked: aminoWith({ fee: { amount: [], gas: '1', granter: thief } }, aminoSend(friend, 5)),
      effect: 'review',
      because: 'feePayer as it says',
    },
  },
  {
    name: 'coins of any name under a limit',
    policy: policy('deny', [rule('allow', {}, limit(atom, '1'))]),
    good: { asked: direct([send(friend, 5, 'x'.repeat(256))]), effect: 'allow', because: 'allows it' },
    attack: {
      name: 'of one that no chain has',
      asked: direct([send(friend, 5, 'x'.repeat(257))]),
      effect: 'deny',
      because: isUnknown,
    },
  },
  {
    name: 'recipients that are denied, by their names',
    policy: policy('allow', [rule('deny', { recipient: { is: thief } })]),
    good: { asked: direct([send(friend, 5)]), effect: 'allow', because: 'the default is allow' },
    attack: {
      name: 'with a sign that no address has',
      asked: amino(aminoSend(`${thief}\0`, 5)),
      effect: 'deny',
      because: 'recipient cannot be known',
    },
  },
  {
    name: 'a chain that is denied',
    policy: policy('allow', [rule('deny', { chainId: { is: 'osmosis-1' } })]),
    good: { asked: direct([send(friend, 5)]), effect: 'allow', because: 'the default is allow' },
    attack: {
      name: 'by a name that no chain has',
      asked: direct([send(friend, 5)], { chain: 'osmosis-1\0' }),
      effect: 'deny',
      because: 'chainId cannot be known',
    },
  },
  {
    name: 'recipients that are denied, in texts that are UTF-8',
    policy: policy('allow', [rule('deny', { recipient: { is: thief } })]),
    good: { asked: direct([send(friend, 5)]), effect: 'allow', because: 'the default is allow' },
    attack: {
      name: 'half of a sign in its place',
      asked: amino(aminoSend('\ud800', 5)),
      effect: 'deny',
      because: 'recipient cannot be known',
    },
  },
  {
    name: 'a plain message',
    policy: policy('deny', [rule('allow', { payload: { is: 'cosmos.message' } })]),
    good: { asked: plainMessage('hello'), effect: 'allow', because: 'payload as it says' },
    attack: {
      name: 'in a document of a chain',
      asked: plainMessage('hello', 'cosmoshub-4'),
      effect: 'deny',
      because: isDefault,
    },
  },
])
