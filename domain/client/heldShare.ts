/** The share of this device, and what is said about it to the co-signer outside of a run. */
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import type * as Redacted from 'effect/Redacted'
import * as Result from 'effect/Result'
import * as ShareTextForm from '../mpc/ShareTextForm.ts'
import { isRefusal, type ApiError } from '../model/ApiError.ts'
import { KeyShareNotLoaded, ShareStore } from './ports/ShareStore.ts'
import { exchangeFrame, insistently, makeFrame, noAttempt, thisDevice } from './runProtocol.ts'

/** Signing and refreshing exclude each other, in all tabs of a browser. */
export const signLock = (walletId: string): string => `tandem:sign:${walletId}`

export const heldShare = Effect.fnUntraced(function* (walletId: string) {
  const held = yield* (yield* ShareStore).find(walletId)
  if (Option.isNone(held)) return yield* new KeyShareNotLoaded({ walletId })
  return { held: held.value, user: yield* Effect.fromResult(ShareTextForm.read(held.value.shareText)) }
})

/** A share text of a later epoch than the first comes from a refresh. */
export const isRefreshed = (shareText: Redacted.Redacted): boolean =>
  Result.match(ShareTextForm.read(shareText), { onFailure: () => false, onSuccess: ({ share }) => share.epoch > 1 })

/** Sends a frame about the share that this device holds, outside of any run. Answers the body. */
export const exchangeStatus = Effect.fnUntraced(function* (
  { share, cosignerName, cosignerKey }: ShareTextForm.UserShare,
  operation: 'ACK' | 'RECONCILE' | 'REATTACH' | 'REISSUE',
  protocolId: string,
  body: Uint8Array = new Uint8Array(0),
) {
  const { session, thumb: deviceKeyThumb } = yield* thisDevice
  const cosigner = { name: cosignerName, publicKey: cosignerKey }
  const { scheme, walletId, epoch, shareId } = share
  const frame = yield* makeFrame(cosigner, {
    operation,
    scheme,
    step: 1,
    protocolId,
    sessionId: session.sessionId,
    walletId,
    epoch,
    shareId,
    attempt: noAttempt,
    deviceKeyThumb,
    body,
  })
  return yield* insistently(exchangeFrame(cosigner, walletId, frame))
})

export const noRun = '00000000-0000-0000-0000-000000000000'

/** The provider has no share of this wallet any more (adapters/service/vault/README.md#what-a-loss-costs). */
export const isLost = (error: unknown): error is ApiError => isRefusal(error, 'ProviderShareLost')
