/** Key generation (flows 5.3 to 5.5; mpc-review 4): nothing is real before the client's CONFIRM. */
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as Address from '../../model/Address.ts'
import * as MpcFrame from '../../mpc/Frame.ts'
import { NotFound } from '../NotFound.ts'
import { OtRecords } from '../ports/OtRecords.ts'
import { PinnedRoots } from '../ports/PinnedRoots.ts'
import { ProviderShares } from '../ports/ProviderShares.ts'
import { TooManyAttempts } from '../ports/RateLimits.ts'
import { Runs } from '../ports/Runs.ts'
import { Sessions } from '../ports/Sessions.ts'
import { Wallets } from '../ports/Wallets.ts'
import { isFreshLogin } from '../Refresh.ts'
import { databaseLifeOf, limits, type Run } from '../Run.ts'
import type { Session } from '../Session.ts'
import { isLeased, leaseLife, type Wallet } from '../Wallet.ts'
import { endOthers } from './ending.ts'
import type { Beginning, Done, Opening, Plan } from './Plan.ts'
import { InvalidFrame, RootKeyDiffers, WalletBeingCreated, WalletExists } from './refusals.ts'
import type { Request } from './Request.ts'
import { requireUnburned } from './standing.ts'

/** A first key is of the first epoch. */
const firstEpoch = 1

/** KEYGEN: `lastMessage` is the step after which only the client's CONFIRM is missing. */
export const keygen = Effect.fn('protocol.keygen')(function* (request: Request, lastMessage: number) {
  const { frame } = request
  if (frame.step > 1) return planOf(request, { noun: 'keygen', message: frame.body, opening: undefined, lastMessage })
  const body = MpcFrame.decodeKeygen(frame.body)
  const isFirst = frame.epoch === firstEpoch && frame.shareId.length === 0
  if (body === undefined || !isFirst) return yield* new InvalidFrame()
  const opening = { otId: '', rootPublicKey: bytesToHex(body.rootPublicKey), payloadClass: null, digest: null }
  return planOf(request, { noun: 'keygen', message: body.message, opening, lastMessage })
})

/** CONFIRM of a key generation. */
export const confirmKeygen = (request: Request, lastMessage: number): Plan =>
  planOf(request, { noun: 'confirm', message: request.frame.body, opening: undefined, lastMessage })

const planOf = (
  request: Request,
  of: Pick<Plan, 'noun' | 'message'> & { readonly opening: Opening | undefined; readonly lastMessage: number },
): Plan => ({
  kind: 'keygen',
  noun: of.noun,
  message: of.message,
  opening: of.opening,
  newRoot: false,
  payload: undefined,
  admit: (wallet) => admit(request, wallet),
  begin: (wallet) => begin(request, of.opening?.rootPublicKey ?? '', wallet),
  materials: () => Effect.succeed({ sealedShare: null, sealedOt: null }),
  expiresAt: (run, now) => (request.frame.step === of.lastMessage ? now + limits.preparedLife : run.expiresAt),
  finish,
})

/** Only the lease holder's run makes progress (flows A11). */
const admit = Effect.fnUntraced(function* ({ frame }: Request, wallet: Wallet) {
  yield* requireUnburned(wallet.id, wallet.epoch)
  if (wallet.state !== 'CREATED') return yield* new WalletExists()
  const now = yield* Clock.currentTimeMillis
  if (isLeased(wallet, now) && wallet.lease?.protocolId !== frame.protocolId) return yield* new WalletBeingCreated()
})

const begin = Effect.fnUntraced(function* ({ frame, session, userId }: Request, rootPublicKey: string, wallet: Wallet) {
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

/** The wallet has failed setups left for today, or a session that logged in just now has some of its own. */
export const requireFewFailures = Effect.fnUntraced(function* (walletId: string, session: Session, now: number) {
  const { failedSetups } = yield* Runs
  const since = now - limits.failedSetupsWithin
  if ((yield* failedSetups(walletId, since)) < limits.failedSetups) return
  const own = isFreshLogin(session, now) ? yield* failedSetups(walletId, since, session.id) : undefined
  if (own !== undefined && own < limits.failedSetupsAfterLogin) return
  return yield* new TooManyAttempts({ retryAfterMs: limits.failedSetupsWithin })
})

/** CREATED -> ACTIVE with everything that belongs to it, or nothing (flows 5.5). */
const finish = Effect.fnUntraced(function* (wallet: Wallet, run: Run, { made }: Done, now: number) {
  const { share, ot } = made
  if (share === undefined) return undefined
  const { walletId, epoch, userId, rootPublicKey, deviceKeyThumb } = run
  const [shareId, publicKey] = [bytesToHex(share.shareId), bytesToHex(share.publicKey)]
  const address = Address.fromPublicKey(wallet.type, hexToBytes(publicKey), wallet.cosmosPrefix ?? undefined)
  if (rootPublicKey !== '' && !(yield* (yield* PinnedRoots).pin(userId, rootPublicKey, now))) return undefined
  const activation = { epoch, shareId, publicKey, address, rootPublicKey: rootPublicKey === '' ? null : rootPublicKey }
  if (!(yield* (yield* Wallets).activate(walletId, activation, now))) return undefined
  const { sealed, capsule } = share
  yield* (yield* ProviderShares).put({ walletId, epoch, shareId, sealed }, now)
  if (ot !== undefined) {
    const of = { walletId, otId: bytesToHex(ot.otId), deviceKeyThumb, databaseLife: databaseLifeOf(run) }
    const record = { ...of, epoch, shareId, sealed: ot.sealed }
    yield* (yield* OtRecords).put(record, now)
  }
  yield* endOthers(run, 'shares new', 'the wallet is made')
  yield* (yield* Sessions).addWallet(run.sessionId, wallet.type, walletId)
  return MpcFrame.encodeConfirmed({ address, capsule })
})
