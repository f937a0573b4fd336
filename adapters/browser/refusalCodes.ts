/** The part of the page react/pack/ERRORS.md that says what refusals of the service mean to an app. */
import type { ErrorCode, SdkErrorCode } from './SdkError.ts'

/** `sentence` is absent where the service has one under the same code. */
export type Explained = { readonly sentence?: string; readonly cause: string; readonly mend: string }

export const again = 'Call it again.'
export const logIn = 'Let the user log in again.'
export const another = 'Take another wallet: `getWallets` has those of the user.'
export const ours = 'Tell the operator: the SDK and the service do not go together.'
export const wait = 'Wait a little, then call it again.'

/** The refusals of the service for which the SDK has no error of its own. */
export const ofService: { readonly [Code in Exclude<ErrorCode, SdkErrorCode>]: Omit<Explained, 'sentence'> } = {
  AnotherRunInProgress: {
    cause: 'Another run of this wallet is under way, in another window or on another device.',
    mend: wait,
  },
  BackupsMissing: { cause: 'The wallet has no backups yet.', mend: 'Call `finishSetup`.' },
  BlindSigningRefused: {
    cause: 'The partner’s setting or policy allows no bare digests.',
    mend: 'Sign the message, the typed data or the transaction itself.',
  },
  BodyTooLarge: { cause: 'What is to be signed is larger than the service takes.', mend: 'Give less.' },
  BroadcastRefused: {
    cause: 'The chain’s node refused the transaction; the sentence has its reason.',
    mend: 'Mend the transaction, for example its fee. Where its nonce is used, look on the chain by what before another one pays.',
  },
  CapsuleRefused: {
    cause: 'The provider’s half could not be brought back from what this device keeps of it.',
    mend: logIn,
  },
  ChainNotConfigured: {
    cause: 'The operator has named no node for the chain.',
    mend: 'Sign the transaction and send it yourself, or ask the operator for the chain.',
  },
  ChainUnavailable: { cause: 'The chain’s node does not answer.', mend: wait },
  Conflict: { cause: 'Another call has changed the same thing meanwhile.', mend: again },
  ContentDiffers: {
    cause: 'The transaction to be sent is not what the review holds.',
    mend: 'Give the transaction that was reviewed.',
  },
  CosignerBusy: { cause: 'The co-signer has too much to do.', mend: wait },
  DecisionRefused: { cause: 'The decision on a review is not proven.', mend: 'Let the user decide again.' },
  DelegationNotAllowed: { cause: 'The partner allows no delegated sessions.', mend: 'Do not offer it.' },
  DeniedByPolicy: {
    cause: 'The partner’s policy forbids to sign it.',
    mend: 'Do not sign it, or have the partner change the policy.',
  },
  DeviceKeyIsSet: {
    cause: 'The session has a device key already, which this browser has lost.',
    mend: 'Let the user log out, and log in again.',
  },
  DeviceNotAttached: { cause: 'The device has not been enrolled for this wallet.', mend: again },
  DeviceNotCertified: { cause: 'The user’s root key has not certified this device.', mend: logIn },
  DeviceSignatureRequired: {
    cause: 'The request was not signed by the session’s device key: the browser has cleared its storage.',
    mend: logIn,
  },
  DigestDiffers: { cause: 'A digest is not that of the payload beside it.', mend: ours },
  ExportNotAllowed: { cause: 'The partner allows no export of private keys.', mend: 'Do not offer it.' },
  FrameRefused: { cause: 'A message of a protocol is not signed by this device.', mend: logIn },
  HeadersTooLarge: {
    cause: 'The request’s headers are too large.',
    mend: 'Send fewer cookies and shorter headers to the service.',
  },
  IdempotencyKeyReused: { cause: 'An idempotency key was used for another request.', mend: ours },
  InternalError: { cause: 'The service has a defect.', mend: 'Call it again later; tell the operator the time.' },
  InvalidCredential: {
    cause: 'A password or passkey is not as the service takes it.',
    mend: 'Let the user make another one.',
  },
  InvalidDelegation: {
    cause: 'A delegation is not signed by this device, or outlives its certificate.',
    mend: logIn,
  },
  InvalidFrame: { cause: 'A message of a protocol cannot be read.', mend: ours },
  InvalidKeyShare: { cause: 'A key share is not as the service takes it.', mend: ours },
  InvalidPassword: { cause: 'The password is wrong.', mend: 'Let the user type it again.' },
  InvalidRecoveryPublicKey: { cause: 'A recovery key is not as the service takes it.', mend: ours },
  InvalidRequest: {
    cause: 'A field of the request is not as the contract has it; the sentence names it.',
    mend: 'Check the arguments of the call.',
  },
  InvalidSessionJwt: { cause: 'A JWT of a session is not valid.', mend: 'Ask for another one with `getToken`.' },
  InvalidSessionKeys: { cause: 'Keys of a session are not as the service takes them.', mend: ours },
  InvalidTransaction: { cause: 'The transaction cannot be read.', mend: 'Give it in the form of its chain’s tools.' },
  InvalidVerificationCode: {
    cause: 'The mailed code is wrong or no longer valid.',
    mend: 'Let the user type it again, or call `resendVerificationCode`.',
  },
  InvalidWalletParams: {
    cause: 'A request names one wallet in its path and another one in its body.',
    mend: ours,
  },
  KeyShareOutOfDate: { cause: 'New shares were made for the wallet on another device.', mend: logIn },
  LinkExpired: {
    cause: 'A page of the portal is over: its ten minutes have passed, it has finished, or its session has ended.',
    mend: 'Call it again: it opens another page.',
  },
  LocationHintsNeedIdentity: { cause: 'Hints of passkeys were asked for without an identity.', mend: ours },
  LoginKeyInUse: { cause: 'The login key belongs to another session.', mend: logIn },
  LoginKeyMismatch: { cause: 'The login key is not that of the session.', mend: logIn },
  MalformedRequest: { cause: 'The request is no JSON.', mend: ours },
  NoValidWallet: { cause: 'The user has no wallet that can do it.', mend: 'Call `createWallet`.' },
  NotBuilt: {
    cause: 'This service has not built the operation, or a stand-in of a test has not built the verb.',
    mend: 'Do not offer it; give the stand-in `verbs`.',
  },
  NotFound: {
    cause: 'There is no such thing at the service, or a short link was opened before or is older than ten minutes.',
    mend: 'Check the ids of the call, and `hosts`; make another short link.',
  },
  NotReviewer: { cause: 'The review is decided by someone else.', mend: 'Wait for the decision of the partner.' },
  OperationNotOffered: { cause: 'The deployment does not offer the operation.', mend: 'Do not offer it.' },
  OriginNotAllowed: {
    cause: 'The page’s origin is not among those of its API key.',
    mend: 'The console has the command with which the operator adds it.',
  },
  OtherAccount: {
    cause: 'A sign-up of another user than the one whose address this session has proven.',
    mend: 'Call `logout` first.',
  },
  PartnerFrozen: { cause: 'The operator has frozen the partner.', mend: 'Ask the operator.' },
  PayloadNotSupported: {
    cause: 'The service does not sign payloads of this kind.',
    mend: 'Give a kind that it signs.',
  },
  PhoneNotOffered: { cause: 'Sign-up by phone is not built.', mend: 'Take an e-mail address.' },
  ProtocolIdUsed: { cause: 'A protocol’s id was used before.', mend: 'Give a new `protocolId`.' },
  ProviderShareLost: {
    cause: 'The provider has lost its half of the key, and this device cannot give it back.',
    mend:
      'Let the user sign once on the device that made the wallet or last refreshed its shares: it gives the half back. ' +
      'Do not log out there or clear its data before. No other device can, and no recovery. Tell the operator.',
  },
  RequestStillRunning: { cause: 'The same request is still being computed.', mend: wait },
  RequestTooSlow: { cause: 'The connection is too slow for the request.', mend: again },
  ReviewDecided: { cause: 'The review was decided before.', mend: 'Look whether it was done; else call it again.' },
  ReviewNotSupported: {
    cause: 'The wallet’s client cannot wait for reviews.',
    mend: 'Use this SDK instead of a client of your own.',
  },
  RootKeyDiffers: { cause: 'The user’s root key is not that of this device.', mend: logIn },
  RunLost: { cause: 'The co-signer was restarted during the protocol.', mend: again },
  SchemeNotOffered: { cause: 'The deployment makes no wallets of this scheme.', mend: 'Leave `scheme` out.' },
  SharesIncomplete: { cause: 'Not every wallet has a share in the backup.', mend: ours },
  SigningNotAsked: { cause: 'The run was not announced before it began.', mend: ours },
  StaticFileUnavailable: { cause: 'A file of the service is not as it was built.', mend: 'Tell the operator.' },
  StepOutOfOrder: { cause: 'A message of a protocol came twice or too early.', mend: again },
  StepUpRequired: {
    cause: 'The step needs the user’s password or passkey once more.',
    mend: 'Let the user log in again.',
  },
  TooManyAttempts: {
    cause: 'The limit of tries or requests is reached.',
    mend: 'Wait some minutes, then call it again.',
  },
  TooManyDelegations: {
    cause: 'The user has 20 delegated sessions at this partner that are alive.',
    mend: 'End those that no server needs: `listDelegations` has them, `endDelegation` ends one.',
  },
  TooManyExports: { cause: 'The wallet’s key was exported too often.', mend: 'Offer it again later.' },
  TooManyRecoveryPublicKeys: { cause: 'The user has too many recovery keys.', mend: ours },
  TooManyWallets: { cause: 'The user has as many wallets of the type as the service makes.', mend: 'Use one of them.' },
  TransactionNotSigned: {
    cause: 'The transaction to be sent was not signed by the co-signer.',
    mend: 'Sign it with this SDK.',
  },
  Unavailable: { cause: 'The service cannot do it now.', mend: wait },
  UnknownPasskey: {
    cause: 'The passkey is of no user of this deployment.',
    mend: 'Let the user take another passkey, or the password.',
  },
  UserAlreadyExists: { cause: 'A user has this e-mail address.', mend: 'Call `login`.' },
  UserFrozen: { cause: 'The operator has frozen the user.', mend: 'Tell the person to ask the operator.' },
  WalletBeingCreated: { cause: 'Another device is making the wallet.', mend: wait },
  WalletExists: { cause: 'The wallet is there already.', mend: '`getWallets` has it.' },
}
