/**
 * Passkeys of a person, in Chromium's virtual authenticator (CDP). One belongs to a single tab or window, dies with it,
 * and cannot hand on the secret of PRF: a credential that is added to another one has none. So there are two ways to
 * own one: `carry` moves the credential itself from window to window, as long as no PRF is asked for; a `Phone` keeps
 * it in one tab, where every gesture is made, and the windows of the portal get the answers.
 */
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright'
import { authenticator } from '../../../adapters/browser/testing/VirtualPasskeys.ts'
import { stack } from './stack.ts'
import { isPortal } from './person.ts'

/** As the devtools protocol hands it on: the private key, and nothing of PRF. */
export type KeptPasskey = {
  readonly credentialId: string
  readonly isResidentCredential: boolean
  readonly privateKey: string
  readonly signCount: number
  readonly rpId?: string
  readonly userHandle?: string
}

export type Authenticator = {
  readonly credentials: () => Promise<readonly KeptPasskey[]>
  /** Hears of each that is made from now on. */
  readonly onMade: (take: (credential: KeptPasskey) => void) => void
  readonly add: (credential: KeptPasskey) => Promise<void>
}

/**
 * A window gets its authenticator once it is open, and its page may have asked the browser for one before that. In this
 * context a page gets the answer that the browser has by then, or a no after ten seconds.
 */
export const awaitAuthenticators = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(askUntilAttached)

const askUntilAttached = () => {
  if (typeof PublicKeyCredential === 'undefined') return
  const ask = PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable.bind(PublicKeyCredential)
  PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable = async () => {
    for (const until = performance.now() + 10_000; performance.now() < until;) {
      if (await ask()) return true
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    return ask()
  }
}

/** The page's own one, which makes each gesture by itself. */
export const attachAuthenticator = async (
  page: Page,
  options: { readonly hasPrf: boolean },
): Promise<Authenticator> => {
  const cdp: CDPSession = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable', { enableUI: false })
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: { ...authenticator, ...options },
  })
  return {
    credentials: async () => (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
    onMade: (take) => void cdp.on('WebAuthn.credentialAdded', ({ credential }) => take(credential)),
    add: async (credential) => {
      await cdp.send('WebAuthn.addCredential', { authenticatorId, credential })
    },
  }
}

/** Credentials that a person takes along: every window that opens in these contexts has them. */
export type Keyring = {
  readonly carry: (context: BrowserContext) => Promise<unknown>
  /** The window's authenticator, once it has one. */
  readonly of: (page: Page) => Promise<Authenticator>
  readonly credentials: readonly KeptPasskey[]
}

export const makeKeyring = (options: { readonly hasPrf: boolean }): Keyring => {
  const attached = new WeakMap<Page, Promise<Authenticator>>()
  const credentials: KeptPasskey[] = []
  const attach = async (page: Page) => {
    const authenticator = await attachAuthenticator(page, options)
    for (const credential of credentials) await authenticator.add(credential)
    authenticator.onMade((credential) => credentials.push(credential))
    return authenticator
  }
  const of = (page: Page) => {
    const found = attached.get(page) ?? attach(page)
    attached.set(page, found)
    return found
  }
  return {
    credentials,
    of,
    carry: (context) => {
      // A page that closes meanwhile gets none; a test that asks for its authenticator is told why.
      context.on('page', (page) => void of(page).catch(() => undefined))
      return awaitAuthenticators(context)
    },
  }
}

/** Where the person's passkeys are: a tab of the portal's origin that stays open. */
export type Phone = {
  /** From here on, the portal's pages of this context ask it. Before the first of them opens. */
  readonly pair: (context: BrowserContext) => Promise<void>
  readonly authenticator: Authenticator
  readonly close: () => Promise<void>
}

export const startPhone = async (browser: Browser, options: { readonly hasPrf: boolean }): Promise<Phone> => {
  const own = await browser.newContext()
  const tab = await own.newPage()
  await tab.goto(`${stack().portal}/config.json`)
  const authenticator = await attachAuthenticator(tab, options)
  return {
    authenticator,
    close: () => own.close(),
    pair: async (context) => {
      await context.exposeBinding('tandemPhone', ({ page }, question: Question) => {
        if (!isPortal(page)) throw new Error('only the portal asks for passkeys')
        return tab.evaluate(answer, question)
      })
      await context.addInitScript(askPhone)
    },
  }
}

type Question = { readonly verb: 'create' | 'get'; readonly publicKey: unknown }

type Bytes = { readonly bytes: string }

type Given =
  | { readonly refusal: { readonly name: string; readonly message: string } }
  | {
      readonly id: string
      readonly rawId: Bytes
      readonly response: Readonly<Record<string, Bytes | null>>
      readonly authenticatorData: Bytes | null
      readonly publicKey: Bytes | null
      readonly algorithm: number
      readonly prf: { readonly enabled?: boolean; readonly first?: Bytes } | null
    }

declare const tandemPhone: (question: Question) => Promise<Given>

/** In the phone's tab: the gesture itself. */
const answer = async ({ verb, publicKey }: Question): Promise<Given> => {
  const base64 = (bytes: Uint8Array) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  const pack = (buffer: ArrayBuffer | null): Bytes | null =>
    buffer === null ? null : { bytes: base64(new Uint8Array(buffer)) }
  const unpack = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    if ('bytes' in value && typeof value.bytes === 'string') {
      return Uint8Array.from(atob(value.bytes), (char) => char.charCodeAt(0))
    }
    if (Array.isArray(value)) return value.map(unpack)
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, unpack(item)]))
  }
  try {
    const options = { publicKey: unpack(publicKey) } as CredentialCreationOptions & CredentialRequestOptions
    const made = (await navigator.credentials[verb](options)) as PublicKeyCredential
    const response = made.response as AuthenticatorAttestationResponse & AuthenticatorAssertionResponse
    const isNew = verb === 'create'
    const { prf } = made.getClientExtensionResults()
    return {
      id: made.id,
      rawId: pack(made.rawId) ?? { bytes: '' },
      response: {
        clientDataJSON: pack(response.clientDataJSON),
        ...(isNew
          ? { attestationObject: pack(response.attestationObject) }
          : {
              authenticatorData: pack(response.authenticatorData),
              signature: pack(response.signature),
              userHandle: pack(response.userHandle),
            }),
      },
      authenticatorData: isNew ? pack(response.getAuthenticatorData()) : null,
      publicKey: isNew ? pack(response.getPublicKey()) : null,
      algorithm: isNew ? response.getPublicKeyAlgorithm() : 0,
      prf:
        prf === undefined
          ? null
          : {
              ...(prf.enabled === undefined ? {} : { enabled: prf.enabled }),
              ...(prf.results === undefined ? {} : { first: pack(prf.results.first as ArrayBuffer) ?? { bytes: '' } }),
            },
    }
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error))
    return { refusal: { name, message } }
  }
}

/** In the portal's pages: the browser's own verbs, answered by the phone. */
const askPhone = () => {
  if (typeof PublicKeyCredential === 'undefined') return
  const pack = (value: unknown): unknown => {
    if (value instanceof ArrayBuffer) return pack(new Uint8Array(value))
    if (value instanceof Uint8Array) {
      return { bytes: btoa(Array.from(value, (byte) => String.fromCharCode(byte)).join('')) }
    }
    if (Array.isArray(value)) return value.map(pack)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, pack(item)]))
  }
  const unpack = (packed: Bytes | null) =>
    packed === null ? null : Uint8Array.from(atob(packed.bytes), (char) => char.charCodeAt(0)).buffer
  const made = (prototype: object, own: Readonly<Record<string, unknown>>): unknown =>
    Object.create(
      prototype,
      Object.fromEntries(Object.entries(own).map(([name, value]) => [name, { value, enumerable: true }] as const)),
    )
  const ask = async (verb: 'create' | 'get', publicKey: unknown) => {
    const given = await tandemPhone({ verb, publicKey: pack(publicKey) })
    if ('refusal' in given) throw new DOMException(given.refusal.message, given.refusal.name)
    const { id, rawId, response, authenticatorData, publicKey: key, algorithm, prf } = given
    const own = Object.fromEntries(Object.entries(response).map(([name, value]) => [name, unpack(value)]))
    const first = prf?.first === undefined ? {} : { results: { first: unpack(prf.first) } }
    const results = prf === null ? {} : { prf: { ...prf, ...first } }
    return made(PublicKeyCredential.prototype, {
      id,
      rawId: unpack(rawId),
      type: 'public-key',
      response:
        verb === 'get'
          ? made(AuthenticatorAssertionResponse.prototype, own)
          : made(AuthenticatorAttestationResponse.prototype, {
              ...own,
              getAuthenticatorData: () => unpack(authenticatorData),
              getPublicKey: () => unpack(key),
              getPublicKeyAlgorithm: () => algorithm,
            }),
      getClientExtensionResults: () => results,
    }) as Credential
  }
  CredentialsContainer.prototype.create = (options) => ask('create', options?.publicKey)
  CredentialsContainer.prototype.get = (options) => ask('get', options?.publicKey)
  PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable = () => Promise.resolve(true)
}
