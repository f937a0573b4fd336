/** Constants that client and service share, most of them the public client's. Times are in milliseconds. */

/** The polling interval of login, account creation, Farcaster, OAuth and review. */
export const pollIntervalMs = 2_000

/** How long a signature waits for its review unless the caller says otherwise. */
export const reviewTimeoutMs = 30_000

/** A new wallet's address: up to 10 tries, 1 s apart, in the layer that creates it … */
export const addressTries = 10
export const addressTryIntervalMs = 1_000

/** … and up to 15 s at 1 s intervals in the layer above. */
export const addressWaitMs = 15_000
export const addressWaitIntervalMs = 1_000

/** Refresh and key generation are polled each second, for 15 s. */
export const doneWaitMs = 15_000
export const doneIntervalMs = 1_000

/** A worker job without an answer is dropped after this time. */
export const workerJobExpiryMs = 90_000

/** An operation runs once and is retried at most twice, each try for 10 s. */
export const retries = 2
export const retryTimeoutMs = 10_000

/** Random bytes of the key that decrypts a backup, shown to the user as the recovery secret. */
export const backupDecryptionKeyBytes = 32

/** Random bytes of the key in a login short link. */
export const shortLinkKeyBytes = 32

/** RSA key pairs: size in bits and public exponent. */
export const rsaModulusBits = 2_048
export const rsaPublicExponent = 65_537

/** Random bytes of the AES-CBC key of one message in the hybrid envelope. */
export const messageKeyBytes = 16

/** Candidates that a prime worker tests at a time. */
export const primeWorkerWorkload = 100

/** A seeded search for primes must visit candidates in one order, so it has one worker. */
export const seededPrimeWorkers = 1

/** Human-readable prefix of Cosmos addresses where none is configured. */
export const defaultCosmosPrefix = 'cosmos'

/** Characters of an address that stay readable on each side when it is truncated. */
export const truncatedSideLength = 4

/** A longer text is not parsed as a phone number. */
export const phoneInputLength = 250

/** Digits of a national number, as E.164 and the longest German numbers have them. */
export const nationalNumberMinDigits = 2
export const nationalNumberMaxDigits = 17

/** Bytes of r and of s in an ECDSA signature over secp256k1. */
export const signatureScalarBytes = 32

/** How long a device keeps a capsule before it asks the provider whether its key was replaced. */
export const capsuleLifeMs = 7 * 24 * 60 * 60_000

/**
 * How long a device goes on taking answers under the co-signer's key that it has just replaced: clocks of several
 * co-signers differ, and one of them may sign by the earlier key for a moment longer.
 */
export const cosignerKeyOverlapMs = 60_000
