/** What the browser is asked for, and which parts of its answers are used (domain/client/README.md#passkey). */
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { base64urlnopad } from '@scure/base'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { PasskeysWebAuthn } from '../../../adapters/browser/Passkeys.ts'
import { Passkeys, type NewPasskey, type PasskeyRequest } from '../../../domain/client/ports/Passkeys.ts'
import { prfInput } from '../../../domain/crypto/PasskeyKeys.ts'

const bytes = (length: number) => Uint8Array.from(randomBytes(length))
const text = (of: Uint8Array) => base64urlnopad.encode(of)
const prfOutput = bytes(32)
const userHandle = bytes(32)
const credentialId = bytes(16)
const authenticatorData = bytes(80)
const known = bytes(16)

const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'der', type: 'spki' })
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'der', type: 'spki' })

class Attestation {
  clientDataJSON = Uint8Array.from([1]).buffer
  attestationObject = Uint8Array.from([2]).buffer
  algorithm = -7
  spki: Uint8Array | null = Uint8Array.from(ec)
  getAuthenticatorData = () => authenticatorData.buffer
  getPublicKey = () => this.spki && this.spki.buffer
  getPublicKeyAlgorithm = () => this.algorithm
}

class Assertion {
  clientDataJSON = Uint8Array.from([3]).buffer
  authenticatorData = authenticatorData.buffer
  signature = Uint8Array.from([4]).buffer
  userHandle: ArrayBuffer | null = userHandle.buffer
}

class PublicKeyCredentialStub {
  static isUserVerifyingPlatformAuthenticatorAvailable = async () => true
  static signalUnknownCredential = async (options: unknown) => void signalled.push(options)
  rawId = credentialId.buffer
  results: object = { prf: { enabled: true, results: { first: prfOutput.buffer } } }
  readonly response: Attestation | Assertion
  constructor(response: Attestation | Assertion) {
    this.response = response
  }
  getClientExtensionResults = () => this.results
  toJSON = () => {
    throw new Error('the JSON form has the user handle')
  }
}

const signalled: unknown[] = []
const asked: { publicKey?: unknown; signal?: AbortSignal }[] = []
let answer: () => unknown

beforeEach(() => {
  signalled.length = 0
  asked.length = 0
  const ceremony = async (options: (typeof asked)[number]) => {
    asked.push(options)
    return answer()
  }
  vi.stubGlobal('navigator', { credentials: { create: ceremony, get: ceremony } })
  vi.stubGlobal('PublicKeyCredential', PublicKeyCredentialStub)
  vi.stubGlobal('AuthenticatorAttestationResponse', Attestation)
  vi.stubGlobal('AuthenticatorAssertionResponse', Assertion)
})

afterEach(() => void vi.unstubAllGlobals())

const passkey: NewPasskey = {
  rpId: 'portal.example',
  challenge: bytes(32),
  userHandle,
  userName: 'ada@example.com',
  exclude: [text(known)],
  prfInput,
}
const request: PasskeyRequest = { rpId: 'portal.example', challenge: bytes(32), allow: [text(known)], prfInput }

const run = <A, E>(use: (passkeys: Passkeys['Service']) => Effect.Effect<A, E>) =>
  Effect.runPromise(Effect.provide(Effect.flatMap(Passkeys, use), PasskeysWebAuthn('Corner Bank')))

describe('a passkey that is made', () => {
  it('is asked for as the flows say', async () => {
    answer = () => new PublicKeyCredentialStub(new Attestation())

    await run(({ create }) => create(passkey))

    expect(asked[0]?.publicKey).toEqual({
      rp: { id: 'portal.example', name: 'Corner Bank' },
      user: { id: userHandle, name: 'ada@example.com', displayName: 'ada@example.com' },
      challenge: passkey.challenge,
      pubKeyCredParams: [
        { type: 'public-key', alg: -7 },
        { type: 'public-key', alg: -257 },
      ],
      authenticatorSelection: {
        authenticatorAttachment: 'platform',
        residentKey: 'required',
        requireResidentKey: true,
        userVerification: 'required',
      },
      attestation: 'none',
      excludeCredentials: [{ type: 'public-key', id: known }],
      timeout: 60_000,
      extensions: { prf: { eval: { first: prfInput } } },
    })
  })

  it('is read field by field, with its public key as the wire has it', async () => {
    answer = () => new PublicKeyCredentialStub(new Attestation())

    const created = await run(({ create }) => create(passkey))

    expect(created).toEqual({
      credentialId: text(credentialId),
      clientDataJSON: 'AQ',
      attestationObject: 'Ag',
      cosePublicKey: Buffer.from(ec.subarray(-65)).toString('base64url'),
      aaguid: Buffer.from(authenticatorData.subarray(37, 53)).toString('hex'),
      hasPrf: true,
      prfOutput,
    })
  })

  it.each([
    ['supports PRF but gave no output yet', { prf: { enabled: true } }, { hasPrf: true }],
    ['has none', { prf: { enabled: false } }, { hasPrf: false }],
    ['says nothing of it', {}, { hasPrf: false }],
  ])('reports that its device %s', async (_, results, expected) => {
    const credential = new PublicKeyCredentialStub(new Attestation())
    credential.results = results
    answer = () => credential

    const created = await run(({ create }) => create(passkey))

    expect(created).toMatchObject(expected)
    expect(created).not.toHaveProperty('prfOutput')
  })

  it('has its public key as PEM for RS256, and none where the browser does not give the key', async () => {
    const [rs256, silent] = [new Attestation(), new Attestation()]
    Object.assign(rs256, { algorithm: -257, spki: Uint8Array.from(rsa) })
    silent.spki = null

    answer = () => new PublicKeyCredentialStub(rs256)
    const { cosePublicKey = '' } = await run(({ create }) => create(passkey))
    answer = () => new PublicKeyCredentialStub(silent)
    const other = await run(({ create }) => create(passkey))

    const pem = Buffer.from(cosePublicKey, 'base64url').toString()
    expect(pem).toMatch(/^-----BEGIN PUBLIC KEY-----\r\n[\s\S]+\r\n-----END PUBLIC KEY-----\r\n$/)
    expect(Buffer.from(pem.replace(/-----.*-----/g, ''), 'base64').equals(rsa)).toBe(true)
    expect(other).not.toHaveProperty('cosePublicKey')
  })
})

describe('a passkey that is used', () => {
  it('is asked for as the flows say, and left to the device where the request names none', async () => {
    answer = () => new PublicKeyCredentialStub(new Assertion())

    await run(({ get }) => get(request))
    await run(({ get }) => get({ ...request, allow: [] }))

    const common = {
      rpId: 'portal.example',
      challenge: request.challenge,
      userVerification: 'required',
      timeout: 60_000,
      extensions: { prf: { eval: { first: prfInput } } },
    }
    expect(asked.map(({ publicKey }) => publicKey)).toEqual([
      { ...common, allowCredentials: [{ type: 'public-key', id: known }] },
      { ...common, allowCredentials: [] },
    ])
  })

  it('is read field by field', async () => {
    answer = () => new PublicKeyCredentialStub(new Assertion())

    const used = await run(({ get }) => get(request))

    expect(used).toEqual({
      credentialId: text(credentialId),
      clientDataJSON: 'Aw',
      authenticatorData: text(authenticatorData),
      signature: 'BA',
      userHandle,
      prfOutput,
    })
  })

  it('may lack the user handle and the PRF output', async () => {
    const assertion = new Assertion()
    assertion.userHandle = null
    const credential = new PublicKeyCredentialStub(assertion)
    credential.results = {}
    answer = () => credential

    const used = await run(({ get }) => get(request))

    expect(Object.keys(used).sort()).toEqual(['authenticatorData', 'clientDataJSON', 'credentialId', 'signature'])
  })
})

describe('a browser', () => {
  const has = (isAvailable: () => Promise<boolean>) => {
    const available = vi.spyOn(PublicKeyCredentialStub, 'isUserVerifyingPlatformAuthenticatorAvailable')
    available.mockImplementation(isAvailable)
    return run(({ canCreate, canGet }) => Effect.all([canCreate, canGet])).finally(() => available.mockRestore())
  }

  it('makes passkeys where the device has a lock, and uses those of a telephone where it has none', async () => {
    expect(await has(async () => true)).toEqual([true, true])
    expect(await has(async () => false)).toEqual([false, true])
    expect(await has(() => Promise.reject(new Error('asked too often')))).toEqual([false, true])
  })

  it('need not give the public key and the model', async () => {
    const old = new Attestation()
    Object.assign(old, { getAuthenticatorData: undefined, getPublicKey: undefined, getPublicKeyAlgorithm: undefined })
    answer = () => new PublicKeyCredentialStub(old)

    const created = await run(({ create }) => create(passkey))

    expect(Object.keys(created).sort()).toEqual([
      'attestationObject',
      'clientDataJSON',
      'credentialId',
      'hasPrf',
      'prfOutput',
    ])
  })
})

describe('a gesture', () => {
  it.each([
    ['NotAllowedError', 'PasskeyCancelled'],
    ['AbortError', 'PasskeyCancelled'],
    ['UnknownError', 'PasskeyCancelled'],
    ['InvalidStateError', 'PasskeyExists'],
    ['NotSupportedError', 'PasskeyUnsupported'],
    ['SecurityError', 'PasskeyUnsupported'],
    ['ConstraintError', 'PasskeyUnsupported'],
  ])('that ends in %s is %s', async (name, tag) => {
    answer = () => {
      throw new DOMException('what browsers say differs', name)
    }

    const error = await run(({ create }) => Effect.flip(create(passkey)))

    expect(error._tag).toBe(tag)
  })

  it('is unsupported where the browser knows no credentials', async () => {
    vi.stubGlobal('navigator', {})
    vi.stubGlobal('PublicKeyCredential', undefined)

    expect((await run(({ get }) => Effect.flip(get(request))))._tag).toBe('PasskeyUnsupported')
    expect(await run(({ canCreate }) => canCreate)).toBe(false)
    expect(await run(({ canGet }) => canGet)).toBe(false)
    await expect(run(({ forget }) => forget('portal.example', text(known)))).resolves.toBeUndefined()
  })

  it('ends with the page that asked for it', async () => {
    answer = () => new Promise(() => undefined)
    const controller = new AbortController()
    const exit = Effect.runPromiseExit(
      Effect.provide(
        Effect.flatMap(Passkeys, ({ get }) => get(request)),
        PasskeysWebAuthn('Corner Bank'),
      ),
      { signal: controller.signal },
    )
    await vi.waitFor(() => expect(asked).toHaveLength(1), { timeout: 10_000, interval: 5 })

    controller.abort()

    expect(Exit.hasInterrupts(await exit)).toBe(true)
    expect(asked[0]?.signal?.aborted).toBe(true)
  })
})

describe('a passkey that the service does not know', () => {
  it('is reported to the browser under the browser’s form of the id', async () => {
    await run(({ forget }) => forget('portal.example', text(known)))

    expect(signalled).toEqual([{ rpId: 'portal.example', credentialId: text(known) }])
  })
})
