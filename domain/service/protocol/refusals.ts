/** Why a frame is refused before any arithmetic. Nothing has changed by a refused frame. */
import * as Data from 'effect/Data'

/** Ahead of its turn, or with another header than the run began with. */
export class StepOutOfOrder extends Data.TaggedError('StepOutOfOrder') {
  override readonly message = 'step out of order'
}

/** Another session holds the lease of the key generation (flows 5.3). */
export class WalletBeingCreated extends Data.TaggedError('WalletBeingCreated') {
  override readonly message = 'wallet is being created elsewhere'
}

export class WalletExists extends Data.TaggedError('WalletExists') {
  override readonly message = 'wallet exists already'
}

/** The user's wallets are pinned to one root key, and this is not it (flows 5.3). */
export class RootKeyDiffers extends Data.TaggedError('RootKeyDiffers') {
  override readonly message = 'root key differs'
}

/** The device's share is not the one that stands (flows 7). It is never counted as cheating. */
export class KeyShareOutOfDate extends Data.TaggedError('KeyShareOutOfDate') {
  override readonly message = 'key share is out of date, log in again'
}

/** A check on the wallet's oblivious transfers failed; a fresh login leads out (flows 7). */
export class KeyShareLocked extends Data.TaggedError('KeyShareLocked') {
  override readonly message = 'key share is locked, log in again to refresh it'
}

/** The device has no OT state with us under this name, or another device made it: it attaches first. */
export class DeviceNotAttached extends Data.TaggedError('DeviceNotAttached') {
  override readonly message = 'device is not attached to this wallet'
}

/** Its share key is lost, or the row is not what was sealed. The device's capsule brings it back (REATTACH). */
export class ProviderShareLost extends Data.TaggedError('ProviderShareLost') {
  override readonly message = 'the provider’s key share cannot be opened'
}

/** It is not of this wallet, key or sharing, or nothing that this co-signer sealed. */
export class CapsuleRefused extends Data.TaggedError('CapsuleRefused') {
  override readonly message = 'capsule refused'
}

export class AnotherRunInProgress extends Data.TaggedError('AnotherRunInProgress') {
  override readonly message = 'another run is in progress'
}

/** The process or the database that the run belonged to is gone. Nothing of it is left: a new run may begin. */
export class RunLost extends Data.TaggedError('RunLost') {
  override readonly message = 'run was lost when the co-signer restarted, begin again'
}

/** A refresh that would leave a credential or recovery key of the user without a backup does not commit (flows 9.4). */
export class BackupsMissing extends Data.TaggedError('BackupsMissing') {
  override readonly message = 'key share backups are missing'
}

/** Not a frame, or a body that its operation does not have. */
export class InvalidFrame extends Data.TaggedError('InvalidFrame') {
  override readonly message = 'invalid frame'
}

/** An operation of a later version, or one that the wallet's scheme does not have. */
export class OperationNotOffered extends Data.TaggedError('OperationNotOffered') {
  override readonly message = 'operation is not offered'
}

/** The session has no device key, or it is not the one that signed. */
export class FrameRefused extends Data.TaggedError('FrameRefused') {
  override readonly message = 'device signature refused'
}

export class DeviceNotCertified extends Data.TaggedError('DeviceNotCertified') {
  override readonly message = 'device is not certified'
}

/** The frame's claim, or the transaction's own chain, is not what the payload says (flows 8.1). */
export class DigestDiffers extends Data.TaggedError('DigestDiffers') {
  override readonly message = 'digest differs'
}

/** A kind that is not supported yet, or one that the wallet's scheme cannot sign. */
export class PayloadNotSupported extends Data.TaggedError('PayloadNotSupported') {
  override readonly message = 'payload is not supported'
}

/** A bare digest takes the partner's opt-in in PROD (design 8.16). */
export class BlindSigningRefused extends Data.TaggedError('BlindSigningRefused') {
  override readonly message = 'signing a bare digest is not allowed'
}

/** A bare digest came, and no call said what it is (flows 8, compat). */
export class SigningNotAsked extends Data.TaggedError('SigningNotAsked') {
  override readonly message = 'signing was not asked for'
}
