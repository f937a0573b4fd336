import * as fc from 'fast-check'
import * as Result from 'effect/Result'
import { describe, expect, it } from 'vitest'
import * as Credential from '../../../domain/model/Credential.ts'
import { toAuthObject } from '../../../domain/model/Identity.ts'
import { identity } from './arbitrary.ts'

describe('passkeys and passwords', () => {
  it('a new passkey record starts PENDING with platform WEB', () => {
    expect(Credential.newPasskey).toEqual({ status: 'PENDING', type: 'WEB' })
    expect(Credential.newPassword).toEqual({ status: 'PENDING' })
  })

  it('supported-auth-methods says PASSWORD and BIOMETRIC; the enumeration is PASSWORD and PASSKEY', () => {
    expect(Credential.authMethods.map(Credential.toWire)).toEqual(['PASSWORD', 'BIOMETRIC'])
    expect(Credential.wireAuthMethods.map(Credential.fromWire)).toEqual(['PASSWORD', 'PASSKEY'])
  })

  it('biometric location hints need one identity', () => {
    fc.assert(
      fc.property(identity, (identity) => {
        const hints = Credential.identityForHints(identity)

        if (identity.kind !== 'userId') expect(Result.getOrThrow(hints)).toEqual(toAuthObject(identity))
        else expect(hints).toEqual(Result.fail(new Credential.LocationHintsNeedIdentity()))
      }),
    )
    expect(Result.getOrThrow(Result.flip(Credential.identityForHints(undefined)))).toBeInstanceOf(
      Credential.LocationHintsNeedIdentity,
    )
  })
})
