import { useModal, useSession, useSignMessage, WalletProvider, type WalletProviderProps } from '../index.ts'

const Hello = () => {
  const { open } = useModal()
  const { status } = useSession()
  const { signMessage, data } = useSignMessage()
  if (status !== 'ready') return <button onClick={open}>Sign in</button>
  return <button onClick={() => signMessage({ message: 'hello' })}>{data?.ethereumSignature ?? 'Sign'}</button>
}

export const App = (settings: WalletProviderProps) => <WalletProvider {...settings}><Hello /></WalletProvider>
