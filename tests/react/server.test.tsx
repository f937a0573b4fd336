import { renderToString } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { verbNames } from '../../adapters/browser/verbs.ts'
import * as entry from '../../react/index.ts'
import { App } from '../../react/example/App.tsx'

const Status = () => {
  const { status, wallets } = entry.useSession()
  const { status: modal } = entry.useModal()
  const user = entry.useUser()
  const evm = entry.useWallet({ type: 'EVM' })
  const { status: signing } = entry.useSignMessage()
  return <p>{[status, wallets.length, modal, user?.email ?? 'nobody', evm?.address ?? 'nowhere', signing].join(' ')}</p>
}

describe('on a server', () => {
  it('there is no window, and the provider renders the first state of a page', () => {
    expect('window' in globalThis).toBe(false)

    const html = renderToString(
      <entry.WalletProvider environment="DEV" apiKey="key">
        <Status />
      </entry.WalletProvider>,
    )

    expect(html).toBe('<p>loading 0 closed nobody nowhere idle</p>')
  })

  it('an environment that does not exist does not break a page', () => {
    expect(renderToString(<entry.WalletProvider environment="MOON" apiKey="key" children="shop" />)).toBe('shop')
  })

  it('the quick start renders its button', () => {
    expect(renderToString(<App environment="DEV" apiKey="key" />)).toBe('<button>Sign in</button>')
  })

  it('a hook without a provider fails with that reason', () => {
    expect(() => renderToString(<Status />)).toThrow('hooks of Tandem need a <WalletProvider> above them')
  })

  it('exports the provider, the hooks of the session, and a hook for each other verb', () => {
    const ofSession: readonly string[] = ['getWallets', 'isSessionActive', 'keepSessionAlive', 'resume']
    const hookOf = (name: string) => `use${name[0]!.toUpperCase()}${name.slice(1)}`
    const views = ['useClient', 'useEvent', 'useModal', 'useSession', 'useUser', 'useWallet', 'useWallets']
    const hooks = verbNames.filter((name) => !ofSession.includes(name)).map(hookOf)

    expect(Object.keys(entry).sort()).toEqual(['WalletProvider', ...views, ...hooks].sort())
  })
})
