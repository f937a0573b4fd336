/**
 * The operations of the contract that are not built. Each answers 501 with its name. Remove an operation when you build
 * it.
 */
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import type { OperationId } from '../../../generated/operations.ts'

const operationIds = [
  'verifyTelegram',
  'loginExternalWallet',
  'verifyIdentifier',
  'verifyExternalWallet',
  'listOAuthAccounts',
  'deleteUser',
  'login',
  'verifyLoginEmail',
  'resendVerificationCodeByPhone',
  'getWalletBalance',
  'downloadBackupKit',
  'acceptScopes',
  'createPregenWallet',
  'claimPregenWallets',
  'updatePregenWallet',
  'verifyRecoveryIdentifier',
  'getTwoFactorStatus',
  'setupTwoFactor',
  'enableTwoFactor',
  'verifyTwoFactor',
  'initFarcaster',
  'getFarcasterStatus',
  'startOAuth',
  'getConversionRate',
  'getGasEstimate',
  'getGasOracle',
  'getOnRampConfig',
  'createWalletPurchase',
  'updateWalletPurchase',
  'getWalletPurchase',
  'createExternalWalletPurchase',
  'updateExternalWalletPurchase',
  'getExternalWalletPurchase',
  'signWalletMoonpayUrl',
  'signExternalWalletMoonpayUrl',
  'generateOffRamp',
  'sendOffRamp',
  'reportReactSdkUse',
] as const satisfies readonly OperationId[]

type NotBuiltId = (typeof operationIds)[number]

const refuse = (operation: NotBuiltId) => () => Effect.fail(new NotBuilt({ operation }))

export const notBuilt = Object.fromEntries(operationIds.map((id) => [id, refuse(id)])) as {
  readonly [Id in NotBuiltId]: ReturnType<typeof refuse>
}

export class NotBuilt extends Data.TaggedError('NotBuilt')<{ readonly operation: OperationId }> {
  override readonly message = `${this.operation} is not built yet`
}
