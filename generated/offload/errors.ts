// Generated from the contract by `npm run generate`, never edited.

/** Every refusal by its name. `sentence` is an example where a refusal names its object. */
export const errors = {
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
  CosignerBusy: { status: 503, sentence: "co-signer is busy" },
  DeviceKeyIsSet: { status: 409, sentence: "device key is set" },
  DeviceNotAttached: { status: 409, sentence: "device is not attached to this wallet" },
  DeviceNotCertified: { status: 403, sentence: "device is not certified" },
  DeviceSignatureRequired: { status: 403, sentence: "device signature required" },
  DigestDiffers: { status: 400, sentence: "digest differs" },
  ExportNotAllowed: { status: 403, sentence: "private key export is not allowed" },
  FrameRefused: { status: 403, sentence: "device signature refused" },
  IdempotencyKeyReused: { status: 422, sentence: "idempotency key was used for another request" },
  InternalError: { status: 500, sentence: "internal error" },
  InvalidAuthObject: { status: 400, sentence: "invalid auth object" },
  InvalidCredential: { status: 400, sentence: "invalid credential" },
  InvalidFrame: { status: 400, sentence: "invalid frame" },
  InvalidKeyShare: { status: 400, sentence: "invalid key share" },
  InvalidPassword: { status: 401, sentence: "invalid password" },
  InvalidRecoveryPublicKey: { status: 400, sentence: "invalid recovery public key" },
  InvalidRequest: { status: 400, sentence: "body.protocolId is not as the contract has it" },
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
  NotFound: { status: 404, sentence: "not found" },
  OpenerNotProven: { status: 403, sentence: "opener not proven" },
  OperationNotOffered: { status: 400, sentence: "operation is not offered" },
  OriginNotAllowed: { status: 403, sentence: "origin not allowed" },
  OtherAccount: { status: 409, sentence: "sign out of the other account first" },
  PayloadNotSupported: { status: 400, sentence: "payload is not supported" },
  PhoneNotOffered: { status: 400, sentence: "sign-up by phone is not offered" },
  PregenWalletNotSelectable: { status: 400, sentence: "pre-generated wallet with id 5b1f6c2d cannot be selected" },
  ProtocolIdUsed: { status: 409, sentence: "protocol id was used for another request" },
  ProviderShareLost: { status: 409, sentence: "the provider’s key share cannot be opened" },
  RequestStillRunning: { status: 503, sentence: "request is still running" },
  RootKeyDiffers: { status: 403, sentence: "root key differs" },
  RunLost: { status: 409, sentence: "run was lost when the co-signer restarted, begin again" },
  SchemeNotOffered: { status: 400, sentence: "wallet scheme CGGMP is not offered by this service" },
  SharesIncomplete: { status: 400, sentence: "share count differs from wallet count" },
  SigningNotAsked: { status: 409, sentence: "signing was not asked for" },
  StaticFileUnavailable: { status: 503, sentence: "main.wasm is not as it was built" },
  StepOutOfOrder: { status: 409, sentence: "step out of order" },
  StepUpRequired: { status: 403, sentence: "a step-up is required" },
  TooManyAttempts: { status: 429, sentence: "too many attempts" },
  TooManyExports: { status: 429, sentence: "too many exports of this wallet" },
  TooManyRecoveryPublicKeys: { status: 400, sentence: "too many recovery public keys" },
  Unavailable: { status: 503, sentence: "service unavailable" },
  UnknownPasskey: { status: 401, sentence: "unknown passkey" },
  UnsupportedWalletType: { status: 400, sentence: "unsupported wallet type" },
  UserAlreadyExists: { status: 409, sentence: "user already exists" },
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

export type ErrorCode = keyof typeof errors

/** The refusals of each response. */
type Of = {
  readonly BadRequest: 'InvalidRequest' | 'InvalidAuthObject' | 'InvalidCredential' | 'InvalidKeyShare' | 'InvalidRecoveryPublicKey' | 'InvalidTransaction' | 'InvalidWalletParams' | 'InvalidWalletScheme' | 'NoValidWalletId' | 'PayloadNotSupported' | 'PregenWalletNotSelectable' | 'SharesIncomplete' | 'TooManyRecoveryPublicKeys' | 'UnsupportedWalletType' | 'WalletNotSupported' | 'WalletSchemeNotSelectable' | 'WalletTypeNotSelectable'
  readonly NotFound: 'NotFound' | 'NoValidWallet' | 'WalletDoesNotExist' | 'WalletNotFound' | 'WalletNotOwned'
  readonly TooManyAttempts: 'TooManyAttempts' | 'TooManyExports'
  readonly Unavailable: 'Unavailable' | 'ChainUnavailable' | 'CosignerBusy' | 'RequestStillRunning' | 'StaticFileUnavailable'
}

/** The refusals that each operation documents. */
export type ErrorsOf = {
  readonly createWallet: Of['BadRequest' | 'NotFound' | 'TooManyAttempts' | 'Unavailable']
  readonly sendTransaction: Of['BadRequest' | 'NotFound' | 'TooManyAttempts' | 'Unavailable']
  readonly signMessage: Of['BadRequest' | 'NotFound' | 'TooManyAttempts' | 'Unavailable']
}
