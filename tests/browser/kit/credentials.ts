/** The three ways in which a person can protect wallets, each as what they do in the portal's windows. */
import type { Browser, BrowserContext, Page } from 'playwright'
import { textNeedle, type Needle } from '../../service/needles.ts'
import { makeKeyring, startPhone } from './passkeys.ts'
import { button, createPassword, enterPassword } from './person.ts'
import { newPassword } from './visitor.ts'

export type Credential = {
  /** What the person brings to every browser. */
  readonly prepare: (context: BrowserContext) => Promise<unknown> | void
  readonly signUp: { readonly choice: string; readonly protect: (portal: Page) => Promise<void> }
  readonly logIn: { readonly choice: string; readonly prove: (portal: Page) => Promise<void> }
  /** What the test alone should know of it. */
  readonly secrets: readonly Needle[]
  readonly forget: () => Promise<void>
}

export const passwordOf = (password = newPassword()): Credential => ({
  prepare: () => undefined,
  signUp: { choice: 'Use a password', protect: (portal) => createPassword(portal, password) },
  logIn: { choice: 'Sign in with your password', prove: (portal) => enterPassword(portal, password) },
  secrets: [textNeedle('password', password)],
  forget: async () => undefined,
})

/** With PRF: on a phone, whose answers reach every browser. */
export const phonePasskey = async (browser: Browser): Promise<Credential> => {
  const phone = await startPhone(browser, { hasPrf: true })
  return {
    prepare: phone.pair,
    signUp: { choice: 'Use a passkey', protect: (portal) => button(portal, 'Create passkey').click() },
    logIn: { choice: 'Sign in with your passkey', prove: (portal) => button(portal, 'Use passkey').click() },
    secrets: [],
    forget: phone.close,
  }
}

/** Without PRF: the credential itself is in every browser, and its user handle is what wraps. */
export const carriedPasskey = (keyring = makeKeyring({ hasPrf: false })): Credential => ({
  prepare: keyring.carry,
  signUp: {
    choice: 'Use a passkey',
    protect: async (portal) => {
      await keyring.of(portal)
      await button(portal, 'Create passkey').click()
    },
  },
  logIn: {
    choice: 'Sign in with your passkey',
    prove: async (portal) => {
      await keyring.of(portal)
      await button(portal, 'Use passkey').click()
    },
  },
  secrets: [],
  forget: async () => undefined,
})
