// Generated from the contract by `npm run generate`, never edited.

/** Every refusal by its name. `sentence` is an example where a refusal names its object. */
export const errors = {
  AddressNotInWallet: { status: 400, sentence: "Address cosmos1fl48vsnmsdzcv85q5d2q4z5ajdha8yu34mf0eh not found in wallet" },
  ChainUnavailable: { status: 503, sentence: "chain 137 does not answer" },
  CosignerBusy: { status: 503, sentence: "co-signer is busy" },
  InvalidAuthObject: { status: 400, sentence: "invalid auth object" },
  InvalidCredential: { status: 400, sentence: "invalid credential" },
  InvalidKeyShare: { status: 400, sentence: "invalid key share" },
  InvalidRecoveryPublicKey: { status: 400, sentence: "invalid recovery public key" },
  InvalidRequest: { status: 400, sentence: "body.protocolId is not as the contract has it" },
  InvalidTransaction: { status: 400, sentence: "invalid transaction" },
  InvalidWalletParams: { status: 400, sentence: "invalid wallet params" },
  InvalidWalletScheme: { status: 400, sentence: "invalid wallet scheme" },
  NoValidWallet: { status: 404, sentence: "no valid Para wallet found" },
  NoValidWalletId: { status: 400, sentence: "no valid wallet id found" },
  NotFound: { status: 404, sentence: "not found" },
  PayloadNotSupported: { status: 400, sentence: "payload is not supported" },
  PregenWalletNotSelectable: { status: 400, sentence: "pre-generated wallet with id 5b1f6c2d cannot be selected" },
  RequestStillRunning: { status: 503, sentence: "request is still running" },
  SharesIncomplete: { status: 400, sentence: "share count differs from wallet count" },
  StaticFileUnavailable: { status: 503, sentence: "main.wasm is not as it was built" },
  TooManyAttempts: { status: 429, sentence: "too many attempts" },
  TooManyExports: { status: 429, sentence: "too many exports of this wallet" },
  TooManyRecoveryPublicKeys: { status: 400, sentence: "too many recovery public keys" },
  Unavailable: { status: 503, sentence: "service unavailable" },
  UnsupportedWalletType: { status: 400, sentence: "unsupported wallet type" },
  WalletDoesNotExist: { status: 404, sentence: "wallet with id 5b1f6c2d does not exist" },
  WalletNotFound: { status: 404, sentence: "wallet not found" },
  WalletNotOwned: { status: 404, sentence: "wallet with id 5b1f6c2d is not owned by the current user" },
  WalletNotSupported: { status: 400, sentence: "wallet with id 5b1f6c2d and type EVM is not supported, supported types are: SOLANA" },
  WalletSchemeNotSelectable: { status: 400, sentence: "wallet with id 5b1f6c2d and scheme DKLS cannot be selected" },
  WalletTypeNotSelectable: { status: 400, sentence: "wallet with id 5b1f6c2d and type EVM cannot be selected" },
} as const

export type ErrorCode =
  | 'AddressNotInWallet'
  | 'ChainUnavailable'
  | 'CosignerBusy'
  | 'InvalidAuthObject'
  | 'InvalidCredential'
  | 'InvalidKeyShare'
  | 'InvalidRecoveryPublicKey'
  | 'InvalidRequest'
  | 'InvalidTransaction'
  | 'InvalidWalletParams'
  | 'InvalidWalletScheme'
  | 'NoValidWallet'
  | 'NoValidWalletId'
  | 'NotFound'
  | 'PayloadNotSupported'
  | 'PregenWalletNotSelectable'
  | 'RequestStillRunning'
  | 'SharesIncomplete'
  | 'StaticFileUnavailable'
  | 'TooManyAttempts'
  | 'TooManyExports'
  | 'TooManyRecoveryPublicKeys'
  | 'Unavailable'
  | 'UnsupportedWalletType'
  | 'WalletDoesNotExist'
  | 'WalletNotFound'
  | 'WalletNotOwned'
  | 'WalletNotSupported'
  | 'WalletSchemeNotSelectable'
  | 'WalletTypeNotSelectable'

/** The refusals of each response. */
type Of = {
  readonly BadRequest: 'InvalidRequest' | 'AddressNotInWallet' | 'InvalidAuthObject' | 'InvalidCredential' | 'InvalidKeyShare' | 'InvalidRecoveryPublicKey' | 'InvalidTransaction' | 'InvalidWalletParams' | 'InvalidWalletScheme' | 'NoValidWalletId' | 'PayloadNotSupported' | 'PregenWalletNotSelectable' | 'SharesIncomplete' | 'TooManyRecoveryPublicKeys' | 'UnsupportedWalletType' | 'WalletNotSupported' | 'WalletSchemeNotSelectable' | 'WalletTypeNotSelectable'
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
