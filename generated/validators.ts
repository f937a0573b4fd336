// Generated from the contract by `npm run generate`, never edited.

import * as v from 'valibot'
import type { Input, OperationId, Success } from './handlers.ts'
import * as schemas from './validators/valibot.gen.ts'

export type Validator<Id extends OperationId> = {
  /** Of { path, query, header, body }: what the operation does not have is dropped. */
  readonly request: v.GenericSchema<unknown, Input<Id>>
  /** Of the answer 200. */
  readonly success: v.GenericSchema<unknown, Success<Id>>
}

export const validators: { readonly [Id in OperationId]: Validator<Id> } = {
  createUser: {
    request: v.object({ header: schemas.vCreateUserRequestHeader, body: schemas.vCreateUserRequestBody }),
    success: schemas.vCreateUserSuccess,
  },
  checkUserExists: {
    request: v.object({ query: schemas.vCheckUserExistsRequestQuery }),
    success: schemas.vCheckUserExistsSuccess,
  },
  verifyTelegram: {
    request: v.object({ body: schemas.vVerifyTelegramRequestBody }),
    success: schemas.vVerifyTelegramSuccess,
  },
  getSupportedAuthMethods: {
    request: v.object({ query: schemas.vGetSupportedAuthMethodsRequestQuery }),
    success: schemas.vGetSupportedAuthMethodsSuccess,
  },
  loginExternalWallet: {
    request: v.object({ body: schemas.vLoginExternalWalletRequestBody }),
    success: schemas.vLoginExternalWalletSuccess,
  },
  getUser: {
    request: v.object({ path: schemas.vGetUserRequestPath }),
    success: schemas.vGetUserSuccess,
  },
  deleteUser: {
    request: v.object({ path: schemas.vDeleteUserRequestPath }),
    success: schemas.vDeleteUserSuccess,
  },
  verifyEmail: {
    request: v.object({ path: schemas.vVerifyEmailRequestPath, body: schemas.vVerifyEmailRequestBody }),
    success: schemas.vVerifyEmailSuccess,
  },
  verifyIdentifier: {
    request: v.object({ path: schemas.vVerifyIdentifierRequestPath, body: schemas.vVerifyIdentifierRequestBody }),
    success: schemas.vVerifyIdentifierSuccess,
  },
  verifyExternalWallet: {
    request: v.object({ path: schemas.vVerifyExternalWalletRequestPath, body: schemas.vVerifyExternalWalletRequestBody }),
    success: schemas.vVerifyExternalWalletSuccess,
  },
  listOAuthAccounts: {
    request: v.object({ path: schemas.vListOAuthAccountsRequestPath, query: schemas.vListOAuthAccountsRequestQuery }),
    success: schemas.vListOAuthAccountsSuccess,
  },
  resendVerificationCode: {
    request: v.object({ path: schemas.vResendVerificationCodeRequestPath, body: v.optional(schemas.vResendVerificationCodeRequestBody) }),
    success: schemas.vResendVerificationCodeSuccess,
  },
  resendVerificationCodeByPhone: {
    request: v.object({ path: schemas.vResendVerificationCodeByPhoneRequestPath, body: v.optional(schemas.vResendVerificationCodeByPhoneRequestBody) }),
    success: schemas.vResendVerificationCodeByPhoneSuccess,
  },
  login: {
    request: v.object({ body: schemas.vLoginRequestBody }),
    success: schemas.vLoginSuccess,
  },
  verifyLoginEmail: {
    request: v.object({ body: schemas.vVerifyLoginEmailRequestBody }),
    success: schemas.vVerifyLoginEmailSuccess,
  },
  touchSession: {
    request: v.object({ query: schemas.vTouchSessionRequestQuery, header: schemas.vTouchSessionRequestHeader }),
    success: schemas.vTouchSessionSuccess,
  },
  getSessionOrigin: {
    request: v.object({ path: schemas.vGetSessionOriginRequestPath }),
    success: schemas.vGetSessionOriginSuccess,
  },
  registerSessionKeys: {
    request: v.object({ path: schemas.vRegisterSessionKeysRequestPath, body: schemas.vRegisterSessionKeysRequestBody }),
    success: schemas.vRegisterSessionKeysSuccess,
  },
  keepSessionAlive: {
    request: v.object({ path: schemas.vKeepSessionAliveRequestPath }),
    success: schemas.vKeepSessionAliveSuccess,
  },
  createSessionJwt: {
    request: v.object({ path: schemas.vCreateSessionJwtRequestPath }),
    success: schemas.vCreateSessionJwtSuccess,
  },
  verifySessionJwt: {
    request: v.object({ body: schemas.vVerifySessionJwtRequestBody }),
    success: schemas.vVerifySessionJwtSuccess,
  },
  getJwks: {
    request: v.object({}),
    success: schemas.vGetJwksSuccess,
  },
  logout: {
    request: v.object({}),
    success: schemas.vLogoutSuccess,
  },
  listDelegations: {
    request: v.object({ path: schemas.vListDelegationsRequestPath }),
    success: schemas.vListDelegationsSuccess,
  },
  createDelegation: {
    request: v.object({ path: schemas.vCreateDelegationRequestPath, body: schemas.vCreateDelegationRequestBody }),
    success: schemas.vCreateDelegationSuccess,
  },
  endDelegation: {
    request: v.object({ path: schemas.vEndDelegationRequestPath }),
    success: schemas.vEndDelegationSuccess,
  },
  createOpening: {
    request: v.object({ body: schemas.vCreateOpeningRequestBody }),
    success: schemas.vCreateOpeningSuccess,
  },
  getOpening: {
    request: v.object({ path: schemas.vGetOpeningRequestPath, header: schemas.vGetOpeningRequestHeader }),
    success: schemas.vGetOpeningSuccess,
  },
  createOpeningTicket: {
    request: v.object({ path: schemas.vCreateOpeningTicketRequestPath, body: schemas.vCreateOpeningTicketRequestBody }),
    success: schemas.vCreateOpeningTicketSuccess,
  },
  createOpeningToken: {
    request: v.object({ path: schemas.vCreateOpeningTokenRequestPath, body: schemas.vCreateOpeningTokenRequestBody }),
    success: schemas.vCreateOpeningTokenSuccess,
  },
  beatOpening: {
    request: v.object({ path: schemas.vBeatOpeningRequestPath, body: schemas.vBeatOpeningRequestBody }),
    success: schemas.vBeatOpeningSuccess,
  },
  closeOpening: {
    request: v.object({ path: schemas.vCloseOpeningRequestPath, body: schemas.vCloseOpeningRequestBody }),
    success: schemas.vCloseOpeningSuccess,
  },
  redeemOpening: {
    request: v.object({ path: schemas.vRedeemOpeningRequestPath, body: schemas.vRedeemOpeningRequestBody }),
    success: schemas.vRedeemOpeningSuccess,
  },
  createPasskey: {
    request: v.object({ path: schemas.vCreatePasskeyRequestPath, header: schemas.vCreatePasskeyRequestHeader, body: v.optional(schemas.vCreatePasskeyRequestBody) }),
    success: schemas.vCreatePasskeySuccess,
  },
  listPasskeys: {
    request: v.object({ path: schemas.vListPasskeysRequestPath }),
    success: schemas.vListPasskeysSuccess,
  },
  getUserPasskeyChallenge: {
    request: v.object({ path: schemas.vGetUserPasskeyChallengeRequestPath }),
    success: schemas.vGetUserPasskeyChallengeSuccess,
  },
  verifyUserPasskey: {
    request: v.object({ path: schemas.vVerifyUserPasskeyRequestPath, body: schemas.vVerifyUserPasskeyRequestBody }),
    success: schemas.vVerifyUserPasskeySuccess,
  },
  getPasskey: {
    request: v.object({ path: schemas.vGetPasskeyRequestPath }),
    success: schemas.vGetPasskeySuccess,
  },
  updatePasskey: {
    request: v.object({ path: schemas.vUpdatePasskeyRequestPath, body: schemas.vUpdatePasskeyRequestBody }),
    success: schemas.vUpdatePasskeySuccess,
  },
  getPasskeyLocationHints: {
    request: v.object({ query: schemas.vGetPasskeyLocationHintsRequestQuery }),
    success: schemas.vGetPasskeyLocationHintsSuccess,
  },
  getPasskeyChallenge: {
    request: v.object({ query: schemas.vGetPasskeyChallengeRequestQuery }),
    success: schemas.vGetPasskeyChallengeSuccess,
  },
  verifyPasskey: {
    request: v.object({ body: schemas.vVerifyPasskeyRequestBody }),
    success: schemas.vVerifyPasskeySuccess,
  },
  listPasswords: {
    request: v.object({ query: schemas.vListPasswordsRequestQuery }),
    success: schemas.vListPasswordsSuccess,
  },
  createPassword: {
    request: v.object({ path: schemas.vCreatePasswordRequestPath, header: schemas.vCreatePasswordRequestHeader, body: v.optional(schemas.vCreatePasswordRequestBody) }),
    success: schemas.vCreatePasswordSuccess,
  },
  updatePassword: {
    request: v.object({ path: schemas.vUpdatePasswordRequestPath, body: schemas.vUpdatePasswordRequestBody }),
    success: schemas.vUpdatePasswordSuccess,
  },
  verifyPassword: {
    request: v.object({ body: schemas.vVerifyPasswordRequestBody }),
    success: schemas.vVerifyPasswordSuccess,
  },
  listWallets: {
    request: v.object({ path: schemas.vListWalletsRequestPath, query: schemas.vListWalletsRequestQuery, header: schemas.vListWalletsRequestHeader }),
    success: schemas.vListWalletsSuccess,
  },
  createWallet: {
    request: v.object({ path: schemas.vCreateWalletRequestPath, header: schemas.vCreateWalletRequestHeader, body: schemas.vCreateWalletRequestBody }),
    success: schemas.vCreateWalletSuccess,
  },
  listAllWallets: {
    request: v.object({ path: schemas.vListAllWalletsRequestPath }),
    success: schemas.vListAllWalletsSuccess,
  },
  setWallets: {
    request: v.object({ path: schemas.vSetWalletsRequestPath, body: schemas.vSetWalletsRequestBody }),
    success: schemas.vSetWalletsSuccess,
  },
  getWalletBalance: {
    request: v.object({ path: schemas.vGetWalletBalanceRequestPath, query: schemas.vGetWalletBalanceRequestQuery }),
    success: schemas.vGetWalletBalanceSuccess,
  },
  getCapsuleShare: {
    request: v.object({ path: schemas.vGetCapsuleShareRequestPath }),
    success: schemas.vGetCapsuleShareSuccess,
  },
  distributeCapsuleShare: {
    request: v.object({ path: schemas.vDistributeCapsuleShareRequestPath, body: v.optional(schemas.vDistributeCapsuleShareRequestBody) }),
    success: schemas.vDistributeCapsuleShareSuccess,
  },
  downloadBackupKit: {
    request: v.object({ path: schemas.vDownloadBackupKitRequestPath }),
    success: v.instance(Uint8Array),
  },
  acceptScopes: {
    request: v.object({ path: schemas.vAcceptScopesRequestPath, body: schemas.vAcceptScopesRequestBody }),
    success: schemas.vAcceptScopesSuccess,
  },
  listPregenWallets: {
    request: v.object({ query: schemas.vListPregenWalletsRequestQuery }),
    success: schemas.vListPregenWalletsSuccess,
  },
  createPregenWallet: {
    request: v.object({ header: schemas.vCreatePregenWalletRequestHeader, body: schemas.vCreatePregenWalletRequestBody }),
    success: schemas.vCreatePregenWalletSuccess,
  },
  claimPregenWallets: {
    request: v.object({ header: schemas.vClaimPregenWalletsRequestHeader, body: schemas.vClaimPregenWalletsRequestBody }),
    success: schemas.vClaimPregenWalletsSuccess,
  },
  updatePregenWallet: {
    request: v.object({ path: schemas.vUpdatePregenWalletRequestPath, body: schemas.vUpdatePregenWalletRequestBody }),
    success: schemas.vUpdatePregenWalletSuccess,
  },
  sendTransaction: {
    request: v.object({ path: schemas.vSendTransactionRequestPath, header: schemas.vSendTransactionRequestHeader, body: schemas.vSendTransactionRequestBody }),
    success: schemas.vSendTransactionSuccess,
  },
  signTransaction: {
    request: v.object({ path: schemas.vSignTransactionRequestPath, header: schemas.vSignTransactionRequestHeader, body: schemas.vSignTransactionRequestBody }),
    success: schemas.vSignTransactionSuccess,
  },
  signMessage: {
    request: v.object({ path: schemas.vSignMessageRequestPath, header: schemas.vSignMessageRequestHeader, body: schemas.vSignMessageRequestBody }),
    success: schemas.vSignMessageSuccess,
  },
  refreshKeys: {
    request: v.object({ path: schemas.vRefreshKeysRequestPath, header: schemas.vRefreshKeysRequestHeader, body: v.optional(schemas.vRefreshKeysRequestBody) }),
    success: schemas.vRefreshKeysSuccess,
  },
  getRefreshDone: {
    request: v.object({ path: schemas.vGetRefreshDoneRequestPath, query: schemas.vGetRefreshDoneRequestQuery, header: schemas.vGetRefreshDoneRequestHeader }),
    success: schemas.vGetRefreshDoneSuccess,
  },
  getPendingTransaction: {
    request: v.object({ path: schemas.vGetPendingTransactionRequestPath, header: schemas.vGetPendingTransactionRequestHeader }),
    success: schemas.vGetPendingTransactionSuccess,
  },
  denyPendingTransaction: {
    request: v.object({ path: schemas.vDenyPendingTransactionRequestPath }),
    success: schemas.vDenyPendingTransactionSuccess,
  },
  acceptPendingTransaction: {
    request: v.object({ path: schemas.vAcceptPendingTransactionRequestPath, body: v.optional(schemas.vAcceptPendingTransactionRequestBody) }),
    success: schemas.vAcceptPendingTransactionSuccess,
  },
  getPendingTransactionToDecide: {
    request: v.object({ path: schemas.vGetPendingTransactionToDecideRequestPath, header: schemas.vGetPendingTransactionToDecideRequestHeader }),
    success: schemas.vGetPendingTransactionToDecideSuccess,
  },
  decidePendingTransaction: {
    request: v.object({ path: schemas.vDecidePendingTransactionRequestPath, body: schemas.vDecidePendingTransactionRequestBody }),
    success: schemas.vDecidePendingTransactionSuccess,
  },
  listWalletKeyShares: {
    request: v.object({ path: schemas.vListWalletKeySharesRequestPath, query: schemas.vListWalletKeySharesRequestQuery }),
    success: schemas.vListWalletKeySharesSuccess,
  },
  createWalletKeyShares: {
    request: v.object({ path: schemas.vCreateWalletKeySharesRequestPath, body: schemas.vCreateWalletKeySharesRequestBody }),
    success: schemas.vCreateWalletKeySharesSuccess,
  },
  createKeyShares: {
    request: v.object({ path: schemas.vCreateKeySharesRequestPath, body: schemas.vCreateKeySharesRequestBody }),
    success: schemas.vCreateKeySharesSuccess,
  },
  listPasskeyKeyShares: {
    request: v.object({ path: schemas.vListPasskeyKeySharesRequestPath, query: schemas.vListPasskeyKeySharesRequestQuery }),
    success: schemas.vListPasskeyKeySharesSuccess,
  },
  listPasswordKeyShares: {
    request: v.object({ path: schemas.vListPasswordKeySharesRequestPath, query: schemas.vListPasswordKeySharesRequestQuery }),
    success: schemas.vListPasswordKeySharesSuccess,
  },
  listTemporaryShares: {
    request: v.object({ path: schemas.vListTemporarySharesRequestPath, query: schemas.vListTemporarySharesRequestQuery, header: schemas.vListTemporarySharesRequestHeader }),
    success: schemas.vListTemporarySharesSuccess,
  },
  createTemporaryShares: {
    request: v.object({ path: schemas.vCreateTemporarySharesRequestPath, body: schemas.vCreateTemporarySharesRequestBody }),
    success: schemas.vCreateTemporarySharesSuccess,
  },
  deleteTemporaryShares: {
    request: v.object({ path: schemas.vDeleteTemporarySharesRequestPath, query: schemas.vDeleteTemporarySharesRequestQuery }),
    success: schemas.vDeleteTemporarySharesSuccess,
  },
  listRecoveryPublicKeys: {
    request: v.object({ path: schemas.vListRecoveryPublicKeysRequestPath }),
    success: schemas.vListRecoveryPublicKeysSuccess,
  },
  createRecoveryPublicKeys: {
    request: v.object({ path: schemas.vCreateRecoveryPublicKeysRequestPath, body: schemas.vCreateRecoveryPublicKeysRequestBody }),
    success: schemas.vCreateRecoveryPublicKeysSuccess,
  },
  createEncryptedWalletPrivateKey: {
    request: v.object({ path: schemas.vCreateEncryptedWalletPrivateKeyRequestPath, header: schemas.vCreateEncryptedWalletPrivateKeyRequestHeader, body: schemas.vCreateEncryptedWalletPrivateKeyRequestBody }),
    success: schemas.vCreateEncryptedWalletPrivateKeySuccess,
  },
  listEncryptedWalletPrivateKeys: {
    request: v.object({ path: schemas.vListEncryptedWalletPrivateKeysRequestPath }),
    success: schemas.vListEncryptedWalletPrivateKeysSuccess,
  },
  getEncryptedWalletPrivateKey: {
    request: v.object({ query: schemas.vGetEncryptedWalletPrivateKeyRequestQuery }),
    success: schemas.vGetEncryptedWalletPrivateKeySuccess,
  },
  createTemporaryTransmission: {
    request: v.object({ body: schemas.vCreateTemporaryTransmissionRequestBody }),
    success: schemas.vCreateTemporaryTransmissionSuccess,
  },
  getTemporaryTransmission: {
    request: v.object({ path: schemas.vGetTemporaryTransmissionRequestPath }),
    success: schemas.vGetTemporaryTransmissionSuccess,
  },
  startRecovery: {
    request: v.object({ body: schemas.vStartRecoveryRequestBody }),
    success: schemas.vStartRecoverySuccess,
  },
  verifyRecovery: {
    request: v.object({ body: schemas.vVerifyRecoveryRequestBody }),
    success: schemas.vVerifyRecoverySuccess,
  },
  cancelRecovery: {
    request: v.object({ body: schemas.vCancelRecoveryRequestBody }),
    success: schemas.vCancelRecoverySuccess,
  },
  initRecovery: {
    request: v.object({ body: schemas.vInitRecoveryRequestBody }),
    success: schemas.vInitRecoverySuccess,
  },
  verifyRecoveryEmail: {
    request: v.object({ body: schemas.vVerifyRecoveryEmailRequestBody }),
    success: schemas.vVerifyRecoveryEmailSuccess,
  },
  verifyRecoveryIdentifier: {
    request: v.object({ body: schemas.vVerifyRecoveryIdentifierRequestBody }),
    success: schemas.vVerifyRecoveryIdentifierSuccess,
  },
  completeRecovery: {
    request: v.object({ path: schemas.vCompleteRecoveryRequestPath, body: schemas.vCompleteRecoveryRequestBody }),
    success: schemas.vCompleteRecoverySuccess,
  },
  finishRecovery: {
    request: v.object({ path: schemas.vFinishRecoveryRequestPath, header: schemas.vFinishRecoveryRequestHeader }),
    success: schemas.vFinishRecoverySuccess,
  },
  listRecoveryKeyShares: {
    request: v.object({ path: schemas.vListRecoveryKeySharesRequestPath, query: schemas.vListRecoveryKeySharesRequestQuery }),
    success: schemas.vListRecoveryKeySharesSuccess,
  },
  getTwoFactorStatus: {
    request: v.object({ path: schemas.vGetTwoFactorStatusRequestPath }),
    success: schemas.vGetTwoFactorStatusSuccess,
  },
  setupTwoFactor: {
    request: v.object({ path: schemas.vSetupTwoFactorRequestPath }),
    success: schemas.vSetupTwoFactorSuccess,
  },
  enableTwoFactor: {
    request: v.object({ path: schemas.vEnableTwoFactorRequestPath, body: schemas.vEnableTwoFactorRequestBody }),
    success: schemas.vEnableTwoFactorSuccess,
  },
  verifyTwoFactor: {
    request: v.object({ body: schemas.vVerifyTwoFactorRequestBody }),
    success: schemas.vVerifyTwoFactorSuccess,
  },
  initFarcaster: {
    request: v.object({ body: v.optional(schemas.vInitFarcasterRequestBody) }),
    success: schemas.vInitFarcasterSuccess,
  },
  getFarcasterStatus: {
    request: v.object({ header: schemas.vGetFarcasterStatusRequestHeader }),
    success: schemas.vGetFarcasterStatusSuccess,
  },
  startOAuth: {
    request: v.object({ path: schemas.vStartOAuthRequestPath, query: schemas.vStartOAuthRequestQuery }),
    success: schemas.vStartOAuthSuccess,
  },
  getPartner: {
    request: v.object({ path: schemas.vGetPartnerRequestPath }),
    success: schemas.vGetPartnerSuccess,
  },
  getConversionRate: {
    request: v.object({ path: schemas.vGetConversionRateRequestPath, query: schemas.vGetConversionRateRequestQuery }),
    success: schemas.vGetConversionRateSuccess,
  },
  getGasEstimate: {
    request: v.object({ path: schemas.vGetGasEstimateRequestPath, query: schemas.vGetGasEstimateRequestQuery }),
    success: schemas.vGetGasEstimateSuccess,
  },
  getGasOracle: {
    request: v.object({ path: schemas.vGetGasOracleRequestPath }),
    success: schemas.vGetGasOracleSuccess,
  },
  getOnRampConfig: {
    request: v.object({}),
    success: schemas.vGetOnRampConfigSuccess,
  },
  createWalletPurchase: {
    request: v.object({ path: schemas.vCreateWalletPurchaseRequestPath, header: schemas.vCreateWalletPurchaseRequestHeader, body: schemas.vCreateWalletPurchaseRequestBody }),
    success: schemas.vCreateWalletPurchaseSuccess,
  },
  getWalletPurchase: {
    request: v.object({ path: schemas.vGetWalletPurchaseRequestPath, header: schemas.vGetWalletPurchaseRequestHeader }),
    success: schemas.vGetWalletPurchaseSuccess,
  },
  updateWalletPurchase: {
    request: v.object({ path: schemas.vUpdateWalletPurchaseRequestPath, body: schemas.vUpdateWalletPurchaseRequestBody }),
    success: schemas.vUpdateWalletPurchaseSuccess,
  },
  createExternalWalletPurchase: {
    request: v.object({ path: schemas.vCreateExternalWalletPurchaseRequestPath, header: schemas.vCreateExternalWalletPurchaseRequestHeader, body: schemas.vCreateExternalWalletPurchaseRequestBody }),
    success: schemas.vCreateExternalWalletPurchaseSuccess,
  },
  getExternalWalletPurchase: {
    request: v.object({ path: schemas.vGetExternalWalletPurchaseRequestPath, header: schemas.vGetExternalWalletPurchaseRequestHeader }),
    success: schemas.vGetExternalWalletPurchaseSuccess,
  },
  updateExternalWalletPurchase: {
    request: v.object({ path: schemas.vUpdateExternalWalletPurchaseRequestPath, body: schemas.vUpdateExternalWalletPurchaseRequestBody }),
    success: schemas.vUpdateExternalWalletPurchaseSuccess,
  },
  signWalletMoonpayUrl: {
    request: v.object({ path: schemas.vSignWalletMoonpayUrlRequestPath, body: schemas.vSignWalletMoonpayUrlRequestBody }),
    success: schemas.vSignWalletMoonpayUrlSuccess,
  },
  signExternalWalletMoonpayUrl: {
    request: v.object({ path: schemas.vSignExternalWalletMoonpayUrlRequestPath, body: schemas.vSignExternalWalletMoonpayUrlRequestBody }),
    success: schemas.vSignExternalWalletMoonpayUrlSuccess,
  },
  generateOffRamp: {
    request: v.object({ path: schemas.vGenerateOffRampRequestPath, header: schemas.vGenerateOffRampRequestHeader, body: schemas.vGenerateOffRampRequestBody }),
    success: schemas.vGenerateOffRampSuccess,
  },
  sendOffRamp: {
    request: v.object({ path: schemas.vSendOffRampRequestPath, header: schemas.vSendOffRampRequestHeader, body: schemas.vSendOffRampRequestBody }),
    success: schemas.vSendOffRampSuccess,
  },
  exchangeFrame: {
    request: v.object({ body: v.instance(Uint8Array) }),
    success: v.instance(Uint8Array),
  },
  getCosignerKeys: {
    request: v.object({}),
    success: schemas.vGetCosignerKeysSuccess,
  },
  reportSdkError: {
    request: v.object({ body: schemas.vReportSdkErrorRequestBody }),
    success: schemas.vReportSdkErrorSuccess,
  },
  reportReactSdkUse: {
    request: v.object({ body: schemas.vReportReactSdkUseRequestBody }),
    success: schemas.vReportReactSdkUseSuccess,
  },
  getPrimeWorker: {
    request: v.object({}),
    success: schemas.vGetPrimeWorkerSuccess,
  },
  getMpcModule: {
    request: v.object({}),
    success: v.instance(Uint8Array),
  },
  getMpcWorkerBundle: {
    request: v.object({}),
    success: schemas.vGetMpcWorkerBundleSuccess,
  },
}
