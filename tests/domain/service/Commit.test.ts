import { utf8ToBytes } from '@noble/hashes/utils.js'
import { utf8 } from '@scure/base'
import { describe, expect, it } from 'vitest'
import * as Commit from '../../../domain/service/Commit.ts'

const root = { rootPublicKey: 'aa', wrappedRootKey: 'bb', rootSignature: 'cc' }
const commit = {
  userId: 'ada',
  currentWalletIds: { EVM: ['w1', 'w2'] },
  needsWallet: true,
  deviceCertificate: 'dd',
  sealedResult: null,
} as const

const credentials: readonly (readonly [string, Commit.CredentialCommit | null, string])[] = [
  [
    'a password',
    {
      kind: 'PASSWORD',
      id: 'p',
      completion: {
        ...root,
        sigDerivedPublicKey: 'ee',
        salt: 'ff',
        kdf: { algorithm: 'argon2id', memoryKiB: 65_536, iterations: 3, parallelism: 1 },
        encryptedWalletPrivateKey: 'e',
        encryptionKeyHash: 'h',
        sealedVerifier: Uint8Array.of(9, 171),
      },
      recoverySignature: '0a',
    },
    '{"kind":"PASSWORD","id":"p","completion":{"rootPublicKey":"aa","wrappedRootKey":"bb","rootSignature":"cc",' +
      '"sigDerivedPublicKey":"ee","salt":"ff","kdf":{"algorithm":"argon2id","memoryKiB":65536,"iterations":3,' +
      '"parallelism":1},"encryptedWalletPrivateKey":"e","encryptionKeyHash":"h","sealedVerifier":{"$bytes":"09ab"}},' +
      '"recoverySignature":"0a"}',
  ],
  [
    'a passkey',
    {
      kind: 'BIOMETRICS',
      id: 'k',
      completion: {
        ...root,
        credentialId: 'c',
        sigDerivedPublicKey: 'ee',
        authenticatorKey: Uint8Array.of(1, 2),
        aaguid: 'a',
        counter: 0,
        rpId: 'localhost',
        variant: 'prf',
      },
      recoverySignature: null,
    },
    '{"kind":"BIOMETRICS","id":"k","completion":{"rootPublicKey":"aa","wrappedRootKey":"bb","rootSignature":"cc",' +
      '"credentialId":"c","sigDerivedPublicKey":"ee","authenticatorKey":{"$bytes":"0102"},"aaguid":"a","counter":0,' +
      '"rpId":"localhost","variant":"prf"},"recoverySignature":null}',
  ],
  ['no credential', null, 'null'],
]

const stored = (credential: string): string =>
  '{"userId":"ada","currentWalletIds":{"EVM":["w1","w2"]},"needsWallet":true,"deviceCertificate":"dd",' +
  `"sealedResult":null,"credential":${credential}}`

describe('a deferred commit', () => {
  it.each(credentials)('with %s is stored as it always was', (_, credential, text) => {
    expect(utf8.encode(Commit.encode({ ...commit, credential }))).toBe(stored(text))
    expect(Commit.decode(utf8ToBytes(stored(text)))).toEqual({ ...commit, credential })
  })

  it.each(['{', stored('{"kind":"SECRET"}'), stored(credentials[1]?.[2].replace('0102', 'SECRET') ?? '')])(
    'that cannot be read is a defect that names its column alone: %s',
    (text) => {
      expect(() => Commit.decode(utf8ToBytes(text))).toThrow(
        /^what is stored in openings\.deferred_commit is not what this service writes there$/,
      )
    },
  )
})
