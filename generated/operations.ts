// Generated from the contract by `npm run generate`, never edited.

/**
 * Every operation by its id. Who may call: S, P, R and SK in `principals` are alternatives, K beside S, P or R is
 * needed as well; without a token K or pub suffices. D is a delegated session, which is let in where it is named.
 * `session` is the earliest state of S, `recovery` has the states of R, `delegation` the scope of D. `device`: whether
 * a session with a device key signs the request; 'optional': it does so, but is answered without.
 * `rate`: by which limits it is counted (domain/service/README.md#rate-limits).
 */
export const operations = {
  createUser: { method: 'POST', path: '/users', tag: 'users', listener: 'api', principals: ['K'], device: false, rate: 'R6', success: 'application/json' },
  checkUserExists: { method: 'GET', path: '/users/exists', tag: 'users', listener: 'api', principals: ['K'], device: false, rate: 'R8', success: 'application/json' },
  verifyTelegram: { method: 'POST', path: '/users/telegram', tag: 'users', listener: 'api', principals: ['S'], session: 'NEW', device: false, rate: 'R5', success: 'application/json' },
  getSupportedAuthMethods: { method: 'GET', path: '/users/supported-auth-methods', tag: 'users', listener: 'api', principals: ['K'], device: false, rate: 'R8', success: 'application/json' },
  loginExternalWallet: { method: 'POST', path: '/users/external-wallets/login', tag: 'users', listener: 'api', principals: ['K'], device: false, rate: 'R5', success: 'application/json' },
  getUser: { method: 'GET', path: '/users/{userId}', tag: 'users', listener: 'api', principals: ['S', 'P'], session: 'AUTHENTICATED', device: false, rate: 'R1', success: 'application/json' },
  deleteUser: { method: 'DELETE', path: '/users/{userId}', tag: 'users', listener: 'api', principals: ['S', 'P'], session: 'AUTHENTICATED', device: false, rate: 'R7', success: 'application/json' },
  verifyEmail: { method: 'POST', path: '/users/{userId}/verify-email', tag: 'users', listener: 'api', principals: ['S'], session: 'IDENTIFIED', device: false, rate: 'R5', success: 'application/json' },
  verifyIdentifier: { method: 'POST', path: '/users/{userId}/verify-identifier', tag: 'users', listener: 'api', principals: ['S'], session: 'IDENTIFIED', device: false, rate: 'R5', success: 'application/json' },
  verifyExternalWallet: { method: 'POST', path: '/users/{userId}/external-wallets/verify', tag: 'users', listener: 'api', principals: ['S'], session: 'IDENTIFIED', device: false, rate: 'R5', success: 'application/json' },
  listOAuthAccounts: { method: 'GET', path: '/users/{userId}/oauth/accounts', tag: 'users', listener: 'api', principals: ['S'], session: 'AUTHENTICATED', device: false, rate: 'R1', success: 'application/json' },
  resendVerificationCode: { method: 'POST', path: '/users/{userId}/resend-verification-code', tag: 'users', listener: 'api', principals: ['S'], session: 'IDENTIFIED', device: false, rate: 'R6', success: 'application/json' },
  resendVerificationCodeByPhone: { method: 'POST', path: '/users/{userId}/resend-verification-code-by-phone', tag: 'users', listener: 'api', principals: ['S'], session: 'IDENTIFIED', device: false, rate: 'R6', success: 'application/json' },
  login: { method: 'POST', path: '/login', tag: 'users', listener: 'api', principals: ['K', 'S'], session: 'NEW', device: false, rate: 'R6', success: 'application/json' },
  verifyLoginEmail: { method: 'POST', path: '/login/verify-email', tag: 'users', listener: 'api', principals: ['S'], session: 'NEW', device: false, rate: 'R5', success: 'application/json' },
  touchSession: { method: 'POST', path: '/touch', tag: 'sessions', listener: 'api', principals: ['K', 'D'], delegation: 'READ', device: 'optional', rate: 'R2', success: 'application/json' },
  getSessionOrigin: { method: 'GET', path: '/sessions/{sessionLookupId}/origin', tag: 'sessions', listener: 'api', principals: ['S', 'P'], session: 'NEW', device: false, rate: 'R1', success: 'application/json' },
  registerSessionKeys: { method: 'POST', path: '/sessions/{sessionId}/keys', tag: 'sessions', listener: 'api', principals: ['S'], session: 'NEW', device: false, rate: 'R3', success: 'application/json' },
  keepSessionAlive: { method: 'POST', path: '/users/{userId}/session/keep-alive', tag: 'sessions', listener: 'api', principals: ['S'], session: 'AUTHENTICATED', device: false, rate: 'R2', success: 'application/json' },
  createSessionJwt: { method: 'POST', path: '/users/{userId}/session/jwt', tag: 'sessions', listener: 'api', principals: ['S'], session: 'AUTHENTICATED', device: true, rate: 'R2', success: 'application/json' },
  verifySessionJwt: { method: 'POST', path: '/sessions/verify', tag: 'sessions', listener: 'api', principals: ['SK'], device: false, rate: 'R1', success: 'application/json' },
  getJwks: { method: 'GET', path: '/.well-known/jwks.json', tag: 'sessions', listener: 'api', principals: ['pub'], device: false, rate: 'R1', cacheSeconds: 600, success: 'application/json' },
  logout: { method: 'GET', path: '/logout', tag: 'sessions', listener: 'api', principals: ['S', 'D', 'pub'], session: 'NEW', delegation: 'READ', device: false, rate: 'R3', success: 'application/json' },
  listDelegations: { method: 'GET', path: '/users/{userId}/delegations', tag: 'delegations', listener: 'api', principals: ['S'], session: 'AUTHENTICATED', device: false, rate: 'R1', success: 'application/json' },
  createDelegation: { method: 'POST', path: '/users/{userId}/delegations', tag: 'delegations', listener: 'api', principals: ['S'], session: 'AUTHENTICATED', device: true, rate: 'R3', success: 'application/json' },
  endDelegation: { method: 'DELETE', path: '/users/{userId}/delegations/{delegationId}', tag: 'delegations', listener: 'api', principals: ['S'], session: 'AUTHENTICATED', device: true, rate: 'R3', success: 'application/json' },
  createOpening: { method: 'POST', path: '/openings', tag: 'openings', listener: 'api', principals: ['K'], device: false, rate: 'R3', success: 'application/json' },
  getOpening: { method: 'GET', path: '/openings/{openingId}', tag: 'openings', listener: 'api', principals: ['S'], session: 'NEW', device: false, rate: 'R2', success: 'application/json' },
  createOpeningTicket: { method: 'POST', path: '/openings/{openingId}/ticket', tag: 'openings', listener: 'api', principals: ['S'], session: 'NEW', device: true, rate: 'R3', success: 'application/json' },
  createOpeningToken: { method: 'POST', path: '/openings/{openingId}/token', tag: 'openings', listener: 'api', principals: ['K'], device: false, rate: 'R3', success: 'application/json' },
  beatOpening: { method: 'POST', path: '/openings/{openingId}/beat', tag: 'openings', listener: 'api', principals: ['pub'], device: false, rate: 'R2', success: 'application/json' },
  closeOpening: { method: 'POST', path: '/openings/{openingId}/close', tag: 'openings', listener: 'api', principals: ['pub'], device: false, rate: 'R2', success: 'application/json' },
  redeemOpening: { method: 'POST', path: '/openings/{openingId}/redeem', tag: 'openings', listener: 'api', principals: ['S'], session: 'NEW', device: true, rate: 'R3', success: 'application/json' },
  createPasskey: { method: 'POST', path: '/users/{userId}/biometrics/key', tag: 'passkeys', listener: 'api', principals: ['S', 'R'], session: 'VERIFIED', recovery: ['READY'], device: true, rate: 'R3', success: 'application/json' },
  listPasskeys: { method: 'GET', path: '/users/{userId}/biometrics/keys', tag: 'passkeys', listener: 'api', principals: ['S', 'P', 'R'], session: 'AUTHENTICATED', recovery: ['READY'], device: false, rate: 'R1', success: 'application/json' },
  getUserPasskeyChallenge: { method: 'GET', path: '/users/{userId}/biometrics/challenge', tag: 'passkeys', listener: 'api', principals: ['S', 'P'], session: 'AUTHENTICATED', device: false, rate: 'R2', success: 'application/json' },
  verifyUserPasskey: { method: 'POST', path: '/users/{userId}/biometrics/verify', tag: 'passkeys', listener: 'api', principals: ['S', 'P'], session: 'AUTHENTICATED', device: false, rate: 'R5', success: 'application/json' },
  getPasskey: { method: 'GET', path: '/users/{userId}/biometrics/{passkeyId}', tag: 'passkeys', listener: 'api', principals: ['S', 'P'], session: 'VERIFIED', device: false, rate: 'R1', success: 'application/json' },
  updatePasskey: { method: 'PATCH', path: '/users/{userId}/biometrics/{passkeyId}', tag: 'passkeys', listener: 'api', principals: ['P'], device: false, rate: 'R3', success: 'application/json' },
  getPasskeyLocationHints: { method: 'GET', path: '/biometrics/location-hints', tag: 'passkeys', listener: 'api', principals: ['K'], device: false, rate: 'R8', success: 'application/json' },
  getPasskeyChallenge: { method: 'GET', path: '/biometrics/challenge', tag: 'passkeys', listener: 'api', principals: ['P'], device: false, rate: 'R2', success: 'application/json' },
  verifyPasskey: { method: 'POST', path: '/biometrics/verify', tag: 'passkeys', listener: 'api', principals: ['P'], device: false, rate: 'R5', success: 'application/json' },
  listPasswords: { method: 'GET', path: '/users/passwords', tag: 'passwords', listener: 'api', principals: ['S', 'P', 'R'], session: 'NEW', recovery: ['READY'], device: false, rate: 'R1', success: 'application/json' },
  createPassword: { method: 'POST', path: '/users/{userId}/passwords/key', tag: 'passwords', listener: 'api', principals: ['S', 'R'], session: 'VERIFIED', recovery: ['READY'], device: true, rate: 'R3', success: 'application/json' },
  updatePassword: { method: 'PATCH', path: '/users/{userId}/passwords/{passwordId}', tag: 'passwords', listener: 'api', principals: ['P'], device: false, rate: 'R3', success: 'application/json' },
  verifyPassword: { method: 'POST', path: '/passwords/verify', tag: 'passwords', listener: 'api', principals: ['P'], device: false, rate: 'R5', success: 'application/json' },
  listWallets: { method: 'GET', path: '/users/{userId}/wallets', tag: 'wallets', listener: 'api', principals: ['S', 'P', 'R', 'D'], session: 'AUTHENTICATED', recovery: ['READY'], delegation: 'READ', device: false, rate: 'R1', success: 'application/json' },
  createWallet: { method: 'POST', path: '/users/{userId}/wallets', tag: 'wallets', listener: 'api', principals: ['K', 'S'], session: 'AUTHENTICATED', device: true, rate: 'R4', success: 'application/json' },
  listAllWallets: { method: 'GET', path: '/users/{userId}/all-wallets', tag: 'wallets', listener: 'api', principals: ['S', 'P'], session: 'AUTHENTICATED', device: false, rate: 'R1', success: 'application/json' },
  setWallets: { method: 'POST', path: '/users/{userId}/wallets/set', tag: 'wallets', listener: 'api', principals: ['P'], device: false, rate: 'R3', success: 'application/json' },
  getWalletBalance: { method: 'GET', path: '/users/{userId}/wallets/{walletId}/balance', tag: 'wallets', listener: 'api', principals: ['S'], session: 'AUTHENTICATED', device: false, rate: 'R10', success: 'application/json' },
  getCapsuleShare: { method: 'GET', path: '/users/{userId}/wallets/{walletId}/capsule-share', tag: 'wallets', listener: 'api', principals: ['S', 'P'], session: 'AUTHENTICATED', device: false, rate: 'R7', success: 'application/json' },
  distributeCapsuleShare: { method: 'POST', path: '/users/{userId}/wallets/{walletId}/capsule-share/distribute', tag: 'wallets', listener: 'api', principals: ['S'], session: 'AUTHENTICATED', device: false, rate: 'R3', success: 'application/json' },
  downloadBackupKit: { method: 'GET', path: '/users/{userId}/wallets/{walletId}/download-backup-kit', tag: 'wallets', listener: 'api', principals: ['S', 'P'], session: 'AUTHENTICATED', device: false, rate: 'R7', binary: true, success: 'application/octet-stream' },
  acceptScopes: { method: 'POST', path: '/users/{userId}/wallets/{walletId}/scopes/accept', tag: 'wallets', listener: 'api', principals: ['S', 'P'], session: 'AUTHENTICATED', device: false, rate: 'R3', success: 'application/json' },
  listPregenWallets: { method: 'GET', path: '/wallets/pregen', tag: 'pregen', listener: 'api', principals: ['K', 'SK'], device: false, rate: 'R1', success: 'application/json' },
  createPregenWallet: { method: 'POST', path: '/wallets/pregen', tag: 'pregen', listener: 'api', principals: ['K', 'SK'], device: false, rate: 'R4', success: 'application/json' },
  claimPregenWallets: { method: 'POST', path: '/wallets/pregen/claim', tag: 'pregen', listener: 'api', principals: ['K', 'S'], session: 'AUTHENTICATED', device: true, rate: 'R3', success: 'application/json' },
  updatePregenWallet: { method: 'PATCH', path: '/wallets/pregen/{walletId}', tag: 'pregen', listener: 'api', principals: ['K', 'SK'], device: false, rate: 'R3', success: 'application/json' },
  sendTransaction: { method: 'POST', path: '/users/{userId}/wallets/{walletId}/transactions/send', tag: 'signing', listener: 'api', principals: ['S', 'D', 'SK'], session: 'AUTHENTICATED', delegation: 'SIGN', device: false, rate: 'R4', success: 'application/json' },
  signTransaction: { method: 'POST', path: '/users/{userId}/wallets/{walletId}/transactions/sign', tag: 'signing', listener: 'api', principals: ['S', 'D', 'SK'], session: 'AUTHENTICATED', delegation: 'SIGN', device: false, rate: 'R4', success: 'application/json' },
  signMessage: { method: 'POST', path: '/users/{userId}/wallets/{walletId}/messages/sign', tag: 'signing', listener: 'api', principals: ['S', 'D', 'SK'], session: 'AUTHENTICATED', delegation: 'SIGN', device: false, rate: 'R4', success: 'application/json' },
  refreshKeys: { method: 'POST', path: '/users/{userId}/wallets/{walletId}/refresh', tag: 'signing', listener: 'api', principals: ['S', 'R'], session: 'AUTHENTICATED', recovery: ['READY'], device: true, rate: 'R4', success: 'application/json' },
  getRefreshDone: { method: 'GET', path: '/users/{userId}/wallets/{walletId}/refresh-done', tag: 'signing', listener: 'api', principals: ['S', 'R', 'SK'], session: 'AUTHENTICATED', recovery: ['READY'], device: false, rate: 'R2', success: 'application/json' },
  getPendingTransaction: { method: 'GET', path: '/users/{userId}/pending-transactions/{pendingTransactionId}', tag: 'signing', listener: 'api', principals: ['S', 'P', 'D'], session: 'AUTHENTICATED', delegation: 'READ', device: false, rate: 'R2', success: 'application/json' },
  denyPendingTransaction: { method: 'DELETE', path: '/users/{userId}/pending-transactions/{pendingTransactionId}', tag: 'signing', listener: 'api', principals: ['P'], device: false, rate: 'R3', success: 'application/json' },
  acceptPendingTransaction: { method: 'POST', path: '/users/{userId}/pending-transactions/{pendingTransactionId}/accept', tag: 'signing', listener: 'api', principals: ['P'], device: false, rate: 'R3', success: 'application/json' },
  getPendingTransactionToDecide: { method: 'GET', path: '/pending-transactions/{pendingTransactionId}', tag: 'signing', listener: 'api', principals: ['SK'], device: false, rate: 'R2', success: 'application/json' },
  decidePendingTransaction: { method: 'POST', path: '/pending-transactions/{pendingTransactionId}/decision', tag: 'signing', listener: 'api', principals: ['SK'], device: false, rate: 'R3', success: 'application/json' },
  listWalletKeyShares: { method: 'GET', path: '/users/{userId}/wallets/{walletId}/key-shares', tag: 'keyShares', listener: 'api', principals: ['S', 'R'], session: 'AUTHENTICATED', recovery: ['READY'], device: false, rate: 'R1', success: 'application/json' },
  createWalletKeyShares: { method: 'POST', path: '/users/{userId}/wallets/{walletId}/key-shares', tag: 'keyShares', listener: 'api', principals: ['S', 'R'], session: 'AUTHENTICATED', recovery: ['READY'], device: true, rate: 'R3', success: 'application/json' },
  createKeyShares: { method: 'POST', path: '/users/{userId}/key-shares', tag: 'keyShares', listener: 'api', principals: ['S', 'R'], session: 'AUTHENTICATED', recovery: ['READY'], device: true, rate: 'R3', success: 'application/json' },
  listPasskeyKeyShares: { method: 'GET', path: '/users/{userId}/biometrics/key-shares', tag: 'keyShares', listener: 'api', principals: ['P'], device: false, rate: 'R1', success: 'application/json' },
  listPasswordKeyShares: { method: 'GET', path: '/users/{userId}/passwords/key-shares', tag: 'keyShares', listener: 'api', principals: ['P'], device: false, rate: 'R1', success: 'application/json' },
  listTemporaryShares: { method: 'GET', path: '/users/{userId}/temporary-shares', tag: 'keyShares', listener: 'api', principals: ['S'], session: 'AUTHENTICATED', device: false, rate: 'R2', success: 'application/json' },
  createTemporaryShares: { method: 'POST', path: '/users/{userId}/temporary-shares', tag: 'keyShares', listener: 'api', principals: ['P'], device: false, rate: 'R3', success: 'application/json' },
  deleteTemporaryShares: { method: 'DELETE', path: '/users/{userId}/temporary-shares', tag: 'keyShares', listener: 'api', principals: ['S'], session: 'AUTHENTICATED', device: true, rate: 'R3', success: 'application/json' },
  listRecoveryPublicKeys: { method: 'GET', path: '/users/{userId}/recovery-public-keys', tag: 'keyShares', listener: 'api', principals: ['S', 'R'], session: 'AUTHENTICATED', recovery: ['READY'], device: false, rate: 'R1', success: 'application/json' },
  createRecoveryPublicKeys: { method: 'POST', path: '/users/{userId}/recovery-public-keys', tag: 'keyShares', listener: 'api', principals: ['S', 'R'], session: 'AUTHENTICATED', recovery: ['READY'], device: true, rate: 'R3', success: 'application/json' },
  createEncryptedWalletPrivateKey: { method: 'POST', path: '/users/{userId}/encrypted-wallet-private-keys', tag: 'keyShares', listener: 'api', principals: ['P'], device: false, rate: 'R3', success: 'application/json' },
  listEncryptedWalletPrivateKeys: { method: 'GET', path: '/users/{userId}/encrypted-wallet-private-keys/{encryptionKeyHash}', tag: 'keyShares', listener: 'api', principals: ['S', 'P'], session: 'AUTHENTICATED', device: false, rate: 'R1', success: 'application/json' },
  getEncryptedWalletPrivateKey: { method: 'GET', path: '/encrypted-wallet-private-keys', tag: 'keyShares', listener: 'api', principals: ['P'], device: false, rate: 'R1', success: 'application/json' },
  createTemporaryTransmission: { method: 'POST', path: '/temporary-transmissions', tag: 'keyShares', listener: 'api', principals: ['K'], device: false, rate: 'R3', success: 'application/json' },
  getTemporaryTransmission: { method: 'GET', path: '/temporary-transmissions/{transmissionId}', tag: 'keyShares', listener: 'api', principals: ['pub'], device: false, rate: 'R8', success: 'application/json' },
  startRecovery: { method: 'POST', path: '/recovery', tag: 'recovery', listener: 'api', principals: ['K'], device: false, rate: 'R6', success: 'application/json' },
  verifyRecovery: { method: 'POST', path: '/recovery/verification', tag: 'recovery', listener: 'api', principals: ['S'], session: 'NEW', device: false, rate: 'R5', success: 'application/json' },
  cancelRecovery: { method: 'POST', path: '/recovery/cancel', tag: 'recovery', listener: 'api', principals: ['K'], device: false, rate: 'R3', success: 'application/json' },
  initRecovery: { method: 'POST', path: '/recovery/init', tag: 'recovery', listener: 'api', principals: ['K'], device: false, rate: 'R6', success: 'application/json' },
  verifyRecoveryEmail: { method: 'POST', path: '/recovery/verify-email', tag: 'recovery', listener: 'api', principals: ['S'], session: 'NEW', device: false, rate: 'R5', success: 'application/json' },
  verifyRecoveryIdentifier: { method: 'POST', path: '/recovery/verify-identifier', tag: 'recovery', listener: 'api', principals: ['S'], session: 'NEW', device: false, rate: 'R5', success: 'application/json' },
  completeRecovery: { method: 'POST', path: '/recovery/users/{userId}/finish', tag: 'recovery', listener: 'api', principals: ['R'], recovery: ['READY', 'FINISHED'], device: false, rate: 'R3', success: 'application/json' },
  finishRecovery: { method: 'POST', path: '/recovery/users/{userId}/wallets/{walletId}/finish', tag: 'recovery', listener: 'api', principals: ['R'], recovery: ['READY', 'FINISHED'], device: false, rate: 'R3', success: 'application/json' },
  listRecoveryKeyShares: { method: 'GET', path: '/recovery/users/{userId}/wallets/{walletId}/key-shares', tag: 'recovery', listener: 'api', principals: ['R'], recovery: ['READY'], device: false, rate: 'R3', success: 'application/json' },
  getTwoFactorStatus: { method: 'GET', path: '/2fa/users/{userId}/check-status', tag: 'twoFactor', listener: 'api', principals: ['S', 'R'], session: 'AUTHENTICATED', recovery: ['READY'], device: false, rate: 'R1', success: 'application/json' },
  setupTwoFactor: { method: 'POST', path: '/2fa/users/{userId}/setup', tag: 'twoFactor', listener: 'api', principals: ['S', 'P'], session: 'AUTHENTICATED', device: false, rate: 'R7', success: 'application/json' },
  enableTwoFactor: { method: 'POST', path: '/2fa/users/{userId}/enable', tag: 'twoFactor', listener: 'api', principals: ['S', 'P'], session: 'AUTHENTICATED', device: false, rate: 'R7', success: 'application/json' },
  verifyTwoFactor: { method: 'POST', path: '/2fa/verify', tag: 'twoFactor', listener: 'api', principals: ['S', 'R'], session: 'NEW', recovery: ['READY'], device: false, rate: 'R5', success: 'application/json' },
  initFarcaster: { method: 'POST', path: '/auth/farcaster/init', tag: 'farcaster', listener: 'api', principals: ['S'], session: 'NEW', device: false, rate: 'R5', success: 'application/json' },
  getFarcasterStatus: { method: 'POST', path: '/auth/farcaster/status', tag: 'farcaster', listener: 'api', principals: ['S'], session: 'NEW', device: false, rate: 'R2', success: 'application/json' },
  startOAuth: { method: 'GET', path: '/auth/{method}', tag: 'oauth', listener: 'api', principals: ['pub'], device: false, rate: 'R5', success: 'text/html' },
  getPartner: { method: 'GET', path: '/partners/{partnerId}', tag: 'partners', listener: 'api', principals: ['K', 'D'], delegation: 'READ', device: false, rate: 'R1', success: 'application/json' },
  getConversionRate: { method: 'GET', path: '/chains/{chainId}/conversion-rate', tag: 'chains', listener: 'api', principals: ['K'], device: false, rate: 'R10', success: 'application/json' },
  getGasEstimate: { method: 'GET', path: '/chains/{chainId}/gas-estimate', tag: 'chains', listener: 'api', principals: ['K'], device: false, rate: 'R10', success: 'application/json' },
  getGasOracle: { method: 'GET', path: '/chains/{chainId}/gas-oracle', tag: 'chains', listener: 'api', principals: ['K'], device: false, rate: 'R10', success: 'application/json' },
  getOnRampConfig: { method: 'GET', path: '/on-ramp-config', tag: 'ramps', listener: 'api', principals: ['K'], device: false, rate: 'R1', success: 'application/json' },
  createWalletPurchase: { method: 'POST', path: '/users/{userId}/wallets/{walletId}/purchases', tag: 'ramps', listener: 'api', principals: ['S'], session: 'AUTHENTICATED', device: false, rate: 'R3', success: 'application/json' },
  getWalletPurchase: { method: 'GET', path: '/users/{userId}/wallets/{walletId}/purchases/{purchaseId}', tag: 'ramps', listener: 'api', principals: ['S', 'P'], session: 'AUTHENTICATED', device: false, rate: 'R1', success: 'application/json' },
  updateWalletPurchase: { method: 'PATCH', path: '/users/{userId}/wallets/{walletId}/purchases/{purchaseId}', tag: 'ramps', listener: 'api', principals: ['S', 'P'], session: 'AUTHENTICATED', device: false, rate: 'R3', success: 'application/json' },
  createExternalWalletPurchase: { method: 'POST', path: '/users/{userId}/external-wallets/{address}/purchases', tag: 'ramps', listener: 'api', principals: ['S'], session: 'AUTHENTICATED', device: false, rate: 'R3', success: 'application/json' },
  getExternalWalletPurchase: { method: 'GET', path: '/users/{userId}/external-wallets/{address}/purchases/{purchaseId}', tag: 'ramps', listener: 'api', principals: ['S', 'P'], session: 'AUTHENTICATED', device: false, rate: 'R1', success: 'application/json' },
  updateExternalWalletPurchase: { method: 'PATCH', path: '/users/{userId}/external-wallets/{address}/purchases/{purchaseId}', tag: 'ramps', listener: 'api', principals: ['S', 'P'], session: 'AUTHENTICATED', device: false, rate: 'R3', success: 'application/json' },
  signWalletMoonpayUrl: { method: 'POST', path: '/users/{userId}/wallets/{walletId}/moonpay-sign', tag: 'ramps', listener: 'api', principals: ['S', 'P'], session: 'AUTHENTICATED', device: false, rate: 'R3', success: 'application/json' },
  signExternalWalletMoonpayUrl: { method: 'POST', path: '/users/{userId}/external-wallets/{address}/moonpay-sign', tag: 'ramps', listener: 'api', principals: ['S', 'P'], session: 'AUTHENTICATED', device: false, rate: 'R3', success: 'application/json' },
  generateOffRamp: { method: 'POST', path: '/users/{userId}/wallets/{walletId}/offramp-generate', tag: 'ramps', listener: 'api', principals: ['S', 'P'], session: 'AUTHENTICATED', device: false, rate: 'R4', success: 'application/json' },
  sendOffRamp: { method: 'POST', path: '/users/{userId}/wallets/{walletId}/offramp-send', tag: 'ramps', listener: 'api', principals: ['S', 'P'], session: 'AUTHENTICATED', device: false, rate: 'R4', success: 'application/json' },
  exchangeFrame: { method: 'POST', path: '/protocol', tag: 'protocol', listener: 'cosigner', principals: ['S', 'R', 'D', 'SK'], session: 'AUTHENTICATED', recovery: ['READY'], delegation: 'SIGN', device: false, rate: 'R4', binary: true, success: 'application/octet-stream' },
  getCosignerKeys: { method: 'GET', path: '/cosigner-keys', tag: 'protocol', listener: 'api', principals: ['pub'], device: false, rate: 'R1', success: 'application/json' },
  reportSdkError: { method: 'POST', path: '/errors/sdk', tag: 'diagnostics', listener: 'api', principals: ['K'], device: false, rate: 'R9', success: 'application/json' },
  reportReactSdkUse: { method: 'POST', path: '/partners/analytics/react-sdk', tag: 'diagnostics', listener: 'api', principals: ['K'], device: false, rate: 'R9', success: 'application/json' },
  getPrimeWorker: { method: 'GET', path: '/static/js/prime.worker.min.js', tag: 'assets', listener: 'portal', principals: ['pub'], device: false, rate: 'none', success: 'text/javascript' },
  getMpcModule: { method: 'GET', path: '/static/js/main.wasm', tag: 'assets', listener: 'portal', principals: ['pub'], device: false, rate: 'none', binary: true, success: 'application/wasm' },
  getMpcWorkerBundle: { method: 'GET', path: '/static/js/mpcWorker-bundle.js', tag: 'assets', listener: 'portal', principals: ['pub'], device: false, rate: 'none', success: 'text/javascript' },
} as const satisfies Readonly<Record<string, Operation>>

export type OperationId = keyof typeof operations

export type Operation = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly tag: string
  readonly listener: 'api' | 'cosigner' | 'portal'
  readonly principals: readonly Principal[]
  readonly session?: 'NEW' | 'IDENTIFIED' | 'VERIFIED' | 'AUTHENTICATED'
  readonly recovery?: readonly ('READY' | 'FINISHED')[]
  readonly delegation?: 'READ' | 'SIGN'
  readonly device: boolean | 'optional'
  readonly rate: 'R1' | 'R2' | 'R3' | 'R4' | 'R5' | 'R6' | 'R7' | 'R8' | 'R9' | 'R10' | 'none'
  /** For how long every cache may keep the answer; otherwise none may. */
  readonly cacheSeconds?: number
  /** Request or answer are bytes. */
  readonly binary?: true
  /** The media type of the answer. */
  readonly success: string
}

export type Principal = 'K' | 'S' | 'P' | 'R' | 'D' | 'SK' | 'pub'
