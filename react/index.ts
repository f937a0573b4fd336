'use client'

/** The public module: the provider, and a hook for each verb. Server components render them as client components. */
export { WalletProvider, type WalletProviderProps } from './WalletProvider.tsx'
export type { Client } from './Client.ts'
export type { ModalStatus } from './ModalStore.ts'
export type { WalletSettings } from './Provided.ts'
export {
  useCancelRecovery,
  useCheckUserExists,
  useCreateShortLink,
  useCreateUser,
  useCreateWallet,
  useEndDelegation,
  useExportPrivateKey,
  useExportSession,
  useFindWallet,
  useFinishSetup,
  useGetSupportedAuthMethods,
  useGetToken,
  useImportSession,
  useListDelegations,
  useLogin,
  useLogout,
  usePreSignMessage,
  useRefreshKeys,
  useResendVerificationCode,
  useSendCosmosTransaction,
  useSendSolanaTransaction,
  useSendTransaction,
  useSetUpPasskey,
  useSetUpPassword,
  useSignAuthorization,
  useSignCosmosAmino,
  useSignCosmosDirect,
  useSignMessage,
  useSignRawHash,
  useSignSolanaTransaction,
  useSignTransaction,
  useSignTypedData,
  useVerifyEmail,
  type ActionOptions,
  type ActionResult,
  type ActionState,
} from './hooks/actions.ts'
export { useClient } from './hooks/useClient.ts'
export { useEvent } from './hooks/useEvent.ts'
export { useModal, type Modal } from './hooks/useModal.ts'
export { useSession } from './hooks/useSession.ts'
export { useUser, type User } from './hooks/useUser.ts'
export { useWallet, type AddressedWallet } from './hooks/useWallet.ts'
export { useWallets } from './hooks/useWallets.ts'
