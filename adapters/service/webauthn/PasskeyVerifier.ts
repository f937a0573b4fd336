/** WebAuthn ceremonies: @simplewebauthn/server verifies them; the checks that it lacks are here. */
import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server'
import { decodeClientDataJSON, isoBase64URL } from '@simplewebauthn/server/helpers'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { PasskeyRefused, PasskeyVerifier, type Ceremony } from '../../../domain/service/ports/PasskeyVerifier.ts'

export const PasskeyVerifierWebAuthn = Layer.succeed(
  PasskeyVerifier,
  PasskeyVerifier.of({
    register: (ceremony, { credentialId, clientDataJSON, attestationObject }) =>
      attempt(clientDataJSON, async () => {
        const { verified, registrationInfo } = await verifyRegistrationResponse({
          ...expectations(ceremony),
          response: {
            id: credentialId,
            rawId: credentialId,
            type: 'public-key',
            clientExtensionResults: {},
            response: { clientDataJSON, attestationObject },
          },
          supportedAlgorithmIDs: algorithms,
        })
        if (!verified) throw new Error('the attestation does not verify')
        const { credential, aaguid } = registrationInfo
        if (credential.id !== credentialId) throw new Error('the attestation is for another credential')
        return {
          credentialId,
          authenticatorKey: credential.publicKey,
          aaguid: aaguid.replaceAll('-', ''),
          counter: credential.counter,
        }
      }),
    assert: (ceremony, { credentialId, clientDataJSON, authenticatorData, signature }, known) =>
      attempt(clientDataJSON, async () => {
        const { verified, authenticationInfo } = await verifyAuthenticationResponse({
          ...expectations(ceremony),
          response: {
            id: credentialId,
            rawId: credentialId,
            type: 'public-key',
            clientExtensionResults: {},
            response: { clientDataJSON, authenticatorData, signature },
          },
          credential: { id: credentialId, publicKey: Uint8Array.from(known.authenticatorKey), counter: known.counter },
        })
        if (!verified) throw new Error('the assertion does not verify')
        return { counter: authenticationInfo.newCounter }
      }),
  }),
)

/** ES256 and RS256, the algorithms that the page requests. */
const algorithms = [-7, -257]

const expectations = ({ challenge, origin, rpId }: Ceremony) => ({
  expectedChallenge: isoBase64URL.fromBuffer(Uint8Array.from(challenge)),
  expectedOrigin: origin,
  expectedRPID: rpId,
  requireUserVerification: true,
})

/**
 * Any error in the authenticator's bytes is a refusal. The portal refuses to be framed, so a ceremony in a frame is not
 * its own.
 */
const attempt = <A>(clientDataJSON: string, verify: () => Promise<A>): Effect.Effect<A, PasskeyRefused> =>
  Effect.tryPromise({
    try: async () => {
      if (decodeClientDataJSON(clientDataJSON).crossOrigin === true) throw new Error('the page was framed')
      return await verify()
    },
    catch: (cause) => new PasskeyRefused({ reason: cause instanceof Error ? cause.message : 'unknown' }),
  })
