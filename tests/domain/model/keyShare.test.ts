import { describe, expect, it } from 'vitest'
import * as KeyShare from '../../../domain/model/KeyShare.ts'
import { schemes } from '../../../domain/model/Wallet.ts'

describe('key shares', () => {
  it('normal keygen produces a recovery share; pregen or Ed25519 keygen gives null', () => {
    const table = schemes.flatMap((scheme) =>
      [false, true].map((isPregen) => [scheme, isPregen, KeyShare.givesRecoveryShare({ scheme, isPregen })]),
    )

    expect(table).toEqual([
      ['DKLS', false, true],
      ['DKLS', true, false],
      ['CGGMP', false, true],
      ['CGGMP', true, false],
      ['ED25519', false, false],
      ['ED25519', true, false],
    ])
  })

  it('a backup names the key of its own encryptor', () => {
    const backup = {
      walletId: 'w',
      encryptedShare: 'ab',
      type: KeyShare.backupType,
      recoveryPublicKeyId: 'recovery',
      biometricPublicKey: 'passkey',
      passwordId: 'password',
    }

    expect(KeyShare.wireEncryptors.map((encryptor) => KeyShare.keyReference({ ...backup, encryptor }))).toEqual([
      undefined,
      'recovery',
      'passkey',
      'password',
    ])
    expect(
      KeyShare.wireEncryptors.map((encryptor) =>
        KeyShare.keyReference({ walletId: 'w', encryptedShare: 'ab', type: 'USER', encryptor }),
      ),
    ).toEqual([undefined, undefined, undefined, undefined])
  })
})
