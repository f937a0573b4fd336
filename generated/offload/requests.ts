// Generated from the contract by `npm run generate`, never edited.

import type { OperationId } from './operations.ts'

/** What a client sends of every operation; `signed`: by the session's device key, where it has one. Pages load this table. */
export const requests: { readonly [Id in OperationId]: Request } = {
  createWallet: { method: 'POST', path: '/wallets' },
  sendTransaction: { method: 'POST', path: '/wallets/{walletId}/transactions/send' },
  signMessage: { method: 'POST', path: '/wallets/{walletId}/messages/sign' },
}

type Request = { readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'; readonly path: string; readonly signed?: true }
