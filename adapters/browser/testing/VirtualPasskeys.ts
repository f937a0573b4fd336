/**
 * A person's passkeys in Chromium's virtual authenticator (https://chromedevtools.github.io/devtools-protocol/tot/WebAuthn/).
 * An authenticator is that of one window and ends with it, so what is made in one window is added to the next.
 */

/**
 * A session of the devtools protocol, as Playwright's `context.newCDPSession(page)` and Puppeteer's `page.createCDPSession()`
 * make it for a page.
 */
export interface DevtoolsSession {
  send(method: string, parameters?: object): Promise<unknown>
  on(event: string, listener: (payload: unknown) => void): unknown
}

export type VirtualPasskeys = {
  /**
   * Gives a window the passkeys, and keeps those that are made in it. Each gesture succeeds by itself. Call it for every window
   * of the portal as soon as it opens: its page asks at once whether the browser has passkeys.
   */
  readonly addTo: (session: DevtoolsSession) => Promise<void>
  /** How many there are. */
  readonly count: () => number
}

/** They have no PRF: what an authenticator computes by it cannot be taken to another window. */
export const makeVirtualPasskeys = (): VirtualPasskeys => {
  const credentials: object[] = []
  return {
    count: () => credentials.length,
    addTo: async (session) => {
      await session.send('WebAuthn.enable', { enableUI: false })
      const { authenticatorId } = (await session.send('WebAuthn.addVirtualAuthenticator', {
        options: authenticator,
      })) as Added
      for (const credential of credentials)
        await session.send('WebAuthn.addCredential', { authenticatorId, credential })
      session.on('WebAuthn.credentialAdded', (payload) => {
        credentials.push((payload as Made).credential)
      })
    },
  }
}

type Added = { readonly authenticatorId: string }
type Made = { readonly credential: object }

/** Of a screen lock that lets each gesture succeed. */
export const authenticator = {
  protocol: 'ctap2',
  ctap2Version: 'ctap2_1',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
} as const
