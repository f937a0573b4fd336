import { useModal, useSession, useSignMessage, WalletProvider, type WalletProviderProps } from '../index.ts'

const Hello = () => {
  const { open } = useModal()
  const { status } = useSession()
  const { signMessage, data, error, isPending } = useSignMessage()
  const sign = () => signMessage({ message: 'hello' })
  if (status !== 'ready') return <button onClick={open}>Sign in</button>
  const button = <button disabled={isPending} onClick={sign}>{data?.ethereumSignature ?? 'Sign'}</button>
  return <>{button}{error && <p role="alert">{error.message}</p>}</>
}

export const App = (settings: WalletProviderProps) => <WalletProvider {...settings}><Hello /></WalletProvider>
