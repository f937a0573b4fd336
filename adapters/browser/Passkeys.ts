/**
 * Passkeys over navigator.credentials (WebAuthn Level 3). Fields are read by name and `toJSON` is not used: it includes
 * the user handle, which may be the wrapping secret and never leaves the page
 * (domain/crypto/README.md#passkey-keys).
 */
import { bytesToHex } from '@noble/hashes/utils.js'
import { base64, base64urlnopad } from '@scure/base'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import {
  PasskeyCancelled,
  PasskeyExists,
  PasskeyUnsupported,
  Passkeys,
  passkeyTimeoutMs,
  type CreatedPasskey,
  type NewPasskey,
  type PasskeyAssertion,
  type PasskeyRefusal,
  type PasskeyRequest,
} from '../../domain/client/ports/Passkeys.ts'

/** `rpName`: the relying party as the dialogs of a device name it. */
export const PasskeysWebAuthn = (rpName: string) =>
  Layer.succeed(Passkeys, {
    canCreate: Effect.promise(async () => {
      if (typeof PublicKeyCredential === 'undefined') return false
      return PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable().catch(() => false)
    }),
    canGet: Effect.sync(() => typeof PublicKeyCredential !== 'undefined'),
    create: (passkey) =>
      ceremony(async (signal) => {
        const made = await navigator.credentials.create({ publicKey: creation(passkey, rpName), signal })
        return isPublicKey(made) ? readCreated(made) : undefined
      }),
    get: (request) =>
      ceremony(async (signal) => {
        const given = await navigator.credentials.get({ publicKey: assertion(request), signal })
        return isPublicKey(given) ? readAssertion(given) : undefined
      }),
    forget: (rpId, credentialId) =>
      Effect.promise(async () => {
        if (typeof PublicKeyCredential === 'undefined') return
        const browser: Signalling = PublicKeyCredential
        await browser.signalUnknownCredential?.({ rpId, credentialId }).catch(() => undefined)
      }),
  })

/** Browsers from before 2025 do not have it (WebAuthn 5.1.10). */
type Signalling = Pick<typeof PublicKeyCredential, 'isUserVerifyingPlatformAuthenticatorAvailable'> & {
  readonly signalUnknownCredential?: (passkey: {
    readonly rpId: string
    readonly credentialId: string
  }) => Promise<void>
}

/** ES256, then RS256, in the order of preference. */
const es256 = -7
const rs256 = -257

const creation = (passkey: NewPasskey, rpName: string): PublicKeyCredentialCreationOptions => ({
  rp: { id: passkey.rpId, name: rpName },
  user: { id: Uint8Array.from(passkey.userHandle), name: passkey.userName, displayName: passkey.userName },
  challenge: Uint8Array.from(passkey.challenge),
  pubKeyCredParams: [es256, rs256].map((alg) => ({ type: 'public-key', alg })),
  authenticatorSelection: {
    authenticatorAttachment: 'platform',
    residentKey: 'required',
    requireResidentKey: true,
    userVerification: 'required',
  },
  attestation: 'none',
  excludeCredentials: passkey.exclude.map(descriptor),
  timeout: passkeyTimeoutMs,
  extensions: prf(passkey.prfInput),
})

const assertion = (request: PasskeyRequest): PublicKeyCredentialRequestOptions => ({
  rpId: request.rpId,
  challenge: Uint8Array.from(request.challenge),
  allowCredentials: request.allow.map(descriptor),
  userVerification: 'required',
  timeout: passkeyTimeoutMs,
  extensions: prf(request.prfInput),
})

const descriptor = (credentialId: string): PublicKeyCredentialDescriptor => ({
  type: 'public-key',
  id: Uint8Array.from(base64urlnopad.decode(credentialId)),
})

const prf = (first: Uint8Array) => ({ prf: { eval: { first: Uint8Array.from(first) } } })

const isPublicKey = (credential: Credential | null): credential is PublicKeyCredential =>
  credential instanceof PublicKeyCredential

const readCreated = (credential: PublicKeyCredential): CreatedPasskey | undefined => {
  const { response } = credential
  if (!(response instanceof AuthenticatorAttestationResponse)) return undefined
  const { clientDataJSON, attestationObject } = response
  const prfOutput = prfOutputOf(credential)
  return {
    credentialId: text(credential.rawId),
    clientDataJSON: text(clientDataJSON),
    attestationObject: text(attestationObject),
    ...aaguidOf(response),
    ...cosePublicKeyOf(response),
    hasPrf: prfOutput !== undefined || credential.getClientExtensionResults().prf?.enabled === true,
    ...(prfOutput === undefined ? {} : { prfOutput }),
  }
}

const readAssertion = (credential: PublicKeyCredential): PasskeyAssertion | undefined => {
  const { response } = credential
  if (!(response instanceof AuthenticatorAssertionResponse)) return undefined
  const prfOutput = prfOutputOf(credential)
  return {
    credentialId: text(credential.rawId),
    clientDataJSON: text(response.clientDataJSON),
    authenticatorData: text(response.authenticatorData),
    signature: text(response.signature),
    ...(response.userHandle === null ? {} : { userHandle: new Uint8Array(response.userHandle) }),
    ...(prfOutput === undefined ? {} : { prfOutput }),
  }
}

/** For browsers from before 2024, which lack `getPublicKey`. The service reads the key from the attestation. */
type Told = Partial<
  Pick<AuthenticatorAttestationResponse, 'getAuthenticatorData' | 'getPublicKey' | 'getPublicKeyAlgorithm'>
>

/** Authenticator data: rpIdHash 32, flags 1, counter 4, then the attested credential data (WebAuthn 6.1, 6.5.1). */
const aaguidAt = 37

const aaguidOf = (response: Told): Pick<CreatedPasskey, 'aaguid'> => {
  const data = response.getAuthenticatorData?.()
  return data === undefined ? {} : { aaguid: bytesToHex(new Uint8Array(data).subarray(aaguidAt, aaguidAt + 16)) }
}

const prfOutputOf = (credential: PublicKeyCredential): Uint8Array | undefined => {
  const first = credential.getClientExtensionResults().prf?.results?.first
  if (first === undefined) return undefined
  return ArrayBuffer.isView(first)
    ? Uint8Array.from(new Uint8Array(first.buffer, first.byteOffset, first.byteLength))
    : new Uint8Array(first)
}

/** The wire's form: for ES256 the 65-byte point 04 ‖ x ‖ y, for RS256 the text of an SPKI PEM. */
const cosePublicKeyOf = (response: Told): Pick<CreatedPasskey, 'cosePublicKey'> => {
  const spki = response.getPublicKey?.() ?? null
  if (spki === null) return {}
  const bytes = new Uint8Array(spki)
  if (response.getPublicKeyAlgorithm?.() === es256) return { cosePublicKey: base64urlnopad.encode(bytes.slice(-65)) }
  const lines = base64.encode(bytes).match(/.{1,64}/g) ?? []
  const pem = ['-----BEGIN PUBLIC KEY-----', ...lines, '-----END PUBLIC KEY-----', ''].join('\r\n')
  return { cosePublicKey: base64urlnopad.encode(new TextEncoder().encode(pem)) }
}

const text = (buffer: ArrayBuffer): string => base64urlnopad.encode(new Uint8Array(buffer))

/** One gesture. What browsers call their refusals says little on purpose (WebAuthn 14.5). */
const ceremony = <A>(ask: (signal: AbortSignal) => Promise<A | undefined>): Effect.Effect<A, PasskeyRefusal> =>
  Effect.tryPromise({ try: ask, catch: refusal }).pipe(
    Effect.flatMap((answer) => (answer === undefined ? Effect.fail(new PasskeyUnsupported()) : Effect.succeed(answer))),
  )

const refusal = (cause: unknown): PasskeyRefusal => {
  switch (cause instanceof Error ? cause.name : '') {
    case 'NotAllowedError':
    case 'AbortError':
    case 'UnknownError':
      return new PasskeyCancelled()
    case 'InvalidStateError':
      return new PasskeyExists()
    default:
      return new PasskeyUnsupported()
  }
}
