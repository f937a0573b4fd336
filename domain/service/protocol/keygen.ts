/** Key generation. The wallet has no address and signs nothing before the client's CONFIRM. */
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as Address from '../../model/Address.ts'
import * as MpcFrame from '../../mpc/Frame.ts'
import { tellCallersPartner } from '../events.ts'
import { Caller } from '../Caller.ts'
import { NotFound } from '../NotFound.ts'
import { PinnedRoots } from '../ports/PinnedRoots.ts'
import { ProviderShares } from '../ports/ProviderShares.ts'
import { Runs } from '../ports/Runs.ts'
import { Sessions } from '../ports/Sessions.ts'
import { Transaction } from '../ports/Transaction.ts'
import { Wallets } from '../ports/Wallets.ts'
import { hasFailed, runLimits, type RunRecord } from '../Run.ts'
import { isLive } from '../Session.ts'
import { isLeased, leaseLife, type WalletRecord } from '../Wallet.ts'
import { end, endOthers } from './ending.ts'
import type { Beginning, Done, FirstRequest, Plan, Request } from './Plan.ts'
import { requireStatusRate } from './refresh.ts'
import { InvalidFrame, KeyShareLocked, RootKeyDiffers, WalletBeingCreated, WalletExists } from './refusals.ts'
import { requireFewFailures } from './setups.ts'
import { signerOf } from './signerOf.ts'
import { isForgotten, putOtRecord, requireNotLocked } from './walletStatus.ts'

/** Epochs count from 1. */
const firstEpoch = 1

/** KEYGEN. `lastMessage`: the step after which only CONFIRM is missing. */
export const keygen = Effect.fn('protocol.keygen')(function* (request: Request, lastMessage: number) {
  const { frame } = request
  if (frame.step > 1)
    return planOf(request, { operation: 'keygen', message: frame.body, firstRequest: undefined, lastMessage })
  const body = MpcFrame.decodeKeygen(frame.body)
  const isFirst = frame.epoch === firstEpoch && frame.shareId.length === 0
  if (body === undefined || !isFirst) return yield* new InvalidFrame()
  const firstRequest = { otId: '', rootPublicKey: bytesToHex(body.rootPublicKey), payloadClass: null, digest: null }
  return planOf(request, { operation: 'keygen', message: body.message, firstRequest, lastMessage })
})

/** CONFIRM of a key generation. */
export const confirmKeygen = (request: Request, lastMessage: number): Plan =>
  planOf(request, { operation: 'confirm', message: request.frame.body, firstRequest: undefined, lastMessage })

/**
 * Whether this is the CONFIRM of a key generation that its session confirms no more: it has failed, or lacks its confirmation
 * and its session has ended, or its device has lost that session and sends the frame in another one. No key signs its frame
 * any more, and its device keeps its half until the co-signer says under its key that it is never confirmed. So any session
 * of the user that sends the frame again gets ABORT. While its session is live, the frame has to be as its device signed it:
 * nothing else ends what goes on.
 */
export const isLeftUnconfirmed = Effect.fn('protocol.isLeftUnconfirmed')(function* (signed: MpcFrame.SignedFrame) {
  const { frame } = signed
  const { session } = yield* Caller
  const isOthers = session?.state === 'AUTHENTICATED' && session.delegation === null && session.id !== frame.sessionId
  if (frame.operation !== 'CONFIRM' || !isOthers || session.userId === null) return false
  const { userId, partnerId } = session
  yield* requireStatusRate(userId, session)
  return yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      const wallet = Option.getOrUndefined(yield* (yield* Wallets).lock(frame.walletId))
      if (wallet?.userId !== userId || wallet.partnerId !== partnerId) return false
      const run = Option.getOrUndefined(yield* (yield* Runs).find(frame))
      if (run?.kind !== 'keygen' || run.sessionId !== frame.sessionId || run.state === 'DONE') return false
      if (yield* isForgotten(wallet)) return yield* new KeyShareLocked()
      if (hasFailed(run)) return true
      const now = yield* Clock.currentTimeMillis
      const owner = Option.getOrUndefined(yield* (yield* Sessions).find(frame.sessionId))
      const isSessionOver = owner === undefined || !isLive(owner, now)
      if (!isSessionOver && (yield* signerOf(signed, owner)) === undefined) return false
      yield* end(run, 'session over', isSessionOver ? 'the session is over' : 'its device has lost the session')
      return true
    }),
  )
})

const planOf = (
  request: Request,
  of: Pick<Plan, 'operation' | 'message'> & {
    readonly firstRequest: FirstRequest | undefined
    readonly lastMessage: number
  },
): Plan => ({
  kind: 'keygen',
  operation: of.operation,
  message: of.message,
  firstRequest: of.firstRequest,
  newRoot: false,
  payload: undefined,
  admit: (wallet) => admit(request, wallet),
  begin: (wallet) => begin(request, of.firstRequest?.rootPublicKey ?? '', wallet),
  materials: () => Effect.succeed({ sealedShare: null, sealedOt: null }),
  expiresAt: (run, now) => (request.frame.step === of.lastMessage ? now + runLimits.preparedLife : run.expiresAt),
  finish,
})

/** While the wallet is leased, only the lease's run makes progress. */
const admit = Effect.fnUntraced(function* ({ frame }: Request, wallet: WalletRecord) {
  yield* requireNotLocked(wallet.id, wallet.epoch)
  if (wallet.state !== 'CREATED') return yield* new WalletExists()
  const now = yield* Clock.currentTimeMillis
  if (isLeased(wallet, now) && wallet.lease?.protocolId !== frame.protocolId) return yield* new WalletBeingCreated()
})

const begin = Effect.fnUntraced(function* (
  { frame, session, userId }: Request,
  rootPublicKey: string,
  wallet: WalletRecord,
) {
  const wallets = yield* Wallets
  const now = yield* Clock.currentTimeMillis
  const attempt = { protocolId: frame.protocolId, sessionId: frame.sessionId }
  if (!(yield* wallets.hasAttempt(wallet.id, attempt))) return yield* new NotFound()
  yield* requireFewFailures(wallet.id, session, now)
  const pinned = Option.getOrUndefined(yield* (yield* PinnedRoots).find(userId))
  if (pinned !== undefined && pinned !== rootPublicKey) return yield* new RootKeyDiffers()
  if (!isLeased(wallet, now)) yield* wallets.lease(wallet.id, { ...attempt, until: now + leaseLife })
  const beginning: Beginning = { kind: 'go', sending: null }
  return beginning
})

/** CREATED -> ACTIVE, with everything that belongs to it, in the commit's transaction. */
const finish = Effect.fnUntraced(function* (wallet: WalletRecord, run: RunRecord, { made }: Done, now: number) {
  const { share, ot } = made
  if (share === undefined) return undefined
  const { walletId, epoch, userId } = run
  const [shareId, publicKey] = [bytesToHex(share.shareId), bytesToHex(share.publicKey)]
  const address = yield* activate(wallet, { ...run, shareId, publicKey }, now)
  if (address === undefined) return undefined
  const { sealed, capsule } = share
  yield* (yield* ProviderShares).put({ walletId, epoch, shareId, sealed, capsule }, now)
  if (ot !== undefined) yield* putOtRecord(run, ot, { epoch, shareId }, now)
  yield* endOthers(run, 'shares new', 'the wallet is made')
  yield* (yield* Sessions).addWallet(run.sessionId, wallet.type, walletId)
  yield* tellCallersPartner('wallet.created', { userId, walletId })
  return MpcFrame.encodeConfirmed({ address, capsule })
})

/** Pins the user's root key and makes the wallet ACTIVE. Answers its address; `undefined` if another key or root key stands. */
export const activate = Effect.fn('protocol.activate')(function* (
  { id, type, cosmosPrefix }: WalletRecord,
  { epoch, shareId, publicKey, userId, rootPublicKey }: Activated,
  now: number,
) {
  const address = Address.fromPublicKey(type, hexToBytes(publicKey), cosmosPrefix ?? undefined)
  if (rootPublicKey !== '' && !(yield* (yield* PinnedRoots).pin(userId, rootPublicKey, now))) return undefined
  const activation = { epoch, shareId, publicKey, address, rootPublicKey: rootPublicKey === '' ? null : rootPublicKey }
  return (yield* (yield* Wallets).activate(id, activation, now)) ? address : undefined
})

type Activated = Pick<RunRecord, 'userId' | 'epoch' | 'shareId' | 'rootPublicKey'> & { readonly publicKey: string }
