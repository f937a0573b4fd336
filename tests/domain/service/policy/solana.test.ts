/** What policies say about transactions of Solana. */
import { ComputeBudgetProgram, SystemProgram, TransactionInstruction } from '@solana/web3.js'
import {
  approveChecked,
  closeAccount,
  coin,
  createToken,
  friend,
  mint,
  other,
  pay,
  revoke,
  setAuthority,
  signed,
  sponsor,
  system,
  tables,
  thief,
  token,
  transferChecked,
  transferOld,
  wallet,
} from './solanaPayloads.ts'
import { describeTable, limit, policy, rule } from './table.ts'

const longer = ({ programId, keys, data }: TransactionInstruction) =>
  new TransactionInstruction({ programId, keys, data: Buffer.concat([data, Buffer.from([0])]) })

/** A change of authority whose flag says that there is no new one. */
const withoutNew = ({ programId, keys, data }: TransactionInstruction) =>
  new TransactionInstruction({
    programId,
    keys,
    data: Buffer.from(data.map((byte, index) => (index === 2 ? 0 : byte))),
  })
/** The same without the key behind the flag. */
const cut = ({ programId, keys, data }: TransactionInstruction) =>
  new TransactionInstruction({ programId, keys, data: data.subarray(0, 3) })

const isDefault = 'No rule matches, and the default is deny'
const isUnknown = 'what leaves the wallet cannot be known'

describeTable('a policy for Solana', [
  {
    name: 'a change of authority',
    policy: policy('deny', [rule('allow', { 'instructions[].method': { is: 'token.setAuthority' } })]),
    good: { asked: signed([setAuthority(friend)]), effect: 'allow', because: 'instructions[].method as it says' },
    attack: {
      name: 'with a new one that does not count',
      asked: signed([withoutNew(setAuthority(friend))]),
      effect: 'deny',
      because: isDefault,
    },
  },
  {
    name: 'a change of authority to none',
    policy: policy('deny', [rule('allow', { 'instructions[].method': { is: 'token.setAuthority' } })]),
    good: {
      asked: signed([cut(withoutNew(setAuthority(friend)))]),
      effect: 'allow',
      because: 'instructions[].method as it says',
    },
    attack: {
      name: 'to one that is missing',
      asked: signed([cut(setAuthority(friend))]),
      effect: 'deny',
      because: isDefault,
    },
  },
  {
    name: 'payments to one recipient',
    policy: policy('deny', [rule('allow', { recipient: { is: friend.toBase58() } })]),
    good: { asked: signed([pay(friend, 5)]), effect: 'allow', because: 'recipient as it says' },
    attack: {
      name: 'a second one to another',
      asked: signed([pay(friend, 5), pay(thief, 1)]),
      effect: 'deny',
      because: isDefault,
    },
  },
  {
    name: 'payments with accounts that the message names',
    policy: policy('deny', [rule('allow', { recipient: { in: [friend.toBase58(), thief.toBase58()] } })]),
    good: { asked: signed([pay(thief, 5)]), effect: 'allow', because: 'recipient as it says' },
    attack: {
      name: 'to an account of a lookup table',
      asked: signed([pay(thief, 5)], wallet, tables),
      effect: 'deny',
      because: isDefault,
    },
  },
  {
    name: 'recipients that are denied',
    policy: policy('allow', [rule('deny', { recipient: { inList: 'sanctions' } })], { sanctions: [thief.toBase58()] }),
    good: { asked: signed([pay(friend, 5)]), effect: 'allow', because: 'the default is allow' },
    attack: {
      name: 'one of them in a lookup table',
      asked: signed([pay(thief, 5)], wallet, tables),
      effect: 'deny',
      because: 'recipient cannot be known',
    },
  },
  {
    name: 'a bound of lamports',
    policy: policy('deny', [rule('allow', { lamports: { atMost: '10' } })]),
    good: { asked: signed([pay(friend, 4), pay(friend, 6)]), effect: 'allow', because: 'lamports as it says' },
    attack: {
      name: 'exceeded by the sum',
      asked: signed([pay(friend, 6), pay(friend, 5)]),
      effect: 'deny',
      because: isDefault,
    },
  },
  {
    name: 'programs that are named',
    policy: policy('deny', [rule('allow', { programIds: { in: [system] } })]),
    good: { asked: signed([pay(friend, 5)]), effect: 'allow', because: 'programIds as it says' },
    attack: { name: 'another beside them', asked: signed([pay(friend, 5), other]), effect: 'deny', because: isDefault },
  },
  {
    name: 'a limit with the fee that the wallet pays',
    policy: policy('deny', [rule('allow', {}, limit(coin, '5010'))]),
    good: { asked: signed([pay(friend, 10)]), effect: 'allow', because: 'it matches everything' },
    attack: {
      name: 'a priority fee of all that is there',
      asked: signed([
        ComputeBudgetProgram.setComputeUnitLimit({ units: 1_000_000 }),
        ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1_000_000_000 }),
        pay(friend, 10),
      ]),
      effect: 'deny',
      because: `1000005010 of ${coin}`,
    },
  },
  {
    name: 'a fee that another pays',
    policy: policy('deny', [rule('allow', { feePayer: { is: sponsor.toBase58() } }, limit(coin, '10'))]),
    good: { asked: signed([pay(friend, 10)], sponsor), effect: 'allow', because: 'feePayer as it says' },
    attack: {
      name: 'that the wallet is made to pay',
      asked: signed([pay(friend, 10)]),
      effect: 'deny',
      because: isDefault,
    },
  },
  {
    name: 'tokens within a limit',
    policy: policy('deny', [rule('allow', { mint: { is: mint.toBase58() } }, limit(token, '250'))]),
    good: { asked: signed([transferChecked(friend, 250n)]), effect: 'allow', because: 'mint as it says' },
    attack: {
      name: 'by the old instruction, which does not say which tokens',
      asked: signed([transferOld(friend, 1n)]),
      effect: 'deny',
      because: isDefault,
    },
  },
  {
    name: 'a limit of tokens that is held beyond',
    policy: policy('deny', [rule('allow', {}, limit(token, '250', 'review'))]),
    spent: 249n,
    good: { asked: signed([transferChecked(friend, 1n)]), effect: 'allow', because: 'allows it' },
    attack: {
      name: 'an approval of more',
      asked: signed([approveChecked(thief, 2n)]),
      effect: 'review',
      because: '251 of',
    },
  },
  {
    name: 'an approval of a number',
    policy: policy('deny', [rule('allow', {}, limit(token, '250'))]),
    good: { asked: signed([approveChecked(friend, 250n)]), effect: 'allow', because: 'allows it' },
    attack: {
      name: 'without an end',
      asked: signed([approveChecked(thief, 2n ** 64n - 1n)]),
      effect: 'deny',
      because: 'an unlimited amount',
    },
  },
  {
    name: 'an approval is taken back under a limit',
    policy: policy('deny', [rule('allow', {}, limit(token, '0'))]),
    good: { asked: signed([revoke]), effect: 'allow', because: 'allows it' },
    attack: {
      name: 'the account is given away',
      asked: signed([setAuthority(thief)]),
      effect: 'deny',
      because: isUnknown,
    },
  },
  {
    name: 'an account of tokens is closed to the wallet',
    policy: policy('deny', [rule('allow', {}, limit(coin, '10000'))]),
    good: { asked: signed([closeAccount(wallet)]), effect: 'allow', because: 'allows it' },
    attack: { name: 'to another', asked: signed([closeAccount(thief)]), effect: 'deny', because: isUnknown },
  },
  {
    name: 'the rent of one new account',
    policy: policy('deny', [rule('allow', {}, limit(coin, '3000000'))]),
    good: { asked: signed([createToken]), effect: 'allow', because: 'allows it' },
    attack: { name: 'of two', asked: signed([createToken, createToken]), effect: 'deny', because: '4083560 of' },
  },
  {
    name: 'an instruction of its exact length',
    policy: policy('deny', [rule('allow', { lamports: { atMost: '10' } })]),
    good: { asked: signed([pay(friend, 5)]), effect: 'allow', because: 'lamports as it says' },
    attack: { name: 'with a byte more', asked: signed([longer(pay(friend, 5))]), effect: 'deny', because: isDefault },
  },
  {
    name: 'methods that are named',
    policy: policy('deny', [rule('allow', { 'instructions[].method': { in: ['system.transfer'] } })]),
    good: { asked: signed([pay(friend, 1)]), effect: 'allow', because: 'instructions[].method as it says' },
    attack: {
      name: 'the wallet is assigned to a program',
      asked: signed([pay(friend, 1), SystemProgram.assign({ accountPubkey: wallet, programId: thief })]),
      effect: 'deny',
      because: isDefault,
    },
  },
])
