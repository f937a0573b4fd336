/**
 * What must hold, one function each. They read the database as it was committed, what devices keep, and the answers that went
 * out; what they remember outlives restores, as whoever got an answer does.
 */
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import * as Result from 'effect/Result'
import * as RootKey from '../../domain/crypto/RootKey.ts'
import * as StorageKeys from '../../domain/model/StorageKeys.ts'
import * as MpcFrame from '../../domain/mpc/Frame.ts'
import * as ShareRecord from '../../domain/mpc/ShareRecord.ts'
import * as ShareText from '../../domain/mpc/ShareText.ts'
import type { Job } from '../../domain/service/ports/CosignerEngine.ts'
import { limits } from '../../domain/service/Run.ts'
import { belongTogether, isSigned, type Guess } from '../kit/toyProtocols.ts'
import { identity } from './cosigner.ts'
import type { Sim } from './Sim.ts'
import { messageOf, type SignedRequest } from './verbs.ts'

export type Row = Readonly<Record<string, unknown>>

/** Every envelope that was made, by its ciphertext: for whom, and what is in it. */
export type Envelopes = ReadonlyMap<string, { readonly publicKey: string; readonly plaintext: string }>

/** What invariants look at. */
export type View = {
  readonly sim: Sim
  readonly rows: (table: string) => readonly Row[]
  readonly envelopes: Envelopes
  /** Local storage of each device. */
  readonly storages: () => readonly ReadonlyMap<string, string>[]
}

const textOf = (row: Row, column: string): string => {
  const value = row[column]
  return typeof value === 'string' ? value : ''
}
const bytesOf = (row: Row, column: string): Uint8Array | undefined => {
  const value = row[column]
  return value instanceof Uint8Array ? value : undefined
}
const numberOf = (row: Row, column: string): number => Number(row[column])

const opened = new Map<string, ShareRecord.ShareRecord | undefined>()

const shareIn = (text: string): ShareRecord.ShareRecord | undefined => {
  if (!opened.has(text)) {
    if (opened.size > 1_000) opened.clear()
    opened.set(text, Result.getOrUndefined(Result.map(ShareText.open(text), ({ share }) => share)))
  }
  return opened.get(text)
}

type Kept = Readonly<Record<string, { readonly shareText: string }>>

/** Shares and candidates of a device, as its store keeps them as text. */
const sharesOn = (storage: ReadonlyMap<string, string>, walletId: string): readonly ShareRecord.ShareRecord[] => {
  const text = storage.get(StorageKeys.keyShares)
  if (text === undefined) return []
  const { shares = {}, candidates = {} } = JSON.parse(text) as { readonly shares?: Kept; readonly candidates?: Kept }
  return [shares[walletId], candidates[walletId]].flatMap((kept) => {
    const share = kept === undefined ? undefined : shareIn(kept.shareText)
    return share === undefined ? [] : [share]
  })
}

/** W: a signature is of what was asked, under the key of the wallet's first address. */
export const isSignedUnderFirstKey = (sim: Sim, publicKey: string, { request, signature }: SignedRequest): void => {
  const share = { scheme: 'DKLS', publicKey: hexToBytes(publicKey) } as const
  if (!isSigned(share, messageOf(request), signature)) sim.violate('W', 'a signature is not of the first key')
}

/** A: the address and the key of a wallet never change, once they are shown. */
export class Addresses {
  readonly #known = new Map<string, string>()

  check({ sim, rows }: View): void {
    for (const row of rows('wallets')) {
      if (row['address'] === null) continue
      const shown = `${textOf(row, 'address')} ${textOf(row, 'public_key')}`
      const id = textOf(row, 'id')
      const known = this.#known.get(id) ?? shown
      if (known !== shown) sim.violate('A', `wallet ${id} was ${known} and is ${shown}`)
      this.#known.set(id, known)
    }
  }

  /** After an older database came up: what it does not know may be made anew. */
  restored({ rows }: View): void {
    const standing = new Set(rows('wallets').flatMap((row) => (row['address'] === null ? [] : [textOf(row, 'id')])))
    for (const id of this.#known.keys()) if (!standing.has(id)) this.#known.delete(id)
  }
}

/**
 * I1 and I3: of a wallet that has an address the provider has its half of the sharing that stands, a backup or a device has the
 * other half, and both make the wallet's key.
 */
export class Halves {
  /** Of each wallet the rows that were found to belong together: rows are replaced, never changed. */
  readonly #found = new Map<string, readonly Row[]>()

  check(view: View, mayLackNew: boolean): void {
    const { sim, rows } = view
    for (const wallet of rows('wallets')) {
      if (wallet['address'] === null) continue
      const id = textOf(wallet, 'id')
      const providers = rows('provider_shares')
      const backups = rows('key_shares')
      const known = this.#found.get(id)
      if (known?.every((row) => row === wallet || providers.includes(row) || backups.includes(row)) === true) continue
      this.#found.delete(id)
      const shareId = textOf(wallet, 'share_id')
      const own = providers.find((row) => textOf(row, 'wallet_id') === id && textOf(row, 'share_id') === shareId)
      const provider = ShareRecord.decode(bytesOf(own ?? {}, 'sealed') ?? new Uint8Array(0))
      if (own === undefined || provider === undefined) {
        sim.violate('I1', `the provider lacks its half of wallet ${id}`)
        continue
      }
      if (bytesToHex(provider.publicKey) !== wallet['public_key']) sim.violate('I1', `the provider's half is of another key than wallet ${id}`)
      const isOther = (share: ShareRecord.ShareRecord | undefined) =>
        share !== undefined && bytesToHex(share.shareId) === shareId && belongTogether(share, provider)
      const ofWallet = backups.filter((row) => textOf(row, 'wallet_id') === id)
      const backup = ofWallet.find((row) => {
        const envelope = view.envelopes.get(textOf(row, 'encrypted_share'))
        return envelope !== undefined && isOther(shareIn(envelope.plaintext))
      })
      if (backup !== undefined) {
        this.#found.set(id, [wallet, own, backup])
        continue
      }
      if (view.storages().some((storage) => sharesOn(storage, id).some(isOther))) continue
      // A first key is on one device until its backup is stored: whoever clears that storage meanwhile clears the key.
      if (mayLackNew && numberOf(wallet, 'epoch') === 1 && ofWallet.length === 0) continue
      sim.violate('I1', `nobody has the user's half of wallet ${id}`)
    }
  }
}

/** What of a password's record says whose it is (`Passwords.ts`). */
type Completion = { readonly sigDerivedPublicKey: string; readonly rootPublicKey: string; readonly rootSignature: string }

/** R: a backup goes to a key that the user's root key signed, and to nobody else. */
export class Recipients {
  readonly #checked = new Set<string>()

  check({ sim, rows, envelopes }: View): void {
    for (const row of rows('key_shares')) {
      const id = textOf(row, 'id')
      if (this.#checked.has(id) || textOf(row, 'encryptor') !== 'PASSWORD') continue
      this.#checked.add(id)
      const wallet = rows('wallets').find((one) => one['id'] === row['wallet_id'])
      const credential = rows('passwords').find((one) => one['id'] === row['key_ref'])
      const envelope = envelopes.get(textOf(row, 'encrypted_share'))
      if (wallet === undefined || credential === undefined || envelope === undefined) {
        sim.violate('R', `a backup of wallet ${textOf(row, 'wallet_id')} is for nobody who is known`)
        continue
      }
      const completion = credential['completion'] as Completion | null
      const publicKey = completion?.sigDerivedPublicKey ?? ''
      const recipient = { kind: 'PASSWORD', userId: textOf(row, 'user_id'), recordId: textOf(credential, 'id'), publicKey: hexToBytes(publicKey) } as const
      const root = hexToBytes(completion?.rootPublicKey ?? '')
      const isVouched = RootKey.isSignedRecipient(root, recipient, hexToBytes(completion?.rootSignature ?? ''))
      if (envelope.publicKey !== publicKey || !isVouched) sim.violate('R', 'a backup is for a key that the root key never signed')
    }
  }
}

/**
 * I4 and C: whatever is restored, and whichever replica answers, a round of a run has one request that is answered, and that one
 * has one answer. Two answers under one seed give the co-signer's share away.
 */
export class Answers {
  readonly #bodies = new Map<string, { readonly request: string; readonly body: string }>()

  check(sim: Sim, request: Uint8Array, answer: Uint8Array): void {
    const signed = MpcFrame.decode(request)
    const opened = MpcFrame.openAnswer(identity.publicKey, request, answer)
    if (signed === undefined || opened?.status !== 'OK') return
    const { operation, walletId, protocolId, step } = signed.frame
    if (operation === 'ACK' || operation === 'RECONCILE') return
    const round = `${walletId}/${protocolId}/${step}`
    const given = { request: Buffer.from(signed.unsigned).toString('base64'), body: Buffer.from(opened.body).toString('base64') }
    const known = this.#bodies.get(round)
    if (known !== undefined && known.request !== given.request) sim.violate('C', `two requests of one round were answered: ${operation} ${step}`)
    if (known !== undefined && known.request === given.request && known.body !== given.body) {
      sim.violate('I4', `one request got two answers: ${operation} ${step}`)
    }
    this.#bodies.set(round, given)
  }
}

/** The wallet's, and those of the one session in which the cheater has just logged in. */
const allowedSetups = limits.failedSetups + limits.failedSetupsAfterLogin

/**
 * G: after a guess that a check refused nothing else is checked against the same secret bits, and of guesses in setups so many
 * fail in a day as the rules allow.
 */
export class Guesses {
  readonly #failed = new Map<string, string>()
  readonly #failedSetups = new Map<string, number>()

  /** Whether the guess is right: of the bit that it names, in the OT record itself or, in a setup, in what it draws. */
  judge(sim: Sim, { kind, walletId, protocolId, ot, said }: Guess): boolean {
    const [bit = 0, guessed = 0] = said.split(':').map(Number)
    const asked = `${protocolId} ${said}`
    if (kind !== 'sign') {
      const isRight = guessed === 1
      if (!isRight) this.#failedSetups.set(asked, sim.now)
      const failed = [...this.#failedSetups.values()].filter((at) => at > sim.now - limits.failedSetupsWithin)
      if (failed.length > allowedSetups) sim.violate('G', `more than ${allowedSetups} setups failed in a day`)
      return isRight
    }
    const key = `${walletId} ${bytesToHex(ot)}`
    const failed = this.#failed.get(key)
    if (failed !== undefined && failed !== asked) sim.violate('G', 'a guess is checked against bits that a failed check has burned')
    const isRight = (((ot[bit >> 3] ?? 0) >> (bit & 7)) & 1) === guessed
    if (!isRight) this.#failed.set(key, asked)
    return isRight
  }
}

/**
 * E: of a wallet one signature is computed at a time, on all replicas together. One whose verdict was not recorded holds up the
 * next, or has taken the OT record with it that it was checked against.
 */
export class Evaluations {
  readonly #begun = new Map<string, { readonly walletId: string; readonly protocolId: string; readonly step: number; readonly otId: string }>()

  check({ sim, rows }: View, { context, step }: Pick<Job, 'context' | 'step'>): void {
    if (context.kind !== 'sign' || context.scheme !== 'DKLS') return
    const { walletId, protocolId } = context
    for (const [key, one] of this.#begun) {
      if (one.walletId !== walletId || one.protocolId === protocolId) continue
      const isOf = (row: Row) => row['wallet_id'] === walletId && row['protocol_id'] === one.protocolId
      const run = rows('runs').find(isOf)
      const round = rows('rounds').find((row) => isOf(row) && row['step'] === one.step)
      const hasRecord = rows('ot_records').some((row) => row['wallet_id'] === walletId && row['ot_id'] === one.otId && row['sealed'] !== null)
      // An older database may not know it any more: that is for the marks to say.
      const isOpen = run !== undefined && round !== undefined && round['response_hash'] === null && run['state'] !== 'BANNED'
      if (isOpen && hasRecord) sim.violate('E', 'a signature is computed while the verdict over another one is open')
      this.#begun.delete(key)
    }
    this.#begun.set(`${walletId}/${protocolId}/${step}`, { walletId, protocolId, step, otId: bytesToHex(context.otId) })
  }
}

const unfinished: readonly unknown[] = ['WAITING', 'RUNNING', 'CONSUMED']

/** In a few words: the first wallet, its runs that go on, and its refresh. */
export const standingOf = ({ rows }: Pick<View, 'rows'>): string => {
  const [wallet] = rows('wallets')
  const running = new Set(rows('runs').flatMap((run) => (unfinished.includes(run['state']) ? [`${textOf(run, 'kind')} ${textOf(run, 'state')}`] : [])))
  const refreshes = new Set(rows('refreshes').flatMap((row) => (openRefresh.includes(row['state']) ? [textOf(row, 'state')] : [])))
  return `wallet ${textOf(wallet ?? {}, 'state')} | ${[...running].toSorted().join(', ')} | ${[...refreshes].toSorted().join(', ')}`
}

const openRefresh: readonly unknown[] = ['LIVE', 'PREPARED']

/** L: after its time no run is alive, but for a prepared key, which its device may confirm for a day. */
export const noRunIsAlive = ({ sim, rows }: View): void => {
  for (const run of rows('runs')) {
    const isPrepared = run['kind'] === 'keygen' || run['kind'] === 'refresh'
    const isAlive = unfinished.includes(run['state']) && numberOf(run, 'expires_at') > sim.now
    if (isAlive && !isPrepared) sim.violate('L', `a run of ${textOf(run, 'kind')} is alive after its time`)
  }
}
