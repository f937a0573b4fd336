/**
 * What must hold of a partner's policy, its reviews and its limits. The judge of these invariants knows which policy counted when a
 * request came, what people decided, and what was signed.
 */
import { bytesToHex } from '@noble/hashes/utils.js'
import * as Result from 'effect/Result'
import type { RawRequest } from '../../adapters/service/http/message.ts'
import * as MpcFrame from '../../domain/mpc/Frame.ts'
import * as SigningRequest from '../../domain/mpc/SigningRequest.ts'
import { contentHashOf } from '../../domain/service/PendingTransaction.ts'
import { policyWatermark } from '../../domain/service/protocol/watermarks.ts'
import type { OperationId } from '../../generated/operations.ts'
import { numberOf, textOf, bytesOf, type Row, type View } from './invariants.ts'
import { policies, policyOf, saysOf, weiOf, type KnownPolicy, type PaymentLimit } from './policies.ts'

/** An acceptance, as of before it is sent. `withPassword`: the user's root key signs it. */
export type Decision = {
  readonly id: string
  readonly contentHash: string
  readonly by: 'user' | 'partner'
  readonly withPassword: boolean
}

/** What was asked for under a wallet's digest. */
type Asked = { readonly request: SigningRequest.SigningRequest; readonly contentHash: string }

type Arrival = { readonly event: number; readonly at: number }

/** `order`: the place of a run's beginning among those of all runs. */
type Begun = { readonly order: number; readonly event: number }

type SignedRun = {
  readonly walletId: string
  readonly protocolId: string
  readonly digest: string
  readonly pendingId: string | undefined
  readonly begun: Begun
  readonly policy: KnownPolicy
}

const keyOf = (walletId: string, ...more: readonly (string | number)[]): string => [walletId, ...more].join(' ')

/** How long an acceptance may be used. Not by the product's own limit, so that a longer one there is seen. */
const acceptedFor = 5 * 60_000

const begunStates: readonly unknown[] = ['RUNNING', 'CONSUMED', 'DONE']
const liveStates: readonly unknown[] = ['PENDING', 'ACCEPTED']

export class Permissions {
  readonly #view: View
  readonly #mark: () => number
  readonly #partnerId: string
  /** How far the clocks of two replicas are apart at most, in ms. */
  readonly #skewMs: number
  /** Each version, with the event in which its mark was raised. */
  readonly #versions: { readonly version: number; readonly event: number }[] = []
  readonly #documents = new Map<number, KnownPolicy>()
  readonly #asked = new Map<string, Asked>()
  /** Of each request of a signature, and of the decisions about a review, the first. */
  readonly #arrivals = new Map<string, Arrival>()
  readonly #decisions: Decision[] = []
  readonly #runs = new Map<string, Row>()
  readonly #begun = new Map<string, Begun>()
  readonly #claimed = new Set<string>()
  #signed: SignedRun[] = []
  readonly #pendings = new Map<string, Row>()
  readonly #acceptedAt = new Map<string, number>()
  readonly #denied = new Set<string>()
  readonly #written = new Set<string>()

  constructor(view: View, partnerId: string, skewMs: number) {
    this.#view = view
    this.#mark = () => view.watermarks().get(policyWatermark(partnerId)) ?? 0
    this.#partnerId = partnerId
    this.#skewMs = skewMs
  }

  /** From here on; what stands in the database already is not looked at. */
  begin(): void {
    this.settled()
    for (const { version } of this.#versions) this.#documents.set(version, policies.open)
    this.restored()
  }

  /** After each event: the mark may be higher. */
  settled(): void {
    const version = this.#mark()
    if (version === (this.#versions.at(-1)?.version ?? 0)) return
    this.#versions.push({ version, event: this.#view.sim.steps })
  }

  /** A request comes to a replica. */
  arrived(id: OperationId, { body, path }: RawRequest): void {
    const pendingId = path['pendingTransactionId'] ?? ''
    if (id === 'acceptPendingTransaction') return this.#arrives(keyOf('user', pendingId))
    if (id === 'decidePendingTransaction') return this.#arrives(keyOf('partner', pendingId))
    const frame = id === 'exchangeFrame' ? MpcFrame.decode(body)?.frame : undefined
    if (frame?.operation !== 'SIGN') return
    const { walletId, protocolId, step, scheme } = frame
    this.#arrives(keyOf(walletId, protocolId, step))
    const request = step === 1 ? MpcFrame.decodeSign(frame.body)?.request : undefined
    if (request === undefined || Result.isFailure(request)) return
    const payload = SigningRequest.payloadDigest(request.success, scheme)
    if (Result.isFailure(payload)) return
    const digest = SigningRequest.digestClaim(payload.success, scheme)
    const content = { walletId, scheme, payloadClass: payload.success.class, digest }
    const contentHash = bytesToHex(contentHashOf(content))
    this.#asked.set(keyOf(walletId, bytesToHex(digest)), { request: request.success, contentHash })
  }

  #arrives(what: string): void {
    const { steps, now } = this.#view.sim
    if (!this.#arrivals.has(what)) this.#arrivals.set(what, { event: steps, at: now })
  }

  decided(decision: Decision): void {
    this.#decisions.push(decision)
  }

  /** A writer of the database changed this review: it has to count as none. */
  wrote(id: string): void {
    this.#written.add(id)
  }

  /** After each commit. */
  check(): void {
    const { rows } = this.#view
    this.#learnDocument()
    for (const row of rows('pending_transactions')) this.#checkReview(row)
    for (const row of rows('runs')) this.#checkRun(row)
  }

  /** An older database was restored: limits and reviews count from what it knows (SECURITY.md). The marks are as they were. */
  restored(): void {
    const { rows } = this.#view
    this.#runs.clear()
    this.#pendings.clear()
    this.#denied.clear()
    const done = new Set<string>()
    for (const row of rows('runs')) {
      this.#runs.set(keyOfRun(row), row)
      if (row['state'] === 'DONE') done.add(keyOfRun(row))
    }
    this.#signed = this.#signed.filter(({ walletId, protocolId }) => done.has(keyOf(walletId, protocolId)))
    for (const row of rows('pending_transactions')) {
      this.#pendings.set(textOf(row, 'id'), row)
      if (row['state'] === 'DENIED') this.#denied.add(textOf(row, 'id'))
    }
  }

  /** Sealed for its partner and version, it is what was applied. */
  #learnDocument(): void {
    const [row] = this.#view.rows('policies')
    if (row === undefined) return
    const version = numberOf(row, 'version')
    if (this.#documents.has(version)) return
    const label = `policies/${this.#partnerId}/${version}//`
    const sealed = Buffer.from(bytesOf(row, 'sealed') ?? new Uint8Array(0)).toString()
    const known = sealed.startsWith(label) ? policyOf(sealed.slice(label.length)) : undefined
    if (known !== undefined) this.#documents.set(version, known)
  }

  /**
   * H, of the review: a person, or the partner by its approver, made each acceptance in time; what is denied stays so; a repeated
   * request for what is held makes no second one.
   */
  #checkReview(row: Row): void {
    const { sim, rows } = this.#view
    const id = textOf(row, 'id')
    const before = this.#pendings.get(id)
    if (before === row) return
    this.#pendings.set(id, row)
    if (this.#written.has(id)) return
    if (before === undefined && this.#skewMs === 0) {
      const isSame = (other: Row) =>
        other['id'] !== row['id'] &&
        !this.#written.has(textOf(other, 'id')) &&
        sameReview.every((column) => other[column] === row[column]) &&
        liveStates.includes(other['state']) &&
        numberOf(other, 'expires_at') > sim.now
      if (rows('pending_transactions').some(isSame)) sim.violate('H', 'what is held already is held under a second id')
    }
    for (const by of ['user', 'partner'] as const) {
      const isNew = row[`${by}_accepted`] === true && before?.[`${by}_accepted`] !== true
      if (!isNew) continue
      const hash = textOf(row, 'content_hash')
      const isTheirs = ({ id: of, contentHash, by: who }: Decision) => of === id && contentHash === hash && who === by
      if (!this.#decisions.some(isTheirs)) sim.violate('H', `the ${by} never accepted what counts as accepted`)
      const came = this.#arrivals.get(keyOf(by, id))?.at
      if (before !== undefined && came !== undefined && came > numberOf(before, 'expires_at') + this.#skewMs)
        sim.violate('H', 'an acceptance counts although its time was over')
    }
    if (row['state'] === 'ACCEPTED' && before?.['state'] !== 'ACCEPTED') this.#acceptedAt.set(id, sim.now)
    if (row['state'] === 'DENIED') this.#denied.add(id)
    else if (this.#denied.has(id)) sim.violate('H', 'what was denied is denied no more')
  }

  #checkRun(row: Row): void {
    if (row['kind'] !== 'sign' || this.#runs.get(keyOfRun(row)) === row) return
    this.#runs.set(keyOfRun(row), row)
    const { state } = row
    if (!begunStates.includes(state)) return
    const key = keyOfRun(row)
    if (!this.#begun.has(key)) {
      this.#begun.set(key, { order: this.#begun.size, event: this.#view.sim.steps })
      this.#checkBeginning(row)
    }
    if (state === 'RUNNING' || this.#claimed.has(key)) return this.#checkSigned(row)
    this.#claimed.add(key)
    this.#checkVersion(row, 2)
    return this.#checkSigned(row)
  }

  /** P: the policy that counted when a request came is the one that let it through. */
  #checkVersion(row: Row, step: number): void {
    const { sim } = this.#view
    const event = this.#arrivals.get(keyOf(textOf(row, 'wallet_id'), textOf(row, 'protocol_id'), step))?.event
    const counting = this.#versions.findLast((one) => event !== undefined && one.event <= event)?.version ?? 0
    const version = numberOf(row, 'policy_version')
    if (version < counting)
      sim.violate('P', `request ${step} is let through by policy ${version}, and policy ${counting} counted`)
  }

  /** P: nothing is signed that this policy denies. H: nothing that it holds, without the acceptances that it asks for. */
  #checkBeginning(row: Row): void {
    const { sim } = this.#view
    this.#checkVersion(row, 1)
    const asked = this.#asked.get(keyOf(textOf(row, 'wallet_id'), textOf(row, 'digest')))
    const policy = this.#documents.get(numberOf(row, 'policy_version'))
    if (policy === undefined) return sim.violate('P', 'a signature begins by a policy that was never applied')
    if (asked === undefined) return sim.violate('P', 'a signature begins that no request asked for')
    const says = saysOf(policy, asked.request)
    if (says === 'deny') sim.violate('P', 'a signature begins that its policy denies')
    const id = row['pending_transaction_id'] === null ? undefined : textOf(row, 'pending_transaction_id')
    if (says === 'review' && id === undefined) sim.violate('H', 'a signature begins that its policy holds')
    if (id === undefined) return
    this.#checkAccepted(row, id, policy.review, asked)
  }

  #checkAccepted(row: Row, id: string, review: KnownPolicy['review'], { contentHash }: Asked): void {
    const { sim } = this.#view
    const accepts = (by: Decision['by']) =>
      this.#decisions.some(
        (one) =>
          one.id === id &&
          one.by === by &&
          one.contentHash === contentHash &&
          (by === 'partner' || !review.stepUp || one.withPassword),
      )
    if ((review.user && !accepts('user')) || (review.partner && !accepts('partner')))
      sim.violate('H', 'a signature begins by a review that was not accepted for it')
    if (this.#denied.has(id)) sim.violate('H', 'a signature begins by a review that was denied')
    const came = this.#arrivals.get(keyOf(textOf(row, 'wallet_id'), textOf(row, 'protocol_id'), 1))?.at ?? 0
    const acceptedAt = this.#acceptedAt.get(id)
    if (acceptedAt !== undefined && came >= acceptedAt + acceptedFor + this.#skewMs)
      sim.violate('H', 'a signature begins by an acceptance whose time was over')
  }

  /** H: an acceptance is for one signature. P: a limit is not exceeded, by whatever is signed at the same time. */
  #checkSigned(row: Row): void {
    if (row['state'] !== 'DONE') return
    const { sim } = this.#view
    const [walletId, protocolId] = [textOf(row, 'wallet_id'), textOf(row, 'protocol_id')]
    // Its row changes once more when its transaction is sent.
    if (this.#signed.some((one) => one.walletId === walletId && one.protocolId === protocolId)) return
    const pendingId = row['pending_transaction_id'] === null ? undefined : textOf(row, 'pending_transaction_id')
    const policy = this.#documents.get(numberOf(row, 'policy_version'))
    if (policy === undefined) return
    if (pendingId !== undefined && this.#signed.some((one) => one.pendingId === pendingId))
      sim.violate('H', 'one acceptance is used for two signatures')
    const begun = this.#begun.get(keyOfRun(row)) ?? { order: 0, event: 0 }
    this.#signed.push({ walletId, protocolId, digest: textOf(row, 'digest'), pendingId, begun, policy })
    for (const one of this.#signed) this.#checkLimit(one)
  }

  /** What began before, and was signed, counts: each payload of a wallet once. What a review accepted may go beyond. */
  #checkLimit(run: SignedRun): void {
    const { walletId, digest, pendingId, policy } = run
    const { limit } = policy
    const own = this.#asked.get(keyOf(walletId, digest))
    if (limit === undefined || own?.request.kind !== 'transaction') return
    if (pendingId !== undefined && limit.over === 'review') return
    const counted = this.#signed.filter(
      (one) => (limit.holder === 'partner' || one.walletId === walletId) && this.#counts(one, run),
    )
    const payloads = new Set(counted.map((one) => keyOf(one.walletId, one.digest)))
    const amountOf = (payload: string) => {
      const request = this.#asked.get(payload)?.request
      return limit.of === 'count' ? 1 : request === undefined ? 0 : weiOf(request)
    }
    const sum = [...payloads].reduce((total, payload) => total + amountOf(payload), 0)
    if (sum > limit.max)
      this.#view.sim.violate('P', `${sum} are signed under a limit of ${limit.max} ${limit.of} of a ${limit.holder}`)
  }

  /**
   * Runs of a wallet, and those that a limit of the partner stops, begin one after the other. What no limit stops counts for others too,
   * but waits for none of them: it came later than a payment that does not know it, unless it began before that was asked for.
   */
  #counts(one: SignedRun, run: SignedRun): boolean {
    if (one.begun.order > run.begun.order) return false
    const isPayment = this.#asked.get(keyOf(one.walletId, one.digest))?.request.kind === 'transaction'
    if (one.walletId === run.walletId || (isPayment && isOfPartner(one.policy.limit))) return true
    const asked = this.#arrivals.get(keyOf(run.walletId, run.protocolId, 1))?.event
    return asked === undefined || one.begun.event <= asked
  }
}

const isOfPartner = (limit: PaymentLimit | undefined): boolean => limit?.holder === 'partner'

const keyOfRun = (row: Row): string => keyOf(textOf(row, 'wallet_id'), textOf(row, 'protocol_id'))

/** Two reviews of which all of these are the same are one. */
const sameReview = ['wallet_id', 'user_id', 'content_hash', 'review_by', 'step_up']
