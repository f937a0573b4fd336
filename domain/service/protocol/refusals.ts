/** Why a frame is refused. `openapi/errors.yaml` has the statuses. */
import * as Data from 'effect/Data'

/** The request is ahead of its turn, or its header differs from the one that the run began with. */
export class StepOutOfOrder extends Data.TaggedError('StepOutOfOrder') {
  override readonly message = 'step out of order'
}

/** Another session holds the lease of the key generation. */
export class WalletBeingCreated extends Data.TaggedError('WalletBeingCreated') {
  override readonly message = 'wallet is being created elsewhere'
}

export class WalletExists extends Data.TaggedError('WalletExists') {
  override readonly message = 'wallet exists already'
}

/** The root key is not the one that the user's wallets are pinned to. */
export class RootKeyDiffers extends Data.TaggedError('RootKeyDiffers') {
  override readonly message = 'root key differs'
}

/** The device's share is not the active one. It never counts as cheating. */
export class KeyShareOutOfDate extends Data.TaggedError('KeyShareOutOfDate') {
  override readonly message = 'key share is out of date, log in again'
}

/**
 * A check of the wallet's oblivious transfers failed, or a mark outside the database locks it. A refresh after a fresh
 * login unlocks it (domain/service/protocol/README.md#bans).
 */
export class KeyShareLocked extends Data.TaggedError('KeyShareLocked') {
  override readonly message = 'key share is locked, log in again to refresh it'
}

/** There is no OT record of this device under this name. The device enrols first. */
export class DeviceNotAttached extends Data.TaggedError('DeviceNotAttached') {
  override readonly message = 'device is not attached to this wallet'
}

/**
 * The share key is lost, or the row was changed. REATTACH restores the share from the capsule of the device that made the
 * sharing. A refresh does not, nor does a recovery: both need the share.
 */
export class ProviderShareLost extends Data.TaggedError('ProviderShareLost') {
  override readonly message = 'the provider’s key share cannot be opened'
}

/** The capsule is of another wallet, key or sharing, or this co-signer did not seal it. */
export class CapsuleRefused extends Data.TaggedError('CapsuleRefused') {
  override readonly message = 'capsule refused'
}

export class AnotherRunInProgress extends Data.TaggedError('AnotherRunInProgress') {
  override readonly message = 'another run is in progress'
}

/**
 * The process or database generation that the run belonged to is gone, or the partner's policy has changed since it
 * began. The client begins a new run.
 */
export class RunLost extends Data.TaggedError('RunLost') {
  override readonly message = 'run was lost when the co-signer restarted, begin again'
}

/** A refresh does not commit while a credential or recovery key of the user lacks a backup of the new share. */
export class BackupsMissing extends Data.TaggedError('BackupsMissing') {
  override readonly message = 'key share backups are missing'
}

/** The bytes are no frame, or the body does not have its operation's form. */
export class InvalidFrame extends Data.TaggedError('InvalidFrame') {
  override readonly message = 'invalid frame'
}

/** The operation is unknown to this version, or the wallet's scheme does not have it. */
export class OperationNotOffered extends Data.TaggedError('OperationNotOffered') {
  override readonly message = 'operation is not offered'
}

/** The session has no device key, or another key signed the frame. */
export class FrameRefused extends Data.TaggedError('FrameRefused') {
  override readonly message = 'device signature refused'
}

export class DeviceNotCertified extends Data.TaggedError('DeviceNotCertified') {
  override readonly message = 'device is not certified'
}

/** The client's digest, or the transaction's own chain, differs from what the payload says. */
export class DigestDiffers extends Data.TaggedError('DigestDiffers') {
  override readonly message = 'digest differs'
}

/** The payload's kind is not supported, or the wallet's scheme cannot sign it. */
export class PayloadNotSupported extends Data.TaggedError('PayloadNotSupported') {
  override readonly message = 'payload is not supported'
}

/** A rule of the partner's policy denies it, or its policy cannot be read. The audit has the reason. */
export class DeniedByPolicy extends Data.TaggedError('DeniedByPolicy') {
  override readonly message = 'denied by policy'
}

/** The client takes an ED25519 signature without waiting for a review (domain/service/README.md#reviews). */
export class ReviewNotSupported extends Data.TaggedError('ReviewNotSupported') {
  override readonly message = 'review is not supported for this client'
}

/** Signing a bare digest needs the partner's opt-in in BETA and PROD. */
export class BlindSigningRefused extends Data.TaggedError('BlindSigningRefused') {
  override readonly message = 'signing a bare digest is not allowed'
}

/** A bare digest came, and no call said in time what it is. */
export class SigningNotAsked extends Data.TaggedError('SigningNotAsked') {
  override readonly message = 'signing was not asked for'
}
