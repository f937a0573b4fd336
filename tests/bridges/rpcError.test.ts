/** Under which code each failure of the SDK reaches a library. */
import { describe, expect, it } from 'vitest'
import { coded, RpcError } from '../../adapters/browser/bridges/RpcError.ts'
import { InvalidInput } from '../../adapters/browser/inputs.ts'
import { KeyShareNotLoaded } from '../../domain/client/ports/ShareStore.ts'
import { KeyShareLocked, ProtocolAborted } from '../../domain/client/runProtocol.ts'
import { NotDelegated } from '../../domain/model/Delegation.ts'
import { RawHashSigningNotImplemented, SigningFailed } from '../../domain/model/WalletKeyFailures.ts'
import { connectionCanceled, connectionError, fromAnswer } from '../../domain/model/ApiError.ts'
import { PopupClosed } from '../../domain/model/Popup.ts'
import { ExitedWithoutSetup, NoSignedInUser } from '../../domain/model/Session.ts'
import { OperationTimedOut } from '../../domain/model/Timeout.ts'
import {
  TransactionReviewDenied,
  TransactionReviewTimeout,
  TransactionReviewUsed,
} from '../../domain/model/TransactionReview.ts'
import { NoValidWalletId, WalletNotOwned } from '../../domain/model/WalletSelection.ts'
import { PayloadRefused } from '../../domain/mpc/SigningRequest.ts'

const ids = { userId: 'u', walletId: 'w' }
const aborted = new ProtocolAborted({ by: 'client', reason: 'a check failed' })

/** As a test of an app makes it. */
const withCodeOnly = (code: string) => Object.assign(new Error('as the SDK says it'), { code })

const failures: readonly (readonly [number, Error])[] = [
  [4001, new TransactionReviewDenied()],
  [4001, new PopupClosed({ kind: 'LOGIN_PASSKEY' })],
  [4001, new ExitedWithoutSetup()],
  [4001, connectionCanceled()],
  [4001, new DOMException('the call was cancelled', 'AbortError')],
  [4100, new NoSignedInUser()],
  [4100, new KeyShareNotLoaded(ids)],
  [4100, new KeyShareLocked({ reason: 'a check failed' })],
  [4100, new NoValidWalletId()],
  [4100, new WalletNotOwned(ids)],
  [4100, fromAnswer({ status: 401, body: 'no signed-in user', code: 'NoSignedInUser' })],
  [4100, fromAnswer({ status: 403, body: 'denied by policy', code: 'DeniedByPolicy' })],
  [4100, fromAnswer({ status: 409, body: 'key share is out of date, log in again', code: 'KeyShareOutOfDate' })],
  [4100, fromAnswer({ status: 423, body: 'key share is locked', code: 'KeyShareLocked' })],
  [4200, new RawHashSigningNotImplemented()],
  [4900, connectionError()],
  [-32_602, new PayloadRefused({ reason: 'malformed' })],
  [-32_602, fromAnswer({ status: 400, body: 'payload is not supported', code: 'PayloadNotSupported' })],
  [-32_603, new TransactionReviewTimeout({ transactionReviewUrl: 'https://example.org', pendingTransactionId: 'p' })],
  [-32_603, new TransactionReviewUsed()],
  [-32_603, new OperationTimedOut({ ms: 10_000 })],
  [-32_603, new SigningFailed({ ...ids, cause: aborted })],
  [-32_603, fromAnswer({ status: 503, body: 'co-signer is busy', code: 'CosignerBusy' })],
  [-32_603, fromAnswer({ status: 429, body: 'too many attempts', code: 'TooManyAttempts' })],
  [-32_603, new TypeError('a fault')],
  [4001, withCodeOnly('TransactionReviewDenied')],
  [4001, withCodeOnly('ConnectionCanceled')],
  [4100, withCodeOnly('KeyShareOutOfDate')],
  [4100, withCodeOnly('DeniedByPolicy')],
  [4100, new NotDelegated()],
  [4900, withCodeOnly('ConnectionError')],
  [-32_602, new InvalidInput({ verb: 'signMessage', field: 'message', form: 'string' })],
  [-32_603, withCodeOnly('OperationTimedOut')],
]

describe('a failure of the SDK in a bridge', () => {
  it.each(failures)('has code %i: %s', async (code, cause) => {
    await expect(coded(() => Promise.reject(cause))).rejects.toMatchObject({
      name: 'ProviderRpcError',
      message: cause.message,
      code,
      cause,
    })
  })

  it('keeps the code that it has', async () => {
    const refusal = new RpcError(5730, 'no batch of calls has this id')

    await expect(coded(() => Promise.reject(refusal))).rejects.toBe(refusal)
  })
})
