/** The portal's passkey pages, creation and login, as they are drawn in each state. */
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it, vi } from 'vitest'
import type { Form } from '../../react/portal/Form.ts'
import { CreatePasskey } from '../../react/portal/pages/CreatePasskey.tsx'
import { LoginWithPasskey } from '../../react/portal/pages/LoginWithPasskey.tsx'
import { buttonsOf, fakePortal } from './fakePortal.tsx'

// Only a browser can tell whether the window was in view.
vi.mock('../../react/portal/useDecision.ts', () => ({ useDecision: () => undefined }))

type Ready = Extract<Form['state'], { readonly status: 'ready' }>

const ready = (changes: Partial<Ready> = {}): Ready => ({
  status: 'ready',
  page: 'create-passkey',
  requester: { app: 'Shop', origin: 'https://shop.example' },
  account: 'ada@example.com',
  failure: undefined,
  passkeys: true,
  ...changes,
})

const failure = (code: string): NonNullable<Ready['failure']> => ({ code, sentence: code, retry: 'again' })

const drawn = (Page: (form: Form) => ReactNode, state: Form['state']) =>
  renderToStaticMarkup(<Page portal={fakePortal(state)} state={state} />)

describe('the page that makes a passkey', () => {
  it('says what a passkey is, where it is kept, whose it is and on which origin it works', () => {
    const html = drawn(CreatePasskey, ready())

    expect(html).toContain('a key that this device keeps for you')
    expect(html).toContain('<strong>ada@example.com</strong>')
    expect(html).toContain('works on <strong>portal.example</strong> only')
    expect(buttonsOf(html)).toEqual(['Create passkey', 'Cancel'])
  })

  it('offers it again after a refusal, and says that nothing was changed', () => {
    const html = drawn(CreatePasskey, ready({ failure: failure('PasskeyCancelled') }))

    expect(html).toContain('role="alert"')
    expect(html).toContain('Nothing was changed')
    expect(buttonsOf(html)).toEqual(['Try again', 'Cancel'])
  })

  it.each<[string, Partial<Ready>, RegExp]>([
    ['cannot make any', { passkeys: false }, /choose a password instead/],
    ['turned out to make none', { failure: failure('PasskeyUnsupported') }, /choose a password instead/],
    ['has one already', { failure: failure('PasskeyExists') }, /log in with it/],
  ])('leads back to the app where the device %s', (_, changes, words) => {
    const html = drawn(CreatePasskey, ready(changes))

    expect(html).toMatch(words)
    expect(buttonsOf(html)).toEqual(['Go back to Shop'])
  })

  it('shows what is being done instead of its button', () => {
    const steps = [{ step: 'asking-passkey', state: 'working' }] as const
    const html = drawn(CreatePasskey, { ...ready(), status: 'working', steps })

    expect(html).toContain('Asking this device for your passkey')
    expect(buttonsOf(html)).toEqual([])
  })
})

describe('the page that uses a passkey', () => {
  const atLogin = (changes: Partial<Ready> = {}) => ready({ page: 'login-passkey', ...changes })

  it('says what the device will ask for, and which account and app it is for', () => {
    const html = drawn(LoginWithPasskey, atLogin())

    expect(html).toContain('your fingerprint, your face or your PIN')
    expect(html).toContain('for Shop, in this browser')
    expect(buttonsOf(html)).toEqual(['Use passkey', 'Cancel'])
  })

  it.each(['PasskeyCancelled', 'UnknownPasskey', 'Offline'])('lets the person try again after %s', (code) => {
    expect(buttonsOf(drawn(LoginWithPasskey, atLogin({ failure: failure(code) })))).toEqual(['Try again', 'Cancel'])
  })

  it.each<[string, Partial<Ready>]>([
    ['cannot', { passkeys: false }],
    ['turned out not to', { failure: failure('PasskeyUnsupported') }],
  ])('leads back to the app where the device %s use one', (_, changes) => {
    const html = drawn(LoginWithPasskey, atLogin(changes))

    expect(html).toContain('use your password if you have one')
    expect(buttonsOf(html)).toEqual(['Go back to Shop'])
  })

  it('names no user where it knows none', () => {
    expect(drawn(LoginWithPasskey, atLogin({ account: undefined }))).toContain('opens the wallets for Shop')
  })
})
