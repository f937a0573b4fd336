import { ed25519 } from '@noble/curves/ed25519.js'
import * as Effect from 'effect/Effect'
import * as Redacted from 'effect/Redacted'
import * as Result from 'effect/Result'
import { describe, expect, it } from 'vitest'
import { RandomWebCrypto } from '../../../adapters/browser/Random.ts'
import type { Admission, PortalSession } from '../../../domain/client/portal/portalSession.ts'
import { certify } from '../../../domain/client/portal/certify.ts'
import { recoverySignatureOf } from '../../../domain/client/portalSessionResult.ts'
import * as Opener from '../../../domain/crypto/Opener.ts'
import { hostOrigin } from '../../kit/hostStage.ts'
import { partnerId, portalOrigin, sessionId, userId } from '../../kit/loginScene.ts'
import { openingId } from '../../kit/pageStage.ts'

const secret = new Uint8Array(32).fill(1)
const recoveryPublicKey = '77'.repeat(64)
const admissions: readonly Admission[] = [
  { kind: 'opener', ticket: '01'.repeat(32), secret, recoveryPublicKey },
  { kind: 'redirect', secret, recoveryPublicKey },
]

/** A page whose host asked for a signature over a recovery key of its own. */
const portalSessionOf = (page: PortalSession['page'], admission: Admission): PortalSession => ({
  openingId,
  openingSecret: '44'.repeat(32),
  mode: 'opener',
  origin: hostOrigin,
  partner: { id: partnerId, displayName: 'Shop', policiesEnabled: false, supportedAuthMethods: [] },
  devicePublicKey: '04'.repeat(65),
  page,
  record: undefined,
  userId,
  sessionId,
  parameters: {},
  portalOrigin,
  hostOrigin,
  sessionLookupId: sessionId,
  admission,
  recipient: undefined,
  challenge: Effect.never,
  clockOffset: 0,
})

describe.each(admissions)('the root key, on a page by $kind', (admission) => {
  const certified = async (page: PortalSession['page']) => {
    const found = { userId, credentialId: partnerId, wallets: [], missing: [] }
    const flow = certify(portalSessionOf(page, admission), Redacted.make(ed25519.utils.randomSecretKey()), found)
    const said = await Effect.runPromise(Effect.provide(flow, RandomWebCrypto))
    const result = Result.getOrThrow(Opener.openResult(secret, openingId, said.sealedResult ?? ''))
    return { said, result, isSigned: recoverySignatureOf(result, recoveryPublicKey) !== undefined }
  }

  it.each(['create-password', 'create-passkey'] as const)('signs the host’s recovery key at %s', async (page) => {
    expect((await certified(page)).isSigned).toBe(true)
  })

  it.each(['login-password', 'login-passkey'] as const)('signs no recovery key at %s', async (page) => {
    const { said, result, isSigned } = await certified(page)

    expect(isSigned).toBe(false)
    expect(JSON.stringify([said, result])).not.toContain('recoverySignature')
  })
})
