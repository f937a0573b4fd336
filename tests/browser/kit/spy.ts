/**
 * What stands in every page of a visitor before its own scripts: it hands on what is secret, so that it can be looked
 * for where it must not be, and tells of popups that the browser refused. It changes nothing that a page sees.
 */
import type { BrowserContext } from 'playwright'

/** `own` never leaves the browser; `kept` stands in no address, referrer, log or console; `popup` was refused. */
export type Told = {
  readonly kind: 'own' | 'kept' | 'popup'
  readonly name: string
  readonly base64: string
  /** When it happened in the page, in milliseconds since 1970. */
  readonly at: number
}

export const spyOn = async (context: BrowserContext, hear: (told: Told) => void): Promise<void> => {
  await context.exposeBinding('tandemSpy', (_, told: Told) => hear(told))
  await context.addInitScript(inPage)
}

declare const tandemSpy: (told: Told) => Promise<void>

const inPage = () => {
  const toBase64 = (bytes: Uint8Array) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  const tell = (kind: 'own' | 'kept' | 'popup', name: string, bytes: Uint8Array) =>
    void tandemSpy({ kind, name, base64: toBase64(bytes), at: performance.timeOrigin + performance.now() }).catch(
      () => undefined,
    )
  const text = (value: string) => new TextEncoder().encode(value)
  const fromHex = (digits: string) => Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16))
  const view = (source: BufferSource) =>
    source instanceof ArrayBuffer
      ? new Uint8Array(source)
      : new Uint8Array(source.buffer, source.byteOffset, source.byteLength)

  const open = window.open.bind(window)
  window.open = (...parameters) => {
    const opened = open(...parameters)
    if (opened === null) tell('popup', String(parameters[0]), text(String(parameters[1])))
    return opened
  }

  const setItem = Reflect.get(Storage.prototype, 'setItem')
  Storage.prototype.setItem = function (this: Storage, key: string, value: string) {
    tell('kept', key, text(value))
    Reflect.apply(setItem, this, [key, value])
  }

  if (typeof SubtleCrypto !== 'undefined') {
    const encrypt = Reflect.get(SubtleCrypto.prototype, 'encrypt')
    SubtleCrypto.prototype.encrypt = function (this: SubtleCrypto, ...parameters) {
      tell('own', 'sealed', view(parameters[2]))
      return Reflect.apply(encrypt, this, parameters)
    }
  }

  window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (typeof data !== 'object' || data === null || !('type' in data) || data.type !== 'tandem.answer') return
    if ('hostSecret' in data) tell('own', 'hostSecret', fromHex(String(data.hostSecret)))
    if ('ticket' in data) tell('kept', 'ticket', text(String(data.ticket)))
  })

  if (typeof CredentialsContainer !== 'undefined') {
    const listen = (credential: unknown) => {
      if (!(credential instanceof PublicKeyCredential)) return
      const first = credential.getClientExtensionResults().prf?.results?.first
      if (first !== undefined) tell('own', 'PRF output', view(first))
      const { response } = credential
      if (response instanceof AuthenticatorAssertionResponse && response.userHandle !== null) {
        tell('own', 'user handle', new Uint8Array(response.userHandle))
      }
    }
    for (const verb of ['create', 'get'] as const) {
      const own = Reflect.get(CredentialsContainer.prototype, verb)
      CredentialsContainer.prototype[verb] = async function (this: CredentialsContainer, options?: object) {
        const credential: unknown = await Reflect.apply(own, this, [options])
        listen(credential)
        return credential as Credential | null
      }
    }
  }
}
