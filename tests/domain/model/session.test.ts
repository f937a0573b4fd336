import * as fc from 'fast-check'
import * as Result from 'effect/Result'
import { describe, expect, it } from 'vitest'
import * as Session from '../../../domain/model/Session.ts'

const session: fc.Arbitrary<Session.Session> = fc.record({
  isAuthenticated: fc.boolean(),
  sessionId: fc.uuid(),
  sessionLookupId: fc.uuid(),
  userId: fc.constantFrom('user-1', '', null),
  needsWallet: fc.constantFrom(true, false, null),
  currentWalletIds: fc.constantFrom(null, {}, { EVM: [] }, { EVM: ['a'] }, { EVM: ['a'], SOLANA: ['b'] }),
})

const login = fc.oneof(
  fc.constant<Session.Login>({ kind: 'external-wallet' }),
  fc.record({ kind: fc.constant('session' as const), session }),
)

describe('session state', () => {
  it('a session is active for an external wallet, otherwise when authenticated', () => {
    fc.assert(
      fc.property(login, (login) => {
        const expected = login.kind === 'external-wallet' || login.session.isAuthenticated

        expect(Session.isActive(login)).toBe(expected)
      }),
    )
  })

  it('it is fully logged in when active and every current wallet has its share loaded', () => {
    fc.assert(
      fc.property(
        login,
        fc.subarray(['a', 'b', 'c']),
        fc.subarray(['a', 'b', 'c']),
        fc.subarray(['a', 'b', 'c']),
        (login, evm, solana, loaded) => {
          const expected = Session.isActive(login) && [...evm, ...solana].every((id) => loaded.includes(id))

          expect(Session.isFullyLoggedIn(login, { EVM: evm, SOLANA: solana }, (id) => loaded.includes(id))).toBe(
            expected,
          )
        },
      ),
    )
  })

  it('login needs the wallet ids, or needsWallet', () => {
    fc.assert(
      fc.property(session, (session) => {
        const hasIds = Object.values(session.currentWalletIds ?? {}).some((ids) => ids.length > 0)

        expect(Session.isReadyForWallets(session)).toBe(
          session.isAuthenticated && (hasIds || session.needsWallet === true),
        )
      }),
    )
  })

  it('login continues once the share count equals the wallet count', () => {
    expect(Session.sharesAreComplete(0, 0)).toBe(true)
    expect(Session.sharesAreComplete(2, 2)).toBe(true)
    expect(Session.sharesAreComplete(1, 2)).toBe(false)
    expect(Session.sharesAreComplete(3, 2)).toBe(false)
  })

  it('OAuth is polled until the session has a userId', () => {
    const before = { isAuthenticated: false, sessionId: 's', sessionLookupId: 'l' }

    expect([null, '', 'user-1'].map((userId) => Session.oauthUserId({ ...before, userId }))).toEqual([
      undefined,
      undefined,
      'user-1',
    ])
  })

  it("account metadata needs a session: 'no signed-in user'", () => {
    expect(Result.getOrThrow(Session.requireUser({ userId: 'user-1' }))).toBe('user-1')
    expect(Result.getOrThrow(Result.flip(Session.requireUser({ userId: null })))).toBeInstanceOf(Session.NoSignedInUser)
    expect(Result.getOrThrow(Result.flip(Session.requireUser({})))).toBeInstanceOf(Session.NoSignedInUser)
  })

  it('shares for a new device travel under the lookup id with -new-device appended', () => {
    expect(Session.newDeviceLookupId('lookup')).toBe('lookup-new-device')
  })
})
