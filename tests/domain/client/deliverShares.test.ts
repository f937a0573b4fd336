import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Logger from 'effect/Logger'
import * as Redacted from 'effect/Redacted'
import { bytesToHex } from '@noble/hashes/utils.js'
import { describe, expect, it } from 'vitest'
import { openShare } from '../../../domain/client/portal/deliverShares.ts'
import type { Admission, PortalSession } from '../../../domain/client/portal/portalSession.ts'
import type { Unwrapped } from '../../../domain/client/portal/unwrapKeys.ts'
import { Rsa } from '../../../domain/client/ports/Rsa.ts'
import { makeShare, pair, partnerId, userId } from '../../kit/loginScene.ts'
import { pageSettings } from '../../kit/pageStage.ts'

const passwordId = '0f0e0d0c-0b0a-4908-8706-050403020100'
const secret = new Uint8Array(32)

/** A backup as a public client stores it, or a writer of the database: without a signature, of a share without a root key. */
const isDelivered = async (admission: Admission, strict: readonly string[]): Promise<boolean> => {
  const share = makeShare(new Uint8Array(0))
  const { walletId } = share
  const portalSession = { admission, partner: { id: partnerId } } as PortalSession
  const unwrapped: Unwrapped = {
    userId,
    credential: { kind: 'PASSWORD', recordId: passwordId, variant: '', publicKey: pair.publicKey },
    root: { seed: Redacted.make(new Uint8Array(32)), strict },
    rootPublicKey: new Uint8Array(32).fill(9),
    privateKey: pair.privateKey,
    activeShares: [],
  }
  const active = { walletId, epoch: 1, shareId: bytesToHex(share.shareId) }
  const backup = { walletId, encryptedShare: '', type: 'USER', encryptor: 'PASSWORD' } as const
  const opening = Effect.provide(openShare(portalSession, unwrapped, active, [backup]), [
    Layer.mock(Rsa, { decrypt: () => Effect.succeed(share.shareText) }),
    pageSettings,
    Logger.layer([]),
  ])
  return (await Effect.runPromise(opening)) !== undefined
}

describe('an unsigned backup of a share without a root key', () => {
  const elsewhere = 'the partner of the sign-up'

  it.each([[[]], [[elsewhere]]])(
    'is delivered after the person was asked, as to a public client: strict %j',
    async (strict) => {
      expect(await isDelivered({ kind: 'asked' }, strict)).toBe(true)
    },
  )

  it('is not delivered where the credential was made by our SDK, also after the person was asked', async () => {
    expect(await isDelivered({ kind: 'asked' }, [partnerId])).toBe(false)
  })

  it.each<Admission>([
    { kind: 'opener', ticket: '', secret },
    { kind: 'redirect', secret },
  ])('is not delivered to a host that is proven, by $kind, wherever the credential was made', async (admission) => {
    expect(await isDelivered(admission, [])).toBe(false)
    expect(await isDelivered(admission, [elsewhere])).toBe(false)
    expect(await isDelivered(admission, [partnerId])).toBe(false)
  })
})
