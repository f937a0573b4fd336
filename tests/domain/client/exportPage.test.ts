import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import * as Cause from 'effect/Cause'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Fiber from 'effect/Fiber'
import * as Option from 'effect/Option'
import * as TestClock from 'effect/testing/TestClock'
import { describe, expect, it } from 'vitest'
import { exportingOf, type Begun } from '../../../domain/client/portal/portalSession.ts'
import * as Export from '../../../domain/crypto/Export.ts'
import * as Hpke from '../../../domain/crypto/Hpke.ts'
import type { Input } from '../../../generated/handlers.ts'
import { clocked } from '../../kit/hostStage.ts'
import { portalOrigin, sessionId, userId } from '../../kit/loginScene.ts'
import { openPage } from '../../kit/pageFlows.ts'
import { makePageStage } from '../../kit/pageStage.ts'

const walletId = 'cc0c7a10-1f6e-4c1d-9a44-0d7d8c3b1a0c'
const url = `${portalOrigin}/web/users/${userId}/wallets/${walletId}/private-key?apiKey=k&sessionId=${sessionId}`
const withoutLoginKey = { as: { loginKeyThumbprint: undefined } } as const

/** The page from its load on; its opener answers, if it does. */
const begins = (stage: ReturnType<typeof makePageStage>, isAnswered = true): Promise<Exit.Exit<Begun, unknown>> =>
  clocked(
    stage.layer,
    Effect.scoped(
      Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(openPage(), { startImmediately: true })
        yield* TestClock.adjust(0)
        const handshake = stage.handshakes[0]?.handshake
        if (handshake !== undefined && isAnswered) stage.says({ data: stage.answerTo(handshake, withoutLoginKey) })
        yield* TestClock.adjust('6 seconds')
        return yield* Fiber.await(fiber)
      }),
    ),
  )

const tokenOf = ({ calls }: ReturnType<typeof makePageStage>) =>
  calls.find(({ operation }) => operation === 'createOpeningToken')?.input as Input<'createOpeningToken'> | undefined

describe('the page of a private key', () => {
  it('greets with the hash of its own key, and sends the key with the answer that signs it', async () => {
    const [stage, other] = [makePageStage({ url }), makePageStage({ url })]

    const [exit] = [await begins(stage), await begins(other)]

    if (!Exit.isSuccess(exit) || exit.value.kind !== 'entered') throw new Error('the page was not entered')
    const own = exportingOf(exit.value.portalSession)
    const { recipientPublicKey, ...token } = tokenOf(stage)?.body ?? { recipientPublicKey: '' }
    const publicKey = hexToBytes(recipientPublicKey ?? '')
    expect(stage.handshakes[0]?.handshake).toMatchObject({ page: 'export', record: walletId })
    expect(stage.handshakes[0]?.handshake.nonce).toBe(bytesToHex(Export.nonceOf(publicKey)))
    expect(publicKey).toEqual(Hpke.publicKeyOf(own?.secretKey ?? new Uint8Array(32)))
    expect(token).toMatchObject({
      deviceSignature: own?.deviceSignature,
      hostSecretHash: bytesToHex(sha256(new Uint8Array(32).fill(2))),
    })
    expect(tokenOf(other)?.body.recipientPublicKey).not.toBe(recipientPublicKey)
  })

  it.each([
    ['without an opener', { opener: false }, true],
    ['whose opener is silent', {}, false],
    ['of an app that cannot prove itself', { opened: { mode: 'ask' } }, true],
  ] as const)('asks for no token in a window %s, and does not redirect', async (_, options, isAnswered) => {
    const stage = makePageStage({ url, ...options })

    const exit = await begins(stage, isAnswered)

    const error = Exit.isFailure(exit) ? Option.getOrUndefined(Cause.findErrorOption(exit.cause)) : undefined
    expect(error).toMatchObject({ _tag: 'OpenerMissing' })
    expect(tokenOf(stage)).toBeUndefined()
    expect(stage.place.redirected).toBe('')
  })
})
