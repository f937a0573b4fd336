/**
 * What must hold, one function each. They read the database as it was committed, what devices keep, and the answers that went
 * out; what they remember outlives restores, as the clients that got an answer do.
 */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import * as Redacted from 'effect/Redacted'
import * as Result from 'effect/Result'
import type { PrivateKey } from '../../domain/client/portal/exportPrivateKey.ts'
import * as Ecies from '../../domain/crypto/Ecies.ts'
import * as RootKey from '../../domain/crypto/RootKey.ts'
import * as StorageKeys from '../../domain/model/StorageKeys.ts'
import * as MpcFrame from '../../domain/mpc/Frame.ts'
import * as ShareRecord from '../../domain/mpc/ShareRecord.ts'
import * as ShareText from '../../domain/mpc/ShareText.ts'
import { keyOfRound } from '../../domain/service/ports/Claims.ts'
import type { Job } from '../../domain/service/ports/CosignerEngine.ts'
import { epochWatermark, lockedWatermark, reattachedWatermark } from '../../domain/service/protocol/watermarks.ts'
import { failedCheck, tellingStep } from '../../domain/service/Run.ts'
import { belongTogether, type Guess } from '../kit/toyProtocols.ts'
import { identity } from './cosigner.ts'
import { contentOf, nameOf, opensUnder, sharingOf } from './shareKeys.ts'
import type { ToyChain } from './chain.ts'
import type { FullDisk } from './fullDisk.ts'
import type { Outside } from './outside.ts'
import type { Protocols } from './protocols.ts'
import type { Sim } from './Sim.ts'
import { messageOf, schemeOf, type SentRequest, type SignedRequest } from './verbs.ts'
import { openAnswer } from '../kit/openAnswer.ts'

export type Row = Readonly<Record<string, unknown>>

/** Every envelope that was made, by its ciphertext: for whom, and what is in it. */
export type Envelopes = ReadonlyMap<string, { readonly publicKey: string; readonly plaintext: string }>

/** The input of invariants. */
export type View = {
  readonly sim: Sim
  readonly rows: (table: string) => readonly Row[]
  readonly envelopes: Envelopes
  /** Local storage of each device of the user's. */
  readonly storages: () => readonly ReadonlyMap<string, string>[]
  readonly cheaters: () => readonly Cheater[]
  /** The folder of the co-signers: the share keys that stand, and the marks. */
  readonly shareKeys: () => ReadonlyMap<string, number>
  readonly watermarks: () => ReadonlyMap<string, number>
}

/** Local storage of a cheater's device, and the wallets whose shares were in the copy that it began with. */
export type Cheater = { readonly storage: ReadonlyMap<string, string>; readonly copied: readonly string[] }

export const textOf = (row: Row, column: string): string => {
  const value = row[column]
  return typeof value === 'string' ? value : ''
}
export const bytesOf = (row: Row, column: string): Uint8Array | undefined => {
  const value = row[column]
  return value instanceof Uint8Array ? value : undefined
}
export const numberOf = (row: Row, column: string): number => Number(row[column])

/** An empty row where there is none. */
const walletOf = ({ rows }: Pick<View, 'rows'>, walletId: string): Row =>
  rows('wallets').find(({ id }) => id === walletId) ?? {}

const markOf = ({ watermarks }: Pick<View, 'watermarks'>, name: string): number => watermarks().get(name) ?? 0

const opened = new Map<string, ShareRecord.ShareRecord | undefined>()

const shareIn = (text: string): ShareRecord.ShareRecord | undefined => {
  if (!opened.has(text)) {
    if (opened.size > 1_000) opened.clear()
    opened.set(text, Result.getOrUndefined(Result.map(ShareText.open(Redacted.make(text)), ({ share }) => share)))
  }
  return opened.get(text)
}

type Kept = Readonly<Record<string, { readonly shareText: string; readonly capsule?: string }>>

/** What a device's store keeps as text, by wallet: shares, and candidates that were not confirmed. */
const keptOn = (storage: ReadonlyMap<string, string>): { readonly shares: Kept; readonly candidates: Kept } => {
  const text = storage.get(StorageKeys.keyShares)
  const { shares = {}, candidates = {} } = JSON.parse(text ?? '{}') as {
    readonly shares?: Kept
    readonly candidates?: Kept
  }
  return { shares, candidates }
}

/** Shares and candidates of a device. */
const sharesOn = (storage: ReadonlyMap<string, string>, walletId: string): readonly ShareRecord.ShareRecord[] => {
  const { shares, candidates } = keptOn(storage)
  return [shares[walletId], candidates[walletId]].flatMap((kept) => {
    const share = kept === undefined ? undefined : shareIn(kept.shareText)
    return share === undefined ? [] : [share]
  })
}

/** Their sharings, in hex. */
const sharingsOn = (storage: ReadonlyMap<string, string>, walletId: string): readonly string[] =>
  sharesOn(storage, walletId).map(({ shareId }) => bytesToHex(shareId))

/** The sharing of a wallet's share on a device, in hex, once it was confirmed. */
export const confirmedOn = (storage: ReadonlyMap<string, string>, walletId: string): string | undefined => {
  const share = shareIn(keptOn(storage).shares[walletId]?.shareText ?? '')
  return share === undefined ? undefined : bytesToHex(share.shareId)
}

/** The wallets of which a device keeps a share, confirmed or not. */
export const walletsOn = (storage: ReadonlyMap<string, string>): readonly string[] => {
  const { shares, candidates } = keptOn(storage)
  return [...Object.keys(shares), ...Object.keys(candidates)]
}

/** The wallets of which a device keeps a share that was not confirmed. */
export const unconfirmedOn = (storage: ReadonlyMap<string, string>): readonly string[] =>
  Object.keys(keptOn(storage).candidates)

/** The provider's half, in the capsule of the share that this device keeps: it lies open here. */
const capsuleOn = (storage: ReadonlyMap<string, string>, walletId: string): ShareRecord.ShareRecord | undefined => {
  const capsule = keptOn(storage).shares[walletId]?.capsule ?? ''
  const provider = ShareRecord.decode(Uint8Array.from(Buffer.from(capsule, 'base64')))
  const isOfShare = provider !== undefined && bytesToHex(provider.shareId) === confirmedOn(storage, walletId)
  return isOfShare ? provider : undefined
}

/** W: a signature is of what was asked, under the key of the wallet's first address. */
export const isSignedUnderFirstKey = (
  sim: Sim,
  { isSigned }: Protocols,
  publicKey: string,
  { request, signature }: SignedRequest,
): void => {
  const scheme = schemeOf(request)
  if (!isSigned({ scheme, publicKey: hexToBytes(publicKey) }, messageOf(request), signature))
    sim.violate('W', 'a signature is not of the first key')
}

/** X: the key that a page of an export shows is the one of the wallet that was asked for. */
export const isKeyOf = ({ sim, rows }: View, walletId: string, { secret, address }: PrivateKey): void => {
  const wallet = rows('wallets').find(({ id }) => id === walletId)
  const isOfWallet =
    address === wallet?.['address'] && bytesToHex(secp256k1.getPublicKey(secret)) === wallet['public_key']
  if (!isOfWallet) sim.violate('X', 'an export shows the key of another wallet')
}

/** Hex: whose transaction it is, and the digest that they sign. */
type Sending = { readonly sender: string; readonly digest: string }

/**
 * N: what a person is told was sent is on the chain by the hash that they are told. Of what they are told was not sent nothing is:
 * every refusal says so but `TransactionNotSent`, which leaves it open.
 */
export class Sendings {
  readonly #sim: Sim
  readonly #chain: ToyChain
  readonly #isForgotten: () => boolean
  readonly #begun: Sending[] = []
  readonly #refused: (Sending & { readonly how: string })[] = []

  /** `isForgotten`: an older database has come up, which does not know what was sent. */
  constructor(sim: Sim, chain: ToyChain, isForgotten: () => boolean) {
    this.#sim = sim
    this.#chain = chain
    this.#isForgotten = isForgotten
  }

  begun(sending: Sending): void {
    this.#begun.push(sending)
  }

  done({ sender, digest }: Sending, { transactionHash }: SentRequest): void {
    const taken = this.#chain.find(sender, digest)
    if (transactionHash === undefined || taken?.hash !== bytesToHex(transactionHash))
      this.#sim.violate('N', 'a transaction that was said to be sent is not on the chain')
  }

  /** `isAgain`: the person was told before that it is not known. */
  ended(sending: Sending, how: string, isAgain: boolean): void {
    const isOpen = saysNothing.has(how) || how.startsWith('TransactionNotSent')
    if (isOpen || (isAgain && how !== nodeRefused)) return
    this.#refused.push({ ...sending, how })
    this.check()
  }

  /** Now, and in the end. */
  check(): void {
    if (this.#isForgotten()) return
    for (const { sender, digest, how } of this.#refused) {
      const isSame = (one: Sending) => one.sender === sender && one.digest === digest
      // A refusal before the co-signer's last round says nothing about what another tab sends.
      const isAlone = this.#begun.filter(isSame).length === 1
      if ((isAlone || how === nodeRefused) && this.#chain.find(sender, digest) !== undefined)
        this.#sim.violate('N', `a transaction is on the chain, and its sender was told: ${how}`)
    }
  }
}

/** How a verb ends whose person is told nothing, or that it is done. */
const saysNothing: ReadonlySet<string> = new Set(['done', 'left', 'gone'])
const nodeRefused = 'BroadcastRefused'

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

  /** After a restore of an older database: what it does not know may be made again, unless a mark tells of a key. */
  restored(view: View): void {
    const { rows } = view
    const existing = new Set(rows('wallets').flatMap((row) => (row['address'] === null ? [] : [textOf(row, 'id')])))
    for (const id of this.#known.keys())
      if (!existing.has(id) && markOf(view, epochWatermark(id)) === 0) this.#known.delete(id)
  }
}

/**
 * I1 and I3: of a wallet that has an address the provider has its half of the sharing that stands, a backup for a credential that
 * counts has the other half, and both make the wallet's key. In place of the backup a device of the user's may have it until the first
 * backup is stored, and where an older database was restored.
 */
export class Halves {
  /** Of each wallet the rows that were found to belong together: rows are replaced, never changed. */
  readonly #found = new Map<string, readonly Row[]>()
  readonly #isWritten: boolean
  /** The sharings whose half at the provider did not open when an older copy came up. */
  readonly #lost = new Set<string>()
  /** Those of which no backup and no device had the user's half then, or has it since a storage was cleared. */
  readonly #withoutUsersHalf = new Set<string>()

  /** `isWritten`: the passwords of the database lie, and backups for the recovery key, which are opaque here, are all there is. */
  constructor(isWritten: boolean) {
    this.#isWritten = isWritten
  }

  check(view: View, mayLackNew: boolean, isRestored: boolean): void {
    const { sim, rows } = view
    for (const wallet of rows('wallets')) {
      if (wallet['address'] === null) continue
      const id = textOf(wallet, 'id')
      const providers = rows('provider_shares')
      const backups = rows('key_shares')
      const passwords = rows('passwords')
      const known = this.#found.get(id)
      const isThere = (row: Row) =>
        row === wallet || providers.includes(row) || backups.includes(row) || passwords.includes(row)
      if (known?.every(isThere) === true) {
        this.#providerOpens(view, wallet, known[1])
        continue
      }
      this.#found.delete(id)
      const shareId = textOf(wallet, 'share_id')
      const own = providers.find((row) => textOf(row, 'wallet_id') === id && textOf(row, 'share_id') === shareId)
      const provider = ShareRecord.decode(contentOf(bytesOf(own ?? {}, 'sealed') ?? new Uint8Array(0)))
      if (own === undefined || provider === undefined) {
        sim.violate('I1', `the provider lacks its half of wallet ${id}`)
        continue
      }
      if (bytesToHex(provider.publicKey) !== wallet['public_key'])
        sim.violate('I1', `the provider's half is of another key than wallet ${id}`)
      if (bytesToHex(provider.rootPublicKey) !== textOf(wallet, 'root_public_key'))
        sim.violate('I1', `the provider's half is under another root key than wallet ${id}`)
      this.#providerOpens(view, wallet, own)
      const isOther = (share: ShareRecord.ShareRecord | undefined) =>
        share !== undefined && bytesToHex(share.shareId) === shareId && belongTogether(share, provider)
      const ofWallet = backups.filter((row) => textOf(row, 'wallet_id') === id)
      // The credentials of a wallet that was left behind are revoked, and a writer of the database may have changed a key.
      const isAnyRecipient = this.#isWritten || leftBehind(view).has(id)
      const found = ofWallet.flatMap((row) => {
        const envelope = view.envelopes.get(textOf(row, 'encrypted_share'))
        if (envelope === undefined || !isOther(shareIn(envelope.plaintext))) return []
        if (isAnyRecipient) return [[row]]
        const recipient = passwords.find((password) => password['id'] === row['key_ref'])
        return recipient !== undefined && isOpenedBy(recipient, envelope) ? [[row, recipient]] : []
      })[0]
      if (found !== undefined) {
        this.#found.set(id, [wallet, own, ...found])
        continue
      }
      if (this.#withoutUsersHalf.has(shareId)) continue
      const isFirst = numberOf(wallet, 'epoch') === 1
      const isOnDevice = (storage: ReadonlyMap<string, string>) => sharesOn(storage, id).some(isOther)
      if ((isRestored || isFirst) && view.storages().some(isOnDevice)) continue
      const isForRecovery = (row: Row) => textOf(row, 'encryptor') === 'RECOVERY' && textOf(row, 'share_id') === shareId
      if (this.#isWritten && ofWallet.some(isForRecovery)) continue
      // A first key is on one device until its backup is stored: to clear that storage meanwhile, or to log out, is to clear the key.
      if (mayLackNew && isFirst && ofWallet.length === 0) continue
      // The cheater's session is the user's, and so is a wallet that it makes.
      const isMadeByCheater = () =>
        view.cheaters().some(({ storage, copied }) => !copied.includes(id) && isOnDevice(storage))
      if (isFirst && isMadeByCheater()) continue
      sim.violate('I1', `no backup, and before the first one no device, has the user's half of wallet ${id}`)
    }
  }

  /**
   * An older database may have the rows of a sharing whose key was destroyed since, and an older folder lacks the keys since. A
   * database of before a wallet's first backup lacks that, too, and its device may have left since.
   */
  restored(view: View): void {
    for (const wallet of view.rows('wallets')) {
      if (wallet['address'] === null) continue
      const [id, shareId] = [textOf(wallet, 'id'), textOf(wallet, 'share_id')]
      if (!opens(view, wallet)) this.#lost.add(shareId)
      const isOnDevice = view.storages().some((storage) => sharingsOn(storage, id).includes(shareId))
      if (!isOnDevice && !view.rows('key_shares').some((row) => row['wallet_id'] === id))
        this.#withoutUsersHalf.add(shareId)
    }
  }

  /**
   * Before a storage is cleared. An older database may lack the backups of a later sharing until its device has given the provider's
   * half back: the share on that device is then the only one.
   */
  cleared({ rows, storages }: View, storage: ReadonlyMap<string, string>): void {
    for (const walletId of walletsOn(storage)) {
      for (const shareId of sharingsOn(storage, walletId)) {
        const isElsewhere = storages().some((one) => one !== storage && sharingsOn(one, walletId).includes(shareId))
        const isBackedUp = rows('key_shares').some((row) => row['share_id'] === shareId)
        if (!isElsewhere && !isBackedUp) this.#withoutUsersHalf.add(shareId)
      }
    }
  }

  /** Whether the user's half of the sharing that stands went with a copy or a storage. */
  isUsersHalfGone(view: View, walletId: string): boolean {
    return this.#withoutUsersHalf.has(textOf(walletOf(view, walletId), 'share_id'))
  }

  #providerOpens(view: View, wallet: Row, own: Row | undefined): void {
    if (this.#lost.has(textOf(wallet, 'share_id')) || isPast(view, wallet) || opens(view, wallet, own)) return
    view.sim.violate('I1', `the share key of the provider's half of wallet ${textOf(wallet, 'id')} is gone`)
  }
}

/** Whether the share key of the provider's half of the sharing that stands is there. */
const opens = ({ rows, shareKeys }: View, wallet: Row, half?: Row): boolean => {
  const [walletId, shareId] = [textOf(wallet, 'id'), textOf(wallet, 'share_id')]
  const own =
    half ?? rows('provider_shares').find((row) => row['wallet_id'] === walletId && row['share_id'] === shareId)
  const sharing = { walletId, epoch: numberOf(wallet, 'epoch'), shareId }
  return opensUnder(shareKeys(), sharing, bytesOf(own ?? {}, 'sealed') ?? new Uint8Array(0))
}

/** An older database has the wallet at a sharing below the mark, and a key of one that is not below stands: the earlier may go. */
const isPast = (view: View, wallet: Row): boolean => {
  const id = textOf(wallet, 'id')
  const mark = markOf(view, epochWatermark(id))
  const isOfMark = (name: string) => sharingOf(name).walletId === id && sharingOf(name).epoch >= mark
  return numberOf(wallet, 'epoch') < mark && [...view.shareKeys().keys()].some(isOfMark)
}

/** Whether the credential counts, and its key is the one of this envelope. */
const isOpenedBy = (password: Row, { publicKey }: { readonly publicKey: string }): boolean => {
  const completion = password['completion'] as { readonly sigDerivedPublicKey: string } | null
  return password['status'] === 'COMPLETE' && completion?.sigDerivedPublicKey === publicKey
}

/**
 * R: a backup goes only to a key that the user's root key signed. The root key is the one that the share itself names: a record's own
 * may be its writer's. Backups for recovery keys are opaque here, but for the writer's own.
 */
export class Recipients {
  readonly #checked = new Set<string>()
  /** Every signature that a record has had: the writer may have put another one there since the backup was sealed. */
  readonly #signatures = new Map<string, Set<string>>()
  readonly #records = new Set<Row>()
  #writersSecret: Uint8Array | undefined

  /** From now on the database names a recovery key of its writer's. */
  written(secretKey: Uint8Array): void {
    this.#writersSecret = secretKey
  }

  check(view: View): void {
    for (const record of view.rows('passwords')) this.#remember(record)
    for (const row of view.rows('key_shares')) {
      const id = textOf(row, 'id')
      if (this.#checked.has(id)) continue
      this.#checked.add(id)
      const encryptor = textOf(row, 'encryptor')
      if (encryptor === 'PASSWORD') this.#isForOwner(view, row)
      if (encryptor === 'RECOVERY') this.#isNotForWriter(view, row)
    }
  }

  #remember(record: Row): void {
    if (this.#records.has(record)) return
    this.#records.add(record)
    const { rootSignature = '' } = (record['completion'] as { readonly rootSignature?: string } | null) ?? {}
    const id = textOf(record, 'id')
    this.#signatures.set(id, (this.#signatures.get(id) ?? new Set()).add(rootSignature))
  }

  #isForOwner({ sim, rows, envelopes }: View, row: Row): void {
    const signatures = [...(this.#signatures.get(textOf(row, 'key_ref')) ?? [])]
    const envelope = envelopes.get(textOf(row, 'encrypted_share'))
    const share = envelope === undefined ? undefined : shareIn(envelope.plaintext)
    const isOfWallet = rows('wallets').some(({ id }) => id === row['wallet_id'])
    if (!isOfWallet || signatures.length === 0 || envelope === undefined || share === undefined) {
      sim.violate('R', `a backup of wallet ${textOf(row, 'wallet_id')} is for an unknown recipient`)
      return
    }
    // Not the record's key, which the writer may have changed since, too.
    const recipient = {
      kind: 'PASSWORD',
      userId: textOf(row, 'user_id'),
      recordId: textOf(row, 'key_ref'),
      publicKey: hexToBytes(envelope.publicKey),
    } as const
    const isSigned = (signature: string) =>
      RootKey.isSignedRecipient(share.rootPublicKey, recipient, hexToBytes(signature))
    if (!signatures.some(isSigned)) sim.violate('R', 'a backup is for a key that the root key never signed')
  }

  #isNotForWriter({ sim }: View, row: Row): void {
    const secretKey = this.#writersSecret
    if (secretKey !== undefined && Result.isSuccess(Ecies.open({ secretKey, text: textOf(row, 'encrypted_share') })))
      sim.violate('R', 'a backup opens with the recovery key of a writer of the database')
  }
}

/**
 * I4 and C: whatever is restored, and whichever replica answers, a round of a run has one request that is answered, and that one
 * has one answer. Two answers under one seed give the co-signer's share away. A run that the database has forgotten, and the
 * folder too or its claim is deleted, may begin again, because it does so with a fresh seed
 * (domain/mpc/README.md#randomness-of-the-co-signer). CONFIRM is claimed in the database alone, so an older one may take another
 * request for it, and gives the same answer (domain/service/protocol/README.md#claims).
 */
export class Answers {
  readonly #isFolderOlder: boolean
  readonly #bodies = new Map<string, { readonly request: string; readonly body: string }>()
  /** The seed of each round, as of when it was computed first, or last if it may have begun again. */
  readonly #seeds = new Map<string, string>()
  readonly #swept = new Set<string>()
  /** Those that were computed before an older database came up. */
  readonly #ofYounger = new Set<string>()

  /** `isFolderOlder`: where an older database comes up, so does an older folder. */
  constructor(isFolderOlder: boolean) {
    this.#isFolderOlder = isFolderOlder
  }

  computed({ context, step, sealedSeed }: Computed): void {
    const round = keyOfRound({ ...context, step })
    const isForgotten = this.#isFolderOlder && this.#ofYounger.has(round)
    if (isForgotten || this.#swept.has(round) || !this.#seeds.has(round)) this.#seeds.set(round, bytesToHex(sealedSeed))
  }

  /** The claim of the round is deleted. */
  swept(round: string): void {
    this.#swept.add(round)
  }

  /** An older database comes up. */
  restored(): void {
    for (const round of this.#seeds.keys()) this.#ofYounger.add(round)
  }

  check(sim: Sim, request: Uint8Array, answer: Uint8Array): void {
    const signed = MpcFrame.decode(request)
    const opened = openAnswer(identity.publicKey, request, answer)
    if (signed === undefined || opened?.status !== 'OK') return
    const { operation, step } = signed.frame
    if (isOutsideOfRuns.has(operation)) return
    const asked = keyOfRound(signed.frame)
    const round = `${asked} ${this.#seeds.get(asked) ?? ''}`
    const given = {
      request: Buffer.from(signed.unsigned).toString('base64'),
      body: Buffer.from(opened.body).toString('base64'),
    }
    const known = this.#bodies.get(round)
    this.#bodies.set(round, given)
    if (known === undefined) return
    const isOther = known.request !== given.request
    if (isOther && !(operation === 'CONFIRM' && this.#ofYounger.has(asked)))
      sim.violate('C', `two requests of one round were answered: ${operation} ${step}`)
    else if (known.body !== given.body)
      sim.violate('I4', `${isOther ? 'one round' : 'one request'} got two answers: ${operation} ${step}`)
  }
}

type Computed = Pick<Job, 'step' | 'sealedSeed'> & {
  readonly context: Pick<Job['context'], 'walletId' | 'protocolId'>
}

/** They claim no round: all of a wallet have the same protocol id, which is none, and step. */
const isOutsideOfRuns: ReadonlySet<string> = new Set(['ACK', 'RECONCILE', 'REATTACH', 'REISSUE'])

/**
 * The wallet's in a day, and those of the one session in which the cheater has just logged in. Not by the product's own limits, so that
 * wider ones there are seen.
 */
const allowedSetups = 16 + 4
const countedFor = 24 * 60 * 60_000

/**
 * G: after a guess that a check refused nothing else is checked against the same secret bits, and of guesses in setups so many
 * fail in a day as the rules allow.
 */
export class Guesses {
  readonly #isLost: () => boolean
  readonly #areSetupsLost: () => boolean
  readonly #failed = new Map<string, string>()
  /** Asked and found right: a round that was answered is computed again when its answer was lost. */
  readonly #right = new Set<string>()
  readonly #failedSetups = new Map<string, FailedSetup>()
  /** The bits that were asked for in signatures, and checked. */
  readonly checkedBits = new Set<number>()

  /**
   * `isLost`: no mark outside says that a check failed, and database and folder are both older than the check (SECURITY.md);
   * `areSetupsLost`: nor how many setups told.
   */
  constructor(isLost: () => boolean, areSetupsLost: () => boolean) {
    this.#isLost = isLost
    this.#areSetupsLost = areSetupsLost
  }

  /** Whether the guess is right: of the bit that it names, in the OT record itself or, in a setup, in what it draws. */
  judge(sim: Sim, { kind, walletId, protocolId, ot, said }: Guess): boolean {
    const [bit = 0, guessed = 0] = said.split(':').map(Number)
    const asked = `${protocolId} ${said}`
    if (kind !== 'sign') {
      const isRight = guessed === 1
      if (!isRight) this.#failedSetups.set(asked, { walletId, protocolId, at: sim.now, isTold: false })
      return isRight
    }
    this.checkedBits.add(bit)
    const key = `${walletId} ${bytesToHex(ot)}`
    if (this.#right.has(asked)) return true
    const failed = this.#failed.get(key)
    if (failed !== undefined && failed !== asked && !this.#isLost())
      sim.violate('G', 'a guess is checked against bits that a failed check has burned')
    const isRight = (((ot[bit >> 3] ?? 0) >> (bit & 7)) & 1) === guessed
    if (isRight) this.#right.add(asked)
    else this.#failed.set(key, asked)
    return isRight
  }

  /**
   * Counts the setups whose device was told that its guess was wrong. One that ended for another reason while it was checked told
   * nothing: with a right guess it would have ended, too.
   */
  countSetups({ sim, rows }: View): void {
    for (const [asked, setup] of this.#failedSetups) {
      if (setup.isTold) continue
      const isOf = (row: Row) => row['wallet_id'] === setup.walletId && row['protocol_id'] === setup.protocolId
      const run = rows('runs').find(isOf)
      if (run !== undefined && unfinished.includes(run['state'])) continue
      const isAnswered = () =>
        rows('rounds').some(
          (round) => isOf(round) && numberOf(round, 'step') >= tellingStep && round['response_hash'] !== null,
        )
      // Of a run that an older database has forgotten it is not known.
      const isTold = run === undefined || textOf(run, 'reason').startsWith(failedCheck) || isAnswered()
      if (!isTold) {
        this.#failedSetups.delete(asked)
        continue
      }
      setup.isTold = true
      const isCounted = ({ walletId, at, isTold }: FailedSetup) =>
        isTold && walletId === setup.walletId && at > sim.now - countedFor
      const failed = [...this.#failedSetups.values()].filter(isCounted).length
      if (failed > allowedSetups && !this.#areSetupsLost())
        sim.violate('G', `more than ${allowedSetups} setups failed in a day`)
    }
  }
}

/** G, where the disk of the marks is full: when the request of a failed check is answered, the database has its ban. */
export const unmarkedBanIsWritten = ({ sim, rows }: View, { what, value: epoch }: FullDisk): void => {
  const isOf = ({ id }: Row) => what === lockedWatermark(String(id))
  const wallet = rows('wallets').find((row) => isOf(row) && numberOf(row, 'epoch') === epoch)
  if (wallet !== undefined && wallet['state'] !== 'BURNED')
    sim.violate('G', 'a ban whose marks could not be written is not in the database')
}

type FailedSetup = { readonly walletId: string; readonly protocolId: string; readonly at: number; isTold: boolean }

/** How long a login counts as a fresh one. Not by the product's own limit, so that a longer one there is seen. */
const freshForMs = 10 * 60_000

/** `at`: no later than the product's own mark. `isForgotten`: by an older database, and the mark outside says it alone. */
type Lock = { readonly epoch: number; at: number; isOver: boolean; isForgotten: boolean }

/**
 * U: a wallet that a failed check locked is unlocked by a refresh of a session that logged in after that check, or by a recovery.
 * What brings a sharing back that stood before is no refresh: it was looked at when it was made.
 */
export class Unlocks {
  readonly #apart: number
  readonly #failedAt = new Map<string, number>()
  readonly #locks = new Map<string, Lock>()
  readonly #stood = new Set<string>()

  /** `apart`: by how much the clocks of two replicas may differ. */
  constructor(apart: number) {
    this.#apart = apart
  }

  /** A check of a signature has failed. It may be computed again before its ban is written. */
  failed(walletId: string, now: number): void {
    if (!this.#failedAt.has(walletId)) this.#failedAt.set(walletId, now)
  }

  check(view: View): void {
    const { sim, rows } = view
    for (const wallet of rows('wallets')) {
      if (wallet['address'] === null) continue
      const [id, epoch, shareId] = [textOf(wallet, 'id'), numberOf(wallet, 'epoch'), textOf(wallet, 'share_id')]
      const lock = this.#locks.get(id)
      if (wallet['state'] === 'BURNED') {
        if (lock === undefined || lock.isOver)
          this.#locks.set(id, { epoch, at: this.#failedAt.get(id) ?? sim.now, isOver: false, isForgotten: false })
        continue
      }
      const isUnlocked = lock !== undefined && !lock.isOver && (!lock.isForgotten || epoch > lock.epoch)
      if (isUnlocked) {
        lock.isOver = true
        this.#failedAt.delete(id)
        if (!this.#stood.has(shareId) && !this.#mayUnlock(view, id, shareId, lock.at))
          sim.violate('U', 'a wallet that a failed check locked is unlocked without a later login')
      }
      this.#stood.add(shareId)
    }
  }

  #mayUnlock({ rows }: View, walletId: string, shareId: string, lockedAt: number): boolean {
    const refresh = rows('refreshes').find((row) => row['wallet_id'] === walletId && row['share_id'] === shareId)
    const sessionId = refresh?.['session_id']
    if (rows('recoveries').some((row) => row['session_id'] === sessionId)) return true
    const session = rows('sessions').find(({ id }) => id === sessionId)
    const loggedInAt = numberOf(session ?? {}, 'authenticated_at')
    const isFresh = numberOf(refresh ?? {}, 'created_at') <= loggedInAt + freshForMs + this.#apart
    return session !== undefined && isFresh && loggedInAt > lockedAt - this.#apart
  }

  /** An older copy came up. Of a lock whose mark it lacks the time is not known. */
  restored(view: View): void {
    for (const [id, lock] of this.#locks) {
      const isLocked = view.rows('wallets').some((row) => row['id'] === id && row['state'] === 'BURNED')
      const isMarked = markOf(view, lockedWatermark(id)) >= lock.epoch
      if (isLocked) lock.isOver = false
      else if (isMarked) lock.isForgotten = true
      else lock.isOver = true
      if (!isMarked) lock.at = 0
    }
  }
}

/**
 * U, too: a wallet that is locked, by its row or by a mark alone, signs nothing and takes no device until it is unlocked. What was
 * begun before that was seen is left out: a mark is raised while other runs go on.
 */
export class Locked {
  readonly #begunBefore = new Map<string, ReadonlySet<string>>()

  check(view: View): void {
    const { sim, rows } = view
    for (const wallet of rows('wallets')) {
      const [id, epoch] = [textOf(wallet, 'id'), numberOf(wallet, 'epoch')]
      const isMarked = [lockedWatermark(id), reattachedWatermark(id)].some((name) => markOf(view, name) >= epoch)
      const isLocked =
        wallet['state'] === 'BURNED' || markOf(view, epochWatermark(id)) > epoch || (epoch > 0 && isMarked)
      if (!isLocked) {
        this.#begunBefore.delete(id)
        continue
      }
      const runs = rows('runs').filter((run) => run['wallet_id'] === id)
      const known = this.#begunBefore.get(id)
      if (known === undefined) this.#begunBefore.set(id, new Set(runs.map((run) => textOf(run, 'protocol_id'))))
      const isNew = (run: Row) => known?.has(textOf(run, 'protocol_id')) === false
      const done = runs.find((run) => usesSharing.has(textOf(run, 'kind')) && run['state'] === 'DONE' && isNew(run))
      if (done !== undefined) sim.violate('U', `a locked wallet does what an unlocked one may: ${textOf(done, 'kind')}`)
    }
  }
}

const usesSharing: ReadonlySet<string> = new Set(['sign', 'attach'])

/**
 * E: of a wallet one signature is computed at a time, on all replicas together. One whose verdict was not recorded holds up the
 * next, or has taken the OT record with it that it was checked against.
 */
export class Evaluations {
  readonly #begun = new Map<
    string,
    { readonly walletId: string; readonly protocolId: string; readonly step: number; readonly otId: string }
  >()

  check({ sim, rows }: View, { context, step }: Pick<Job, 'context' | 'step'>, isRestored: boolean): void {
    if (context.kind !== 'sign' || context.scheme !== 'DKLS') return
    const { walletId, protocolId } = context
    // Records of an earlier database generation are no longer used.
    const life = rows('incarnation')[0]?.['id']
    const isUsable = (row: Row) => row['sealed'] !== null && row['database_life'] === life
    const hasRecord = (otId: string) =>
      rows('ot_records').some((row) => row['wallet_id'] === walletId && row['ot_id'] === otId && isUsable(row))
    const own = bytesToHex(context.otId)
    // Another replica has ended this run since the last look, and taken its record: whatever is found out is of no use.
    if (!hasRecord(own)) return
    // A round that was answered is computed again with the same answer: nothing is found out that was not known.
    const isAnswered = rows('rounds').some(
      (row) =>
        row['wallet_id'] === walletId &&
        row['protocol_id'] === protocolId &&
        row['step'] === step &&
        row['response_hash'] !== null,
    )
    if (isAnswered) return
    const ownRun = rows('runs').find((row) => row['wallet_id'] === walletId && row['protocol_id'] === protocolId)
    if (ownRun === undefined || ownRun['state'] === 'WAITING') {
      // An older database came up since its claim: the process has the verdict, and no row does.
      if (!isRestored) sim.violate('E', 'a signature is computed before the database has its claim')
      return
    }
    for (const [key, one] of this.#begun) {
      if (one.walletId !== walletId || one.protocolId === protocolId) continue
      const isOf = (row: Row) => row['wallet_id'] === walletId && row['protocol_id'] === one.protocolId
      const run = rows('runs').find(isOf)
      const round = rows('rounds').find((row) => isOf(row) && row['step'] === one.step)
      // An older database may not know it: then the marks decide.
      const isOpen =
        run !== undefined &&
        round !== undefined &&
        round['response_hash'] === null &&
        run['state'] !== 'BANNED' &&
        // Its checks passed, and its signature may not leave: a writer changed the review that it used, for example.
        run['reason'] !== 'cannot be finished'
      if (isOpen && hasRecord(one.otId))
        sim.violate('E', 'a signature is computed while the verdict over another one is open')
      this.#begun.delete(key)
    }
    this.#begun.set(keyOfRound({ ...context, step }), { walletId, protocolId, step, otId: own })
  }

  /** An older database was restored under running processes: they have the verdicts, and its rows do not. */
  restoredUnderRunning(): void {
    this.#begun.clear()
  }
}

/**
 * F: while no older copy came up, the database keeps its incarnation. Another one ends every run, and each device has to make its
 * transfers anew. With a folder that is older no process goes on, outside of DEV, before an operator has decided.
 */
export class Incarnations {
  #row: Row | undefined

  check({ sim, rows }: View, isRestored: boolean, isRefused: boolean): void {
    const [row] = rows('incarnation')
    const known = this.#row
    this.#row = row
    if (known === undefined) return
    if (row?.['id'] !== known['id'] && !isRestored)
      sim.violate('F', 'a database that is no older begins another incarnation')
    if (row?.['fence'] !== known['fence'] && isRefused)
      sim.violate('F', 'a process goes on with a folder that is older than the database')
  }

  /** Whether the fence of this folder is below that of the database. */
  isAbove({ rows }: View, { fence }: Outside): boolean {
    return (fence?.intended ?? 0) < numberOf(rows('incarnation')[0] ?? {}, 'fence')
  }
}

/** O: a signature is computed with transfers that its own device has made. */
export const areOwnTransfers = ({ sim, rows }: View, { context }: Pick<Job, 'context'>): void => {
  if (context.kind !== 'sign' || context.scheme !== 'DKLS') return
  const otId = bytesToHex(context.otId)
  const record = rows('ot_records').find((row) => row['wallet_id'] === context.walletId && row['ot_id'] === otId)
  if (record !== undefined && textOf(record, 'device_key_thumb') !== bytesToHex(context.deviceKeyThumb))
    sim.violate('O', "a signature is computed with another device's transfers")
}

/** The wallets that a recovery left behind: the user's root key is not theirs any more. */
export const leftBehind = ({ rows }: Pick<View, 'rows'>): ReadonlySet<string> => {
  const roots = new Map(rows('users').map((user) => [user['id'], user['root_public_key']]))
  const left = rows('wallets').filter(
    ({ user_id: userId, root_public_key: root }) => root !== null && root !== roots.get(userId),
  )
  return new Set(left.map((wallet) => textOf(wallet, 'id')))
}

/** B: a wallet that a recovery left behind is locked, and goes on under another root key alone: in another recovery. */
export const leftBehindAreEnded = ({ sim, rows }: View): void => {
  for (const id of leftBehind({ rows })) {
    const { state, root_public_key: root } = rows('wallets').find((wallet) => wallet['id'] === id) ?? {}
    if (state !== 'BURNED') sim.violate('B', `wallet ${id} was left behind, and is ${String(state)}`)
    const isOpen = (run: Row) => unfinished.includes(run['state']) && run['wallet_id'] === id
    if (rows('runs').some((run) => isOpen(run) && run['root_public_key'] === root))
      sim.violate('B', `a run of wallet ${id} goes on, which was left behind`)
  }
}

const unfinished: readonly unknown[] = ['WAITING', 'RUNNING', 'CONSUMED']

/** In a few words: the first wallet, its runs that go on, and its refresh. */
export const situationOf = ({ rows }: Pick<View, 'rows'>): string => {
  const [wallet] = rows('wallets')
  const running = new Set(
    rows('runs').flatMap((run) =>
      unfinished.includes(run['state']) ? [`${textOf(run, 'kind')} ${textOf(run, 'state')}`] : [],
    ),
  )
  const refreshes = new Set(
    rows('refreshes').flatMap((row) => (openRefresh.includes(row['state']) ? [textOf(row, 'state')] : [])),
  )
  return `wallet ${textOf(wallet ?? {}, 'state')} | ${[...running].toSorted().join(', ')} | ${[...refreshes].toSorted().join(', ')}`
}

const openRefresh: readonly unknown[] = ['LIVE', 'PREPARED']

/** By how much clocks may be apart. Not by the product's own limit, so that a wider one there is seen. */
const clocksApartMs = 900_000

/**
 * I6: of a run that is over no seed and no state is left; none lives longer than it may, but for a prepared key, which its device may
 * confirm for a day; and where upkeep looks after them (`isSwept`), none is left open whose time is over.
 */
export const noRunIsLeft = ({ sim, rows }: View, isSwept: boolean): void => {
  const ended = new Set<string>()
  for (const run of rows('runs')) {
    const kind = textOf(run, 'kind')
    if (!unfinished.includes(run['state'])) {
      ended.add(`${textOf(run, 'wallet_id')} ${textOf(run, 'protocol_id')}`)
      if (run['sealed_seed'] !== null) sim.violate('I6', `a run of ${kind} is over, and its seed is left`)
    } else if (numberOf(run, 'expires_at') > sim.now) {
      // One that a clock far ahead began counts as over, until somebody asks for it.
      const isFarAhead = numberOf(run, 'expires_at') > sim.now + clocksApartMs
      if (kind !== 'keygen' && !isFarAhead) sim.violate('I6', `a run of ${kind} is alive after its time`)
    } else if (isSwept) {
      sim.violate('I6', `a run of ${kind} is open, and its time is over`)
    }
  }
  for (const round of rows('rounds')) {
    if (round['sealed_state'] !== null && ended.has(`${textOf(round, 'wallet_id')} ${textOf(round, 'protocol_id')}`))
      sim.violate('I6', 'a run is over, and the state of a round is left')
  }
}

/**
 * I5: a record of the audit stays as it was written, and each wallet that is locked or left behind, each run that was finished, each that a failed
 * check ended and each signature that a policy denied has its own. That records are no chain is said in DECISIONS.md.
 */
export class Audits {
  #known: readonly Row[] = []

  check({ sim, rows }: View): void {
    const records = rows('audits')
    if (this.#known.some((row, at) => records[at] !== row))
      sim.violate('I5', 'a record of the audit is changed or lost')
    this.#known = records
  }

  /** What a restored database knows: it is compared with its own records. */
  restored(): void {
    this.#known = []
  }

  /** A signature is refused by its partner's policy. */
  denied({ sim, rows }: View, request: Uint8Array): void {
    const protocolId = MpcFrame.decode(request)?.frame.protocolId
    if (!rows('audits').some((row) => row['event'] === 'signature.denied' && aboutOf(row) === protocolId))
      sim.violate('I5', 'the audit has no record of a signature that was denied')
  }

  areComplete({ sim, rows }: View): void {
    const recorded = new Set(rows('audits').map((row) => `${textOf(row, 'event')} ${aboutOf(row)}`))
    const require = (event: string, about: string) => {
      if (!recorded.has(`${event} ${about}`)) sim.violate('I5', `the audit has no record of ${event}`)
    }
    const locked = new Set<string>()
    for (const row of rows('audits')) {
      if (row['event'] === 'wallet.burned') locked.add(textOf(row, 'subject'))
      if (row['event'] === 'recovery.finished') for (const id of leftBehindIn(row)) locked.add(id)
    }
    for (const wallet of rows('wallets')) {
      if (wallet['state'] === 'BURNED' && !locked.has(textOf(wallet, 'id')))
        sim.violate('I5', 'the audit has no record of a ban')
    }
    for (const run of rows('runs')) {
      const [kind, protocolId] = [textOf(run, 'kind'), textOf(run, 'protocol_id')]
      if (run['state'] === 'DONE') require(`${kind}.done`, protocolId)
      if (run['state'] === 'ABORTED' && textOf(run, 'reason').startsWith(failedCheck))
        require(`${kind}.aborted`, protocolId)
    }
  }
}

/** The ids of the wallets that this recovery left behind, as its record names them. */
const leftBehindIn = ({ detail }: Row): readonly string[] =>
  (detail as { readonly leftBehind?: string } | null)?.leftBehind?.split(' ') ?? []

const aboutOf = ({ detail }: Row): string => (detail as { readonly protocolId?: string } | null)?.protocolId ?? ''

/**
 * I2, of the provider: of a wallet whose sharing a device or a recovery has acknowledged no earlier one stays. A recovery may have
 * prepared its next one, and a device may have stored backups of the next one.
 */
export const noneIsRetained = ({ sim, rows }: View): void => {
  const refreshes = rows('refreshes')
  for (const wallet of rows('wallets')) {
    const [id, shareId] = [textOf(wallet, 'id'), textOf(wallet, 'share_id')]
    const isOf = (row: Row) => textOf(row, 'wallet_id') === id
    const isStanding = (row: Row) => textOf(row, 'share_id') === shareId
    if (!refreshes.some((row) => isOf(row) && isStanding(row) && row['state'] === 'ACKNOWLEDGED')) continue
    const prepared = refreshes
      .filter((row) => isOf(row) && row['state'] === 'PREPARED' && textOf(row, 'base_share_id') === shareId)
      .map((row) => textOf(row, 'share_id'))
    const isNext = (row: Row) => prepared.includes(textOf(row, 'share_id'))
    const isLater = (row: Row) => numberOf(row, 'epoch') > numberOf(wallet, 'epoch')
    const retained = (table: string, isAllowed: (row: Row) => boolean) => {
      if (rows(table).some((row) => isOf(row) && !isStanding(row) && !isAllowed(row)))
        sim.violate('I2', `an earlier sharing of wallet ${id} stays in ${table} after its acknowledgement`)
    }
    retained('provider_shares', isNext)
    retained('ot_records', () => false)
    retained('key_shares', isLater)
  }
}

/**
 * Whether a device holds what it can bring back to a provider that has lost it: the sharing that stands, or a later one, of this
 * key and root key, that is not below the mark (README of adapters/service/vault).
 */
const heldOn = (
  view: View,
  storage: ReadonlyMap<string, string>,
  walletId: string,
): 'the one that stands' | 'a later one' | undefined => {
  const wallet = walletOf(view, walletId)
  const capsule = capsuleOn(storage, walletId)
  const isOfWallet =
    capsule !== undefined &&
    bytesToHex(capsule.publicKey) === wallet['public_key'] &&
    bytesToHex(capsule.rootPublicKey) === wallet['root_public_key']
  // What is below the mark comes back no more.
  if (!isOfWallet || capsule.epoch < markOf(view, epochWatermark(walletId))) return undefined
  if (bytesToHex(capsule.shareId) === wallet['share_id']) return 'the one that stands'
  return capsule.epoch > numberOf(wallet, 'epoch') ? 'a later one' : undefined
}

/** Whether an older database has forgotten the wallet's key, and this device brings it back by its capsule (README there). */
export const isForgottenOn = (view: View, storage: ReadonlyMap<string, string>, walletId: string): boolean => {
  const wallet = view.rows('wallets').find(({ id }) => id === walletId)
  const capsule = capsuleOn(storage, walletId)
  if (wallet === undefined || wallet['address'] !== null || capsule === undefined) return false
  const mark = markOf(view, epochWatermark(walletId))
  const user = view.rows('users').find(({ id }) => id === wallet['user_id'])
  return mark > 0 && capsule.epoch >= mark && bytesToHex(capsule.rootPublicKey) === user?.['root_public_key']
}

/** Whether the provider's half of the sharing that stands is not past its mark, and opens. */
export const isProvidersHalfThere = (view: View, walletId: string): boolean => {
  const wallet = walletOf(view, walletId)
  return numberOf(wallet, 'epoch') >= markOf(view, epochWatermark(walletId)) && opens(view, wallet)
}

export const isHolder = (...given: Parameters<typeof heldOn>): boolean => heldOn(...given) !== undefined

/** I2, of what the provider has lost: a device that holds a sharing brings it back by itself. `how`: what became of its signature. */
export const isBroughtBack = (
  view: View,
  storage: ReadonlyMap<string, string>,
  walletId: string,
  how: string,
): void => {
  const held = heldOn(view, storage, walletId)
  if (
    how === 'ProviderShareLost' ? held === 'the one that stands' : how === 'KeyShareOutOfDate' && held === 'a later one'
  )
    view.sim.violate('I2', `a device does not bring back what it holds: ${how}`)
}

/** I2, of a recovery: once upkeep has run, no older database brings the shares of before it back, whatever became of its process. */
export const recoveriesAreOver = (view: View): void => {
  const { sim, rows } = view
  const left = leftBehind(view)
  for (const { session_id: sessionId } of rows('recoveries').filter(({ state }) => state === 'FINISHED')) {
    for (const wallet of rows('wallets')) {
      const [id, epoch] = [textOf(wallet, 'id'), numberOf(wallet, 'epoch')]
      if (left.has(id)) {
        if (markOf(view, lockedWatermark(id)) < epoch) sim.violate('I2', 'no mark says that a wallet was left behind')
        continue
      }
      const isOf = (row: Row) => row['wallet_id'] === id && row['share_id'] === wallet['share_id']
      if (!rows('refreshes').some((row) => isOf(row) && row['session_id'] === sessionId)) continue
      if (markOf(view, epochWatermark(id)) < epoch) sim.violate('I2', 'no mark says that a recovery has new shares')
      const isEarlier = (name: string) => sharingOf(name).walletId === id && sharingOf(name).epoch < epoch
      if ([...view.shareKeys().keys()].some(isEarlier))
        sim.violate('I2', 'a share key of before a recovery is there after its upkeep')
    }
  }
}

/** I2, too: a device that has just refreshed holds the sharing that stands: with it, it has the capsule. */
export const isHeld = ({ sim, rows }: View, storage: ReadonlyMap<string, string>, walletId: string): void => {
  const wallet = walletOf({ rows }, walletId)
  const capsule = capsuleOn(storage, walletId)
  if (capsule === undefined || bytesToHex(capsule.shareId) !== wallet['share_id'])
    sim.violate('I2', 'a device that has just refreshed has no capsule of the sharing that stands')
}

/** I2, of the share keys: a device that has just refreshed has acknowledged the sharing that stands, and keys of no earlier one are left. */
export const noKeyIsRetained = (view: View, walletId: string): void => {
  const { sim, rows } = view
  const shareKeys = view.shareKeys()
  const wallet = walletOf({ rows }, walletId)
  const [epoch, shareId] = [numberOf(wallet, 'epoch'), textOf(wallet, 'share_id')]
  if (!shareKeys.has(nameOf({ walletId, epoch, shareId })))
    sim.violate('I2', 'the sharing that stands has no share key')
  for (const key of shareKeys.keys()) {
    const sharing = sharingOf(key)
    // An older database may not know of a later sharing.
    if (sharing.walletId === walletId && sharing.epoch <= epoch && sharing.shareId !== shareId)
      sim.violate('I2', 'the share key of an earlier sharing stays after its acknowledgement')
  }
}
