import * as Effect from 'effect/Effect'
import type { Input } from '../../../generated/handlers.ts'
import * as keyShares from '../../../domain/service/keyShares.ts'
import * as flows from '../../../domain/service/recoveries.ts'
import { walletKeySharesAnswer } from './keyShares.ts'

export const recovery = {
  startRecovery: ({ body: { email } }: Input<'startRecovery'>) => Effect.as(flows.startRecovery({ email }), {}),
  initRecovery: ({ body: { email, phone, countryCode } }: Input<'initRecovery'>) =>
    Effect.as(flows.startRecovery({ email, phone, countryCode }), {}),
  verifyRecovery: ({ body: { email, verificationCode } }: Input<'verifyRecovery'>) =>
    Effect.map(flows.verifyRecovery({ email }, verificationCode), recoveryAnswer),
  verifyRecoveryEmail: ({ body: { email, verificationCode } }: Input<'verifyRecoveryEmail'>) =>
    Effect.map(flows.verifyRecovery({ email }, verificationCode), recoveryAnswer),
  cancelRecovery: () => Effect.as(flows.cancelRecovery(), {}),
  listRecoveryKeyShares: ({ path, query }: Input<'listRecoveryKeyShares'>) =>
    Effect.map(keyShares.listRecoveryKeyShares(path.userId, path.walletId, query), walletKeySharesAnswer),
  finishRecovery: ({ path }: Input<'finishRecovery'>) =>
    Effect.as(flows.finishRecovery(path.userId, path.walletId), {}),
}

const recoveryAnswer = ({ userId, wallets }: Effect.Success<ReturnType<typeof flows.verifyRecovery>>) => ({
  userId,
  wallets: wallets.map(({ wallet, partnerName }) => ({
    walletId: wallet.id,
    type: wallet.type,
    scheme: wallet.scheme,
    address: wallet.address,
    publicKey: wallet.publicKey,
    epoch: wallet.epoch,
    shareId: wallet.shareId,
    partnerId: wallet.partnerId,
    partnerName,
  })),
})
