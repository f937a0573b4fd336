/** An app that shows what its hooks say, for a server and for a page under StrictMode. */
import { StrictMode, useState } from 'react'
import { useClient, useLogin, useSession, WalletProvider, type Client } from '../../react/index.ts'

/** Every client that any render was given. */
export const clients = new Set<Client>()

export const Probe = ({ api }: { readonly api: string }) => {
  const [isThere, setThere] = useState(true)
  return (
    <StrictMode>
      <WalletProvider environment="DEV" apiKey="key" hosts={{ api, cosigner: api, portal: api, connect: api }}>
        {isThere && <Login />}
        <Status />
        <button type="button" onClick={() => setThere(false)}>
          Leave
        </button>
      </WalletProvider>
    </StrictMode>
  )
}

const Login = () => {
  clients.add(useClient())
  const { login, status, progress } = useLogin()
  return (
    <button type="button" onClick={() => login({ email: 'ada@example.com' })}>
      Login is {progress?.step ?? status}
    </button>
  )
}

const Status = () => {
  clients.add(useClient())
  return <p>The session is {useSession().status}</p>
}
