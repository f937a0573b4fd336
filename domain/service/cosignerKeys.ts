/** The co-signer's frame keys: what clients read of them, and their rotation (domain/crypto/README.md#rotation-of-the-co-signers-key). */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import * as Clock from 'effect/Clock'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as CosignerKey from '../crypto/CosignerKey.ts'
import type { Link } from '../crypto/CosignerLink.ts'
import { associatedDataOf, cosignerKeyLimits, signingAt, type CosignerKey as StoredKey } from './CosignerKey.ts'
import { byOperator } from './operator.ts'
import { CosignerEngine } from './ports/CosignerEngine.ts'
import { CosignerKeys } from './ports/CosignerKeys.ts'
import { SecureRandom } from './ports/SecureRandom.ts'
import { Vault } from './ports/Vault.ts'

/** The links by which clients walk from a key that they pin to the newest one. Keys and signatures are hex. */
export const getCosignerKeys = Effect.fn('cosignerKeys.get')(function* () {
  const { name } = yield* (yield* CosignerEngine).identity
  const keys = yield* (yield* CosignerKeys).ofName(name)
  const links = keys.flatMap(({ publicKey: newPublicKey, from, replaces }) => {
    if (replaces === undefined) return []
    const { publicKey: oldPublicKey, isCompromised, signature } = replaces
    return [{ oldPublicKey, newPublicKey, from, isCompromised, signature }]
  })
  return { name, links }
})

/** A key as operators see it. */
export type KeyStatus = {
  /** hex(8) */
  readonly id: string
  /** hex(65) */
  readonly publicKey: string
  /** In milliseconds since 1970; 0 for the first key. */
  readonly from: number
  /** REPLACED: its secret half is still there. RETIRED: it is not. */
  readonly state: 'PUBLISHED' | 'SIGNING' | 'REPLACED' | 'RETIRED'
  /** REPLACED, and no process can sign by it any more. */
  readonly isRetirable: boolean
  /** Whether it was replaced because another than the co-signer may have used it. */
  readonly isCompromised: boolean
}

/** Oldest first. */
export const cosignerKeyStatus = Effect.fn('cosignerKeys.status')(function* (name: string) {
  const keys = yield* (yield* CosignerKeys).ofName(name)
  return statusOf(keys, yield* Clock.currentTimeMillis)
})

export const statusOf = (keys: readonly StoredKey[], now: number): readonly KeyStatus[] => {
  const signing = signingAt(keys, now)
  return keys.map((key, index) => {
    const next = keys[index + 1]
    const state = stateOf(key, signing, now)
    return {
      id: idOf(key),
      publicKey: key.publicKey,
      from: key.from,
      state,
      isRetirable: state === 'REPLACED' && next !== undefined && next.from + settleMs <= now,
      isCompromised: next?.replaces?.isCompromised === true,
    }
  })
}

const stateOf = (key: StoredKey, signing: StoredKey | undefined, now: number): KeyStatus['state'] => {
  if (key === signing) return 'SIGNING'
  if (key.from > now) return 'PUBLISHED'
  return key.sealed.length > 0 ? 'REPLACED' : 'RETIRED'
}

const idOf = ({ publicKey }: StoredKey): string => bytesToHex(sha256(hexToBytes(publicKey)).subarray(0, 8))

/**
 * Makes the next key, which begins to sign after `published` milliseconds: by then every process knows it. Called again
 * meanwhile, it answers the one that is coming. `isCompromised`: another than the co-signer may have used the key that
 * signs now. Refused with `CosignerKeyRefused`.
 */
export const rotateCosignerKey = (name: string, isCompromised: boolean, reason: string | undefined) =>
  byOperator(
    { event: 'cosigner_key.rotation', subject: name, detail: { isCompromised } },
    reason,
    rotate(name, isCompromised),
  )

const rotate = Effect.fn('cosignerKeys.rotate')(function* (name: string, isCompromised: boolean) {
  const port = yield* CosignerKeys
  const now = yield* Clock.currentTimeMillis
  const keys = yield* port.ofName(name)
  const newest = keys.at(-1)
  if (newest === undefined) return yield* refused(`No co-signer of the name '${name}' has started on this database.`)
  if (newest.from > now) {
    if (!isCompromised || newest.replaces?.isCompromised === true) return { id: idOf(newest), from: newest.from }
    return yield* refused(
      `Key ${idOf(newest)} signs ${inMinutes(newest.from - now)}; call this again then.`,
      'too early',
    )
  }
  const waitMs = newest.replaces === undefined || isCompromised ? 0 : newest.from + settleMs - now
  if (waitMs > 0)
    return yield* refused(
      `Key ${idOf(newest)} took over a moment ago; it can be replaced ${inMinutes(waitMs)}, or at once with --compromised.`,
      'too early',
    )
  const { rotations, ordinaryRotations } = cosignerKeyLimits
  const had = keys.length - 1
  if (had >= rotations) return yield* refused(`The key was rotated ${had} times, and devices read no more links.`)
  if (had >= ordinaryRotations && !isCompromised)
    return yield* refused(
      `The key was rotated ${had} times; the ${rotations - had} more are for one that is compromised.`,
    )
  const next = yield* successor(name, newest, { from: now + cosignerKeyLimits.published, isCompromised })
  if (!(yield* port.add(name, next, now))) return yield* refused('Another call has just made the next key.')
  return { id: idOf(next), from: next.from }
})

/** A new key, and what the one before says of it. */
const successor = Effect.fnUntraced(function* (
  name: string,
  before: StoredKey,
  { from, isCompromised }: Pick<Link, 'from' | 'isCompromised'>,
) {
  const vault = yield* Vault
  const secretKey = yield* (yield* SecureRandom).bytes(CosignerKey.secretKeyLength)
  const newKey = CosignerKey.publicKeyOf(secretKey)
  const oldSecretKey = yield* vault
    .open(associatedDataOf(name, before), before.sealed)
    .pipe(Effect.catch(() => refused(`The ring does not open key ${idOf(before)}, which has to sign the next one.`)))
  const link = { name, oldKey: hexToBytes(before.publicKey), newKey, from, isCompromised }
  const { signature } = CosignerKey.signLink(oldSecretKey, link)
  oldSecretKey.fill(0)
  const next = {
    publicKey: bytesToHex(newKey),
    sealed: new Uint8Array(0),
    from,
    replaces: { publicKey: before.publicKey, isCompromised, signature: bytesToHex(signature) },
  }
  const sealed = yield* vault.seal(associatedDataOf(name, next), secretKey)
  secretKey.fill(0)
  return { ...next, sealed }
})

/**
 * Forgets the secret half of a replaced key. Devices that were away do not need it: the link that it signed stays.
 * Refused with `CosignerKeyRefused` until no process can sign by it any more.
 */
export const retireCosignerKey = (name: string, id: string, reason: string | undefined) =>
  byOperator({ event: 'cosigner_key.retirement', subject: name, detail: { key: id } }, reason, retire(name, id))

const retire = Effect.fn('cosignerKeys.retire')(function* (name: string, id: string) {
  const port = yield* CosignerKeys
  const keys = yield* port.ofName(name)
  const key = keys.find((one) => idOf(one) === id)
  if (key === undefined) return yield* refused(`The co-signer '${name}' has no key ${id}.`, 'no such key')
  const next = keys.find(({ replaces }) => replaces?.publicKey === key.publicKey)
  const now = yield* Clock.currentTimeMillis
  if (next === undefined) return yield* refused(`Key ${id} is the newest; rotate it first.`)
  const waitMs = next.from + settleMs - now
  if (waitMs > 0) return yield* refused(`Key ${id} may still sign; it can go ${inMinutes(waitMs)}.`, 'too early')
  yield* port.retire(name, key.publicKey)
  return { id }
})

/** Longer than any process goes on with what it knew of the keys, clocks that differ included. */
const settleMs = 10 * 60_000

const inMinutes = (ms: number) => (ms > 60_000 ? `in ${Math.ceil(ms / 60_000)} minutes` : 'in a minute')

type Why = 'too early' | 'no such key'

const refused = (message: string, why?: Why) => new CosignerKeyRefused({ message, why })

/** Why a key was not rotated or retired, as a sentence; `why` where more than the sentence helps. */
export class CosignerKeyRefused extends Data.TaggedError('CosignerKeyRefused')<{
  readonly message: string
  readonly why?: Why | undefined
}> {}
