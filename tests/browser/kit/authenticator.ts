/**
 * The lock of a device, as Chromium plays one for a page (WebAuthn 11): it keeps passkeys, and its owner says yes, or no.
 * It belongs to one window: a passkey with PRF cannot move to another.
 */
import type { BrowserContext, CDPSession, Page } from 'playwright'

export type DeviceLock = {
  /** The passkeys that it keeps, with all that they are made of. */
  readonly passkeys: () => Promise<readonly Passkey[]>
  /** Keeps these as well. */
  readonly keep: (passkeys: readonly Passkey[]) => Promise<void>
  /** Another lock in its place. */
  readonly replace: (kind: LockKind) => Promise<DeviceLock>
}

export type LockKind = {
  readonly hasPrf: boolean
  /** Whether it recognises who is in front of it. One that does not is blocked after its first try. */
  readonly recognises?: boolean
}

/** As the protocol of the developer tools has it (WebAuthn.Credential). */
export type Passkey = {
  readonly credentialId: string
  readonly isResidentCredential: boolean
  readonly privateKey: string
  readonly signCount: number
  readonly rpId?: string
  readonly userHandle?: string
}

export const giveDeviceLock = async (page: Page, kind: LockKind): Promise<DeviceLock> => {
  const client = await page.context().newCDPSession(page)
  await client.send('WebAuthn.enable')
  return makeLock(client, kind)
}

const makeLock = async (client: CDPSession, { hasPrf, recognises = true }: LockKind): Promise<DeviceLock> => {
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: recognises,
      automaticPresenceSimulation: true,
      hasPrf,
    },
  })
  return {
    passkeys: async () => (await client.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
    keep: async (passkeys) => {
      for (const credential of passkeys) await client.send('WebAuthn.addCredential', { authenticatorId, credential })
    },
    replace: async (kind) => {
      await client.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
      return makeLock(client, kind)
    },
  }
}

/**
 * One window for all pages of the portal, which stays when they close it, so that its lock does. To the SDK each of them
 * is a window of its own, as they are to people.
 */
export const keepPortalWindow = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() => {
    const open = window.open.bind(window)
    window.open = (url, _, features) => open(url, 'the-portal', features)
    if (window.opener !== null) window.close = () => undefined
  })
