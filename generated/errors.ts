// Generated from the contract by `npm run generate`, never edited.

/** Every refusal by its name. `sentence` is an example where a refusal names its object. */
export const errors = {
  AddressNotInWallet: { status: 400, sentence: "Address cosmos1fl48vsnmsdzcv85q5d2q4z5ajdha8yu34mf0eh not found in wallet" },
  AnotherRunInProgress: { status: 409, sentence: "another run is in progress" },
  ApiKeyRequired: { status: 401, sentence: "in order to create a wallet or user with Para, you must provide an API key to the Para instance" },
  BackupsMissing: { status: 409, sentence: "key share backups are missing" },
  BlindSigningRefused: { status: 403, sentence: "signing a bare digest is not allowed" },
  BodyTooLarge: { status: 413, sentence: "request body is too large" },
  BroadcastRefused: { status: 400, sentence: "transaction refused: nonce too low" },
  CapsuleRefused: { status: 409, sentence: "capsule refused" },
  ChainNotConfigured: { status: 400, sentence: "chain 137 is not configured" },
  ChainUnavailable: { status: 503, sentence: "chain 137 does not answer" },
  Conflict: { status: 409, sentence: "conflict" },
  ContentDiffers: { status: 409, sentence: "content differs from what is held" },
  CosignerBusy: { status: 503, sentence: "co-signer is busy" },
  DecisionRefused: { status: 403, sentence: "decision refused" },
  DelegationNotAllowed: { status: 403, sentence: "delegated sessions are not allowed" },
  DeniedByPolicy: { status: 403, sentence: "denied by policy" },
  DeviceKeyIsSet: { status: 409, sentence: "device key is set" },
  DeviceNotAttached: { status: 409, sentence: "device is not attached to this wallet" },
  DeviceNotCertified: { status: 403, sentence: "device is not certified" },
  DeviceSignatureRequired: { status: 403, sentence: "device signature required" },
  DigestDiffers: { status: 400, sentence: "digest differs" },
  ExportNotAllowed: { status: 403, sentence: "private key export is not allowed" },
  FrameRefused: { status: 403, sentence: "device signature refused" },
  HeadersTooLarge: { status: 431, sentence: "request headers are too large" },
  IdempotencyKeyReused: { status: 422, sentence: "idempotency key was used for another request" },
  InternalError: { status: 500, sentence: "internal error" },
  InvalidAuthObject: { status: 400, sentence: "invalid auth object" },
  InvalidCredential: { status: 400, sentence: "invalid credential" },
  InvalidDelegation: { status: 400, sentence: "invalid delegation" },
  InvalidFrame: { status: 400, sentence: "invalid frame" },
  InvalidKeyShare: { status: 400, sentence: "invalid key share" },
  InvalidPassword: { status: 401, sentence: "invalid password" },
  InvalidRecoveryPublicKey: { status: 400, sentence: "invalid recovery public key" },
  InvalidRequest: { status: 400, sentence: "body.protocolId is not as the contract has it" },
  InvalidSessionJwt: { status: 401, sentence: "session JWT is not valid" },
  InvalidSessionKeys: { status: 400, sentence: "invalid session keys" },
  InvalidTransaction: { status: 400, sentence: "invalid transaction" },
  InvalidVerificationCode: { status: 400, sentence: "invalid verification code" },
  InvalidWalletParams: { status: 400, sentence: "invalid wallet params" },
  InvalidWalletScheme: { status: 400, sentence: "invalid wallet scheme" },
  KeyShareLocked: { status: 423, sentence: "key share is locked, log in again to refresh it" },
  KeyShareOutOfDate: { status: 409, sentence: "key share is out of date, log in again" },
  LinkExpired: { status: 410, sentence: "link expired" },
  LocationHintsNeedIdentity: { status: 400, sentence: "one of email, phone, farcaster username, telegram user id or external wallet with Para auth are required to get biometric location hints" },
  LoginKeyInUse: { status: 409, sentence: "login key is in use" },
  LoginKeyMismatch: { status: 409, sentence: "login key mismatch" },
  MalformedRequest: { status: 400, sentence: "malformed request" },
  NoSignedInUser: { status: 401, sentence: "no signed-in user" },
  NoValidWallet: { status: 404, sentence: "no valid Para wallet found" },
  NoValidWalletId: { status: 400, sentence: "no valid wallet id found" },
  NotBuilt: { status: 501, sentence: "refreshKeys is not built yet" },
  NotDelegated: { status: 403, sentence: "a delegated session may not do this" },
  NotFound: { status: 404, sentence: "not found" },
  NotReviewer: { status: 409, sentence: "this review is decided by another" },
  OpenerNotProven: { status: 403, sentence: "opener not proven" },
  OperationNotOffered: { status: 400, sentence: "operation is not offered" },
  OriginNotAllowed: { status: 403, sentence: "origin not allowed" },
  OtherAccount: { status: 409, sentence: "sign out of the other account first" },
  PartnerFrozen: { status: 403, sentence: "partner is frozen" },
  PayloadNotSupported: { status: 400, sentence: "payload is not supported" },
  PhoneNotOffered: { status: 400, sentence: "sign-up by phone is not offered" },
  PregenWalletNotSelectable: { status: 400, sentence: "pre-generated wallet with id 5b1f6c2d cannot be selected" },
  ProtocolIdUsed: { status: 409, sentence: "protocol id was used for another request" },
  ProviderShareLost: { status: 409, sentence: "the provider’s key share cannot be opened" },
  RequestStillRunning: { status: 503, sentence: "request is still running" },
  RequestTooSlow: { status: 408, sentence: "request was sent too slowly" },
  ReviewDecided: { status: 409, sentence: "review was decided already" },
  ReviewNotSupported: { status: 409, sentence: "review is not supported for this client" },
  RootKeyDiffers: { status: 403, sentence: "root key differs" },
  RunLost: { status: 409, sentence: "run was lost when the co-signer restarted, begin again" },
  SchemeNotOffered: { status: 400, sentence: "wallet scheme CGGMP is not offered by this service" },
  SharesIncomplete: { status: 400, sentence: "share count differs from wallet count" },
  SigningNotAsked: { status: 409, sentence: "signing was not asked for" },
  StaticFileUnavailable: { status: 503, sentence: "main.wasm is not as it was built" },
  StepOutOfOrder: { status: 409, sentence: "step out of order" },
  StepUpRequired: { status: 403, sentence: "a step-up is required" },
  TooManyAttempts: { status: 429, sentence: "too many attempts" },
  TooManyDelegations: { status: 400, sentence: "too many delegated sessions" },
  TooManyExports: { status: 429, sentence: "too many exports of this wallet" },
  TooManyRecoveryPublicKeys: { status: 400, sentence: "too many recovery public keys" },
  TooManyWallets: { status: 400, sentence: "too many wallets of type EVM" },
  TransactionNotSigned: { status: 409, sentence: "the co-signer has not signed this transaction" },
  Unavailable: { status: 503, sentence: "service unavailable" },
  UnknownPasskey: { status: 401, sentence: "unknown passkey" },
  UnsupportedWalletType: { status: 400, sentence: "unsupported wallet type" },
  UserAlreadyExists: { status: 409, sentence: "user already exists" },
  UserFrozen: { status: 403, sentence: "user is frozen" },
  WalletBeingCreated: { status: 409, sentence: "wallet is being created elsewhere" },
  WalletDoesNotExist: { status: 404, sentence: "wallet with id 5b1f6c2d does not exist" },
  WalletExists: { status: 409, sentence: "wallet exists already" },
  WalletNotFound: { status: 404, sentence: "wallet not found" },
  WalletNotOwned: { status: 404, sentence: "wallet with id 5b1f6c2d is not owned by the current user" },
  WalletNotSupported: { status: 400, sentence: "wallet with id 5b1f6c2d and type EVM is not supported, supported types are: SOLANA" },
  WalletSchemeNotSelectable: { status: 400, sentence: "wallet with id 5b1f6c2d and scheme DKLS cannot be selected" },
  WalletTypeNotSelectable: { status: 400, sentence: "wallet with id 5b1f6c2d and type EVM cannot be selected" },
  WalletTypeNotSupported: { status: 400, sentence: "wallet type SUI is not supported" },
} as const

export type ErrorCode =
  | 'AddressNotInWallet'
  | 'AnotherRunInProgress'
  | 'ApiKeyRequired'
  | 'BackupsMissing'
  | 'BlindSigningRefused'
  | 'BodyTooLarge'
  | 'BroadcastRefused'
  | 'CapsuleRefused'
  | 'ChainNotConfigured'
  | 'ChainUnavailable'
  | 'Conflict'
  | 'ContentDiffers'
  | 'CosignerBusy'
  | 'DecisionRefused'
  | 'DelegationNotAllowed'
  | 'DeniedByPolicy'
  | 'DeviceKeyIsSet'
  | 'DeviceNotAttached'
  | 'DeviceNotCertified'
  | 'DeviceSignatureRequired'
  | 'DigestDiffers'
  | 'ExportNotAllowed'
  | 'FrameRefused'
  | 'HeadersTooLarge'
  | 'IdempotencyKeyReused'
  | 'InternalError'
  | 'InvalidAuthObject'
  | 'InvalidCredential'
  | 'InvalidDelegation'
  | 'InvalidFrame'
  | 'InvalidKeyShare'
  | 'InvalidPassword'
  | 'InvalidRecoveryPublicKey'
  | 'InvalidRequest'
  | 'InvalidSessionJwt'
  | 'InvalidSessionKeys'
  | 'InvalidTransaction'
  | 'InvalidVerificationCode'
  | 'InvalidWalletParams'
  | 'InvalidWalletScheme'
  | 'KeyShareLocked'
  | 'KeyShareOutOfDate'
  | 'LinkExpired'
  | 'LocationHintsNeedIdentity'
  | 'LoginKeyInUse'
  | 'LoginKeyMismatch'
  | 'MalformedRequest'
  | 'NoSignedInUser'
  | 'NoValidWallet'
  | 'NoValidWalletId'
  | 'NotBuilt'
  | 'NotDelegated'
  | 'NotFound'
  | 'NotReviewer'
  | 'OpenerNotProven'
  | 'OperationNotOffered'
  | 'OriginNotAllowed'
  | 'OtherAccount'
  | 'PartnerFrozen'
  | 'PayloadNotSupported'
  | 'PhoneNotOffered'
  | 'PregenWalletNotSelectable'
  | 'ProtocolIdUsed'
  | 'ProviderShareLost'
  | 'RequestStillRunning'
  | 'RequestTooSlow'
  | 'ReviewDecided'
  | 'ReviewNotSupported'
  | 'RootKeyDiffers'
  | 'RunLost'
  | 'SchemeNotOffered'
  | 'SharesIncomplete'
  | 'SigningNotAsked'
  | 'StaticFileUnavailable'
  | 'StepOutOfOrder'
  | 'StepUpRequired'
  | 'TooManyAttempts'
  | 'TooManyDelegations'
  | 'TooManyExports'
  | 'TooManyRecoveryPublicKeys'
  | 'TooManyWallets'
  | 'TransactionNotSigned'
  | 'Unavailable'
  | 'UnknownPasskey'
  | 'UnsupportedWalletType'
  | 'UserAlreadyExists'
  | 'UserFrozen'
  | 'WalletBeingCreated'
  | 'WalletDoesNotExist'
  | 'WalletExists'
  | 'WalletNotFound'
  | 'WalletNotOwned'
  | 'WalletNotSupported'
  | 'WalletSchemeNotSelectable'
  | 'WalletTypeNotSelectable'
  | 'WalletTypeNotSupported'

/** The refusals of each response. */
type Of = {
  readonly InvalidAuthObject: 'InvalidAuthObject' | 'InvalidRequest' | 'PhoneNotOffered'
  readonly ApiKeyRequired: 'ApiKeyRequired' | 'NoSignedInUser'
  readonly NotAllowed: 'DeviceSignatureRequired' | 'OpenerNotProven' | 'DelegationNotAllowed' | 'NotDelegated' | 'OriginNotAllowed' | 'PartnerFrozen' | 'StepUpRequired' | 'UserFrozen'
  readonly NotFound: 'NotFound' | 'NoValidWallet' | 'WalletDoesNotExist' | 'WalletNotFound' | 'WalletNotOwned'
  readonly UserAlreadyExists: 'UserAlreadyExists' | 'Conflict' | 'OtherAccount'
  readonly BodyTooLarge: 'BodyTooLarge'
  readonly IdempotencyKeyReused: 'IdempotencyKeyReused'
  readonly TooManyAttempts: 'TooManyAttempts' | 'TooManyExports'
  readonly Unavailable: 'Unavailable' | 'ChainUnavailable' | 'CosignerBusy' | 'RequestStillRunning' | 'StaticFileUnavailable'
  readonly BadRequest: 'InvalidRequest' | 'AddressNotInWallet' | 'InvalidAuthObject' | 'InvalidCredential' | 'InvalidKeyShare' | 'InvalidRecoveryPublicKey' | 'InvalidTransaction' | 'InvalidWalletParams' | 'InvalidWalletScheme' | 'NoValidWalletId' | 'PayloadNotSupported' | 'PregenWalletNotSelectable' | 'SharesIncomplete' | 'TooManyRecoveryPublicKeys' | 'UnsupportedWalletType' | 'WalletNotSupported' | 'WalletSchemeNotSelectable' | 'WalletTypeNotSelectable'
  readonly NoSignedInUser: 'NoSignedInUser' | 'ApiKeyRequired'
  readonly NotImplemented: 'NotBuilt'
  readonly UnsupportedWalletType: 'UnsupportedWalletType' | 'InvalidRequest' | 'SchemeNotOffered' | 'TooManyWallets' | 'WalletTypeNotSupported'
  readonly InvalidVerificationCode: 'InvalidVerificationCode' | 'InvalidAuthObject' | 'InvalidRequest'
  readonly InvalidSessionKeys: 'InvalidSessionKeys' | 'InvalidRequest'
  readonly SessionKeysAreSet: 'DeviceKeyIsSet' | 'LoginKeyInUse'
  readonly InvalidSessionJwt: 'InvalidSessionJwt' | 'ApiKeyRequired'
  readonly InvalidDelegation: 'InvalidDelegation' | 'InvalidRequest' | 'TooManyDelegations'
  readonly DelegationRefused: 'DelegationNotAllowed' | 'DeviceNotCertified' | 'DeviceSignatureRequired' | 'NotDelegated' | 'OriginNotAllowed' | 'PartnerFrozen' | 'UserFrozen'
  readonly OpenerNotProven: 'OpenerNotProven' | 'ExportNotAllowed' | 'DelegationNotAllowed' | 'NotDelegated' | 'OriginNotAllowed' | 'PartnerFrozen' | 'UserFrozen'
  readonly LinkExpired: 'LinkExpired'
  readonly KeyShareLocked: 'KeyShareLocked'
  readonly LoginKeyMismatch: 'LoginKeyMismatch'
  readonly OtherAccount: 'OtherAccount' | 'Conflict' | 'UserAlreadyExists'
  readonly UnknownPasskey: 'UnknownPasskey' | 'NoSignedInUser'
  readonly InvalidCredential: 'InvalidCredential' | 'InvalidRequest'
  readonly LocationHintsNeedIdentity: 'LocationHintsNeedIdentity' | 'InvalidAuthObject' | 'InvalidRequest'
  readonly InvalidPassword: 'InvalidPassword' | 'NoSignedInUser'
  readonly InvalidWalletScheme: 'InvalidWalletScheme'
  readonly ExportRefused: 'DeviceNotCertified' | 'ExportNotAllowed' | 'DelegationNotAllowed' | 'NotDelegated' | 'OriginNotAllowed' | 'PartnerFrozen' | 'StepUpRequired' | 'UserFrozen'
  readonly WalletBusy: 'AnotherRunInProgress' | 'BackupsMissing' | 'CapsuleRefused' | 'DeviceNotAttached' | 'KeyShareOutOfDate' | 'ProtocolIdUsed' | 'ProviderShareLost' | 'ReviewNotSupported' | 'TransactionNotSigned' | 'RunLost' | 'SigningNotAsked' | 'StepOutOfOrder' | 'WalletBeingCreated' | 'WalletExists'
  readonly SendRefused: 'InvalidRequest' | 'AddressNotInWallet' | 'BroadcastRefused' | 'ChainNotConfigured' | 'InvalidTransaction' | 'InvalidWalletParams' | 'PayloadNotSupported' | 'PregenWalletNotSelectable' | 'WalletNotSupported' | 'WalletSchemeNotSelectable' | 'WalletTypeNotSelectable'
  readonly DeniedByPolicy: 'DeniedByPolicy' | 'BlindSigningRefused' | 'DeviceSignatureRequired' | 'DelegationNotAllowed' | 'NotDelegated' | 'OriginNotAllowed' | 'PartnerFrozen' | 'UserFrozen'
  readonly WalletNotFound: 'WalletDoesNotExist' | 'NoValidWallet' | 'NotFound' | 'WalletNotOwned'
  readonly ReviewDecided: 'ReviewDecided' | 'ContentDiffers' | 'NotReviewer'
  readonly DecisionRefused: 'DecisionRefused' | 'PartnerFrozen'
  readonly InvalidFrame: 'InvalidFrame' | 'AddressNotInWallet' | 'BroadcastRefused' | 'ChainNotConfigured' | 'DigestDiffers' | 'InvalidRequest' | 'OperationNotOffered' | 'PayloadNotSupported'
  readonly FrameRefused: 'FrameRefused' | 'BlindSigningRefused' | 'DeniedByPolicy' | 'DeviceNotCertified' | 'DelegationNotAllowed' | 'NotDelegated' | 'OriginNotAllowed' | 'PartnerFrozen' | 'RootKeyDiffers' | 'UserFrozen'
}

/** The refusals that each operation documents. */
export type ErrorsOf = {
  readonly createUser: Of['InvalidAuthObject' | 'ApiKeyRequired' | 'NotAllowed' | 'NotFound' | 'UserAlreadyExists' | 'BodyTooLarge' | 'IdempotencyKeyReused' | 'TooManyAttempts' | 'Unavailable']
  readonly checkUserExists: Of['InvalidAuthObject' | 'ApiKeyRequired' | 'NotAllowed' | 'TooManyAttempts' | 'Unavailable']
  readonly verifyTelegram: Of['BadRequest' | 'NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'BodyTooLarge' | 'TooManyAttempts' | 'NotImplemented' | 'Unavailable']
  readonly getSupportedAuthMethods: Of['InvalidAuthObject' | 'ApiKeyRequired' | 'NotAllowed' | 'NotFound' | 'TooManyAttempts' | 'Unavailable']
  readonly loginExternalWallet: Of['UnsupportedWalletType' | 'ApiKeyRequired' | 'NotAllowed' | 'BodyTooLarge' | 'TooManyAttempts' | 'NotImplemented' | 'Unavailable']
  readonly getUser: Of['NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'TooManyAttempts' | 'Unavailable']
  readonly deleteUser: Of['NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'BodyTooLarge' | 'TooManyAttempts' | 'NotImplemented' | 'Unavailable']
  readonly verifyEmail: Of['InvalidVerificationCode' | 'NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'BodyTooLarge' | 'TooManyAttempts' | 'Unavailable']
  readonly verifyIdentifier: Of['InvalidVerificationCode' | 'NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'BodyTooLarge' | 'TooManyAttempts' | 'NotImplemented' | 'Unavailable']
  readonly verifyExternalWallet: Of['BadRequest' | 'NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'BodyTooLarge' | 'TooManyAttempts' | 'NotImplemented' | 'Unavailable']
  readonly listOAuthAccounts: Of['BadRequest' | 'NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'TooManyAttempts' | 'NotImplemented' | 'Unavailable']
  readonly resendVerificationCode: Of['BadRequest' | 'NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'UserAlreadyExists' | 'BodyTooLarge' | 'TooManyAttempts' | 'Unavailable']
  readonly resendVerificationCodeByPhone: Of['BadRequest' | 'NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'BodyTooLarge' | 'TooManyAttempts' | 'NotImplemented' | 'Unavailable']
  readonly login: Of['InvalidAuthObject' | 'ApiKeyRequired' | 'NotAllowed' | 'BodyTooLarge' | 'TooManyAttempts' | 'NotImplemented' | 'Unavailable']
  readonly verifyLoginEmail: Of['InvalidVerificationCode' | 'NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'BodyTooLarge' | 'TooManyAttempts' | 'NotImplemented' | 'Unavailable']
  readonly touchSession: Of['BadRequest' | 'ApiKeyRequired' | 'NotAllowed' | 'BodyTooLarge' | 'TooManyAttempts' | 'Unavailable']
  readonly getSessionOrigin: Of['NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'TooManyAttempts' | 'Unavailable']
  readonly registerSessionKeys: Of['InvalidSessionKeys' | 'NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'SessionKeysAreSet' | 'BodyTooLarge' | 'TooManyAttempts' | 'Unavailable']
  readonly keepSessionAlive: Of['NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'BodyTooLarge' | 'TooManyAttempts' | 'Unavailable']
  readonly createSessionJwt: Of['NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'BodyTooLarge' | 'TooManyAttempts' | 'Unavailable']
  readonly verifySessionJwt: Of['BadRequest' | 'InvalidSessionJwt' | 'NotAllowed' | 'BodyTooLarge' | 'TooManyAttempts' | 'Unavailable']
  readonly getJwks: Of['TooManyAttempts' | 'Unavailable']
  readonly logout: Of['NotAllowed' | 'TooManyAttempts' | 'Unavailable']
  readonly listDelegations: Of['NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'TooManyAttempts' | 'Unavailable']
  readonly createDelegation: Of['InvalidDelegation' | 'NoSignedInUser' | 'DelegationRefused' | 'NotFound' | 'BodyTooLarge' | 'TooManyAttempts' | 'Unavailable']
  readonly endDelegation: Of['NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'BodyTooLarge' | 'TooManyAttempts' | 'Unavailable']
  readonly createOpening: Of['BadRequest' | 'ApiKeyRequired' | 'OpenerNotProven' | 'NotFound' | 'LinkExpired' | 'BodyTooLarge' | 'KeyShareLocked' | 'TooManyAttempts' | 'Unavailable']
  readonly getOpening: Of['BadRequest' | 'NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'TooManyAttempts' | 'Unavailable']
  readonly createOpeningTicket: Of['BadRequest' | 'NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'LinkExpired' | 'BodyTooLarge' | 'TooManyAttempts' | 'Unavailable']
  readonly createOpeningToken: Of['BadRequest' | 'ApiKeyRequired' | 'OpenerNotProven' | 'NotFound' | 'LoginKeyMismatch' | 'LinkExpired' | 'BodyTooLarge' | 'KeyShareLocked' | 'TooManyAttempts' | 'Unavailable']
  readonly beatOpening: Of['BadRequest' | 'NotFound' | 'LinkExpired' | 'BodyTooLarge' | 'TooManyAttempts' | 'Unavailable']
  readonly closeOpening: Of['BadRequest' | 'NotFound' | 'LinkExpired' | 'BodyTooLarge' | 'TooManyAttempts' | 'Unavailable']
  readonly redeemOpening: Of['BadRequest' | 'NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'OtherAccount' | 'LinkExpired' | 'BodyTooLarge' | 'TooManyAttempts' | 'Unavailable']
  readonly createPasskey: Of['BadRequest' | 'NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'UserAlreadyExists' | 'BodyTooLarge' | 'IdempotencyKeyReused' | 'TooManyAttempts' | 'Unavailable']
  readonly listPasskeys: Of['NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'TooManyAttempts' | 'Unavailable']
  readonly getUserPasskeyChallenge: Of['NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'TooManyAttempts' | 'Unavailable']
  readonly verifyUserPasskey: Of['BadRequest' | 'UnknownPasskey' | 'NotAllowed' | 'NotFound' | 'BodyTooLarge' | 'TooManyAttempts' | 'Unavailable']
  readonly getPasskey: Of['NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'TooManyAttempts' | 'Unavailable']
  readonly updatePasskey: Of['InvalidCredential' | 'NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'UserAlreadyExists' | 'LinkExpired' | 'BodyTooLarge' | 'TooManyAttempts' | 'Unavailable']
  readonly getPasskeyLocationHints: Of['LocationHintsNeedIdentity' | 'ApiKeyRequired' | 'NotAllowed' | 'NotFound' | 'TooManyAttempts' | 'Unavailable']
  readonly getPasskeyChallenge: Of['InvalidAuthObject' | 'NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'LinkExpired' | 'TooManyAttempts' | 'Unavailable']
  readonly verifyPasskey: Of['BadRequest' | 'UnknownPasskey' | 'NotAllowed' | 'NotFound' | 'LinkExpired' | 'BodyTooLarge' | 'TooManyAttempts' | 'Unavailable']
  readonly listPasswords: Of['InvalidAuthObject' | 'NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'TooManyAttempts' | 'Unavailable']
  readonly createPassword: Of['BadRequest' | 'NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'UserAlreadyExists' | 'BodyTooLarge' | 'IdempotencyKeyReused' | 'TooManyAttempts' | 'Unavailable']
  readonly updatePassword: Of['InvalidCredential' | 'NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'UserAlreadyExists' | 'LinkExpired' | 'BodyTooLarge' | 'TooManyAttempts' | 'Unavailable']
  readonly verifyPassword: Of['BadRequest' | 'InvalidPassword' | 'NotAllowed' | 'NotFound' | 'LinkExpired' | 'BodyTooLarge' | 'TooManyAttempts' | 'Unavailable']
  readonly listWallets: Of['BadRequest' | 'NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'TooManyAttempts' | 'Unavailable']
  readonly createWallet: Of['UnsupportedWalletType' | 'NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'BodyTooLarge' | 'IdempotencyKeyReused' | 'TooManyAttempts' | 'Unavailable']
  readonly listAllWallets: Of['BadRequest' | 'NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'LinkExpired' | 'TooManyAttempts' | 'Unavailable']
  readonly setWallets: Of['BadRequest' | 'NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'OtherAccount' | 'LinkExpired' | 'BodyTooLarge' | 'TooManyAttempts' | 'Unavailable']
  readonly getWalletBalance: Of['BadRequest' | 'NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'TooManyAttempts' | 'NotImplemented' | 'Unavailable']
  readonly getCapsuleShare: Of['InvalidWalletScheme' | 'NoSignedInUser' | 'ExportRefused' | 'NotFound' | 'WalletBusy' | 'LinkExpired' | 'KeyShareLocked' | 'TooManyAttempts' | 'Unavailable']
  readonly distributeCapsuleShare: Of['BadRequest' | 'NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'BodyTooLarge' | 'TooManyAttempts' | 'Unavailable']
  readonly downloadBackupKit: Of['NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'TooManyAttempts' | 'NotImplemented' | 'Unavailable']
  readonly acceptScopes: Of['BadRequest' | 'NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'BodyTooLarge' | 'TooManyAttempts' | 'NotImplemented' | 'Unavailable']
  readonly listPregenWallets: Of['BadRequest' | 'ApiKeyRequired' | 'NotAllowed' | 'NotFound' | 'TooManyAttempts' | 'Unavailable']
  readonly createPregenWallet: Of['BadRequest' | 'ApiKeyRequired' | 'NotAllowed' | 'NotFound' | 'WalletBusy' | 'BodyTooLarge' | 'IdempotencyKeyReused' | 'TooManyAttempts' | 'NotImplemented' | 'Unavailable']
  readonly claimPregenWallets: Of['BadRequest' | 'NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'WalletBusy' | 'BodyTooLarge' | 'IdempotencyKeyReused' | 'TooManyAttempts' | 'NotImplemented' | 'Unavailable']
  readonly updatePregenWallet: Of['BadRequest' | 'ApiKeyRequired' | 'NotAllowed' | 'NotFound' | 'WalletBusy' | 'BodyTooLarge' | 'TooManyAttempts' | 'NotImplemented' | 'Unavailable']
  readonly sendTransaction: Of['SendRefused' | 'NoSignedInUser' | 'DeniedByPolicy' | 'WalletNotFound' | 'WalletBusy' | 'BodyTooLarge' | 'IdempotencyKeyReused' | 'KeyShareLocked' | 'TooManyAttempts' | 'Unavailable']
  readonly signTransaction: Of['BadRequest' | 'NoSignedInUser' | 'DeniedByPolicy' | 'WalletNotFound' | 'WalletBusy' | 'BodyTooLarge' | 'IdempotencyKeyReused' | 'KeyShareLocked' | 'TooManyAttempts' | 'Unavailable']
  readonly signMessage: Of['BadRequest' | 'NoSignedInUser' | 'DeniedByPolicy' | 'WalletNotFound' | 'WalletBusy' | 'BodyTooLarge' | 'IdempotencyKeyReused' | 'KeyShareLocked' | 'TooManyAttempts' | 'Unavailable']
  readonly refreshKeys: Of['BadRequest' | 'NoSignedInUser' | 'DeniedByPolicy' | 'WalletNotFound' | 'WalletBusy' | 'BodyTooLarge' | 'IdempotencyKeyReused' | 'KeyShareLocked' | 'TooManyAttempts' | 'NotImplemented' | 'Unavailable']
  readonly getRefreshDone: Of['BadRequest' | 'NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'TooManyAttempts' | 'NotImplemented' | 'Unavailable']
  readonly getPendingTransaction: Of['BadRequest' | 'NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'TooManyAttempts' | 'Unavailable']
  readonly denyPendingTransaction: Of['BadRequest' | 'NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'ReviewDecided' | 'LinkExpired' | 'BodyTooLarge' | 'TooManyAttempts' | 'Unavailable']
  readonly acceptPendingTransaction: Of['BadRequest' | 'NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'ReviewDecided' | 'LinkExpired' | 'BodyTooLarge' | 'TooManyAttempts' | 'Unavailable']
  readonly getPendingTransactionToDecide: Of['BadRequest' | 'ApiKeyRequired' | 'NotAllowed' | 'NotFound' | 'TooManyAttempts' | 'Unavailable']
  readonly decidePendingTransaction: Of['BadRequest' | 'ApiKeyRequired' | 'DecisionRefused' | 'NotFound' | 'ReviewDecided' | 'BodyTooLarge' | 'TooManyAttempts' | 'Unavailable']
  readonly listWalletKeyShares: Of['BadRequest' | 'NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'TooManyAttempts' | 'Unavailable']
  readonly createWalletKeyShares: Of['BadRequest' | 'NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'WalletBusy' | 'BodyTooLarge' | 'TooManyAttempts' | 'Unavailable']
  readonly createKeyShares: Of['BadRequest' | 'NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'WalletBusy' | 'BodyTooLarge' | 'TooManyAttempts' | 'Unavailable']
  readonly listPasskeyKeyShares: Of['BadRequest' | 'NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'LinkExpired' | 'TooManyAttempts' | 'Unavailable']
  readonly listPasswordKeyShares: Of['BadRequest' | 'NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'LinkExpired' | 'TooManyAttempts' | 'Unavailable']
  readonly listTemporaryShares: Of['BadRequest' | 'NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'TooManyAttempts' | 'Unavailable']
  readonly createTemporaryShares: Of['BadRequest' | 'NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'LinkExpired' | 'BodyTooLarge' | 'TooManyAttempts' | 'Unavailable']
  readonly deleteTemporaryShares: Of['BadRequest' | 'NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'BodyTooLarge' | 'TooManyAttempts' | 'Unavailable']
  readonly listRecoveryPublicKeys: Of['BadRequest' | 'NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'BodyTooLarge' | 'TooManyAttempts' | 'Unavailable']
  readonly createRecoveryPublicKeys: Of['BadRequest' | 'NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'BodyTooLarge' | 'TooManyAttempts' | 'Unavailable']
  readonly createEncryptedWalletPrivateKey: Of['BadRequest' | 'NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'LinkExpired' | 'BodyTooLarge' | 'IdempotencyKeyReused' | 'TooManyAttempts' | 'Unavailable']
  readonly listEncryptedWalletPrivateKeys: Of['BadRequest' | 'NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'LinkExpired' | 'TooManyAttempts' | 'Unavailable']
  readonly getEncryptedWalletPrivateKey: Of['BadRequest' | 'NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'LinkExpired' | 'TooManyAttempts' | 'Unavailable']
  readonly createTemporaryTransmission: Of['BadRequest' | 'ApiKeyRequired' | 'NotAllowed' | 'NotFound' | 'BodyTooLarge' | 'TooManyAttempts' | 'Unavailable']
  readonly getTemporaryTransmission: Of['BadRequest' | 'NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'TooManyAttempts' | 'Unavailable']
  readonly startRecovery: Of['InvalidAuthObject' | 'ApiKeyRequired' | 'NotAllowed' | 'OtherAccount' | 'BodyTooLarge' | 'TooManyAttempts' | 'NotImplemented' | 'Unavailable']
  readonly verifyRecovery: Of['InvalidVerificationCode' | 'NoSignedInUser' | 'NotAllowed' | 'OtherAccount' | 'BodyTooLarge' | 'TooManyAttempts' | 'NotImplemented' | 'Unavailable']
  readonly cancelRecovery: Of['InvalidAuthObject' | 'ApiKeyRequired' | 'NotAllowed' | 'BodyTooLarge' | 'TooManyAttempts' | 'NotImplemented' | 'Unavailable']
  readonly initRecovery: Of['InvalidAuthObject' | 'ApiKeyRequired' | 'NotAllowed' | 'OtherAccount' | 'BodyTooLarge' | 'TooManyAttempts' | 'NotImplemented' | 'Unavailable']
  readonly verifyRecoveryEmail: Of['InvalidVerificationCode' | 'NoSignedInUser' | 'NotAllowed' | 'OtherAccount' | 'BodyTooLarge' | 'TooManyAttempts' | 'NotImplemented' | 'Unavailable']
  readonly verifyRecoveryIdentifier: Of['InvalidVerificationCode' | 'NoSignedInUser' | 'NotAllowed' | 'OtherAccount' | 'BodyTooLarge' | 'TooManyAttempts' | 'NotImplemented' | 'Unavailable']
  readonly completeRecovery: Of['BadRequest' | 'NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'WalletBusy' | 'BodyTooLarge' | 'TooManyAttempts' | 'NotImplemented' | 'Unavailable']
  readonly finishRecovery: Of['BadRequest' | 'NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'WalletBusy' | 'BodyTooLarge' | 'IdempotencyKeyReused' | 'TooManyAttempts' | 'NotImplemented' | 'Unavailable']
  readonly listRecoveryKeyShares: Of['BadRequest' | 'NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'TooManyAttempts' | 'NotImplemented' | 'Unavailable']
  readonly getTwoFactorStatus: Of['NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'TooManyAttempts' | 'NotImplemented' | 'Unavailable']
  readonly setupTwoFactor: Of['NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'BodyTooLarge' | 'TooManyAttempts' | 'NotImplemented' | 'Unavailable']
  readonly enableTwoFactor: Of['InvalidVerificationCode' | 'NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'BodyTooLarge' | 'TooManyAttempts' | 'NotImplemented' | 'Unavailable']
  readonly verifyTwoFactor: Of['InvalidVerificationCode' | 'NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'BodyTooLarge' | 'TooManyAttempts' | 'NotImplemented' | 'Unavailable']
  readonly initFarcaster: Of['BadRequest' | 'NoSignedInUser' | 'NotAllowed' | 'BodyTooLarge' | 'TooManyAttempts' | 'NotImplemented' | 'Unavailable']
  readonly getFarcasterStatus: Of['BadRequest' | 'NoSignedInUser' | 'NotAllowed' | 'BodyTooLarge' | 'TooManyAttempts' | 'NotImplemented' | 'Unavailable']
  readonly startOAuth: Of['BadRequest' | 'ApiKeyRequired' | 'NotFound' | 'TooManyAttempts' | 'NotImplemented' | 'Unavailable']
  readonly getPartner: Of['ApiKeyRequired' | 'NotAllowed' | 'NotFound' | 'TooManyAttempts' | 'Unavailable']
  readonly getConversionRate: Of['BadRequest' | 'ApiKeyRequired' | 'NotAllowed' | 'NotFound' | 'TooManyAttempts' | 'NotImplemented' | 'Unavailable']
  readonly getGasEstimate: Of['BadRequest' | 'ApiKeyRequired' | 'NotAllowed' | 'NotFound' | 'TooManyAttempts' | 'NotImplemented' | 'Unavailable']
  readonly getGasOracle: Of['BadRequest' | 'ApiKeyRequired' | 'NotAllowed' | 'NotFound' | 'TooManyAttempts' | 'NotImplemented' | 'Unavailable']
  readonly getOnRampConfig: Of['BadRequest' | 'ApiKeyRequired' | 'NotAllowed' | 'NotFound' | 'TooManyAttempts' | 'NotImplemented' | 'Unavailable']
  readonly createWalletPurchase: Of['BadRequest' | 'NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'BodyTooLarge' | 'IdempotencyKeyReused' | 'TooManyAttempts' | 'NotImplemented' | 'Unavailable']
  readonly getWalletPurchase: Of['BadRequest' | 'NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'BodyTooLarge' | 'TooManyAttempts' | 'NotImplemented' | 'Unavailable']
  readonly updateWalletPurchase: Of['BadRequest' | 'NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'BodyTooLarge' | 'TooManyAttempts' | 'NotImplemented' | 'Unavailable']
  readonly createExternalWalletPurchase: Of['BadRequest' | 'NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'BodyTooLarge' | 'IdempotencyKeyReused' | 'TooManyAttempts' | 'NotImplemented' | 'Unavailable']
  readonly getExternalWalletPurchase: Of['BadRequest' | 'NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'BodyTooLarge' | 'TooManyAttempts' | 'NotImplemented' | 'Unavailable']
  readonly updateExternalWalletPurchase: Of['BadRequest' | 'NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'BodyTooLarge' | 'TooManyAttempts' | 'NotImplemented' | 'Unavailable']
  readonly signWalletMoonpayUrl: Of['BadRequest' | 'NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'BodyTooLarge' | 'TooManyAttempts' | 'NotImplemented' | 'Unavailable']
  readonly signExternalWalletMoonpayUrl: Of['BadRequest' | 'NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'BodyTooLarge' | 'TooManyAttempts' | 'NotImplemented' | 'Unavailable']
  readonly generateOffRamp: Of['BadRequest' | 'NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'BodyTooLarge' | 'IdempotencyKeyReused' | 'TooManyAttempts' | 'NotImplemented' | 'Unavailable']
  readonly sendOffRamp: Of['BadRequest' | 'NoSignedInUser' | 'NotAllowed' | 'NotFound' | 'BodyTooLarge' | 'IdempotencyKeyReused' | 'TooManyAttempts' | 'NotImplemented' | 'Unavailable']
  readonly exchangeFrame: Of['InvalidFrame' | 'NoSignedInUser' | 'FrameRefused' | 'WalletNotFound' | 'WalletBusy' | 'BodyTooLarge' | 'KeyShareLocked' | 'TooManyAttempts' | 'Unavailable']
  readonly getCosignerKeys: Of['TooManyAttempts' | 'Unavailable']
  readonly reportSdkError: Of['BadRequest' | 'ApiKeyRequired' | 'NotAllowed' | 'BodyTooLarge' | 'TooManyAttempts' | 'Unavailable']
  readonly reportReactSdkUse: Of['BadRequest' | 'ApiKeyRequired' | 'NotAllowed' | 'BodyTooLarge' | 'TooManyAttempts' | 'NotImplemented' | 'Unavailable']
  readonly getPrimeWorker: Of['NotFound' | 'Unavailable']
  readonly getMpcModule: Of['NotFound' | 'Unavailable']
  readonly getMpcWorkerBundle: Of['NotFound' | 'Unavailable']
}
