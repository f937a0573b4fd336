// Generated from the contract by `npm run generate`, never edited.

import * as v from 'valibot'
import type { Input, OperationId, Success } from './handlers.ts'
import * as schemas from './validators/valibot.gen.ts'

export type Validator<Id extends OperationId> = {
  /** Of { path, query, header, body }: what the operation does not have is dropped. */
  readonly request: v.GenericSchema<unknown, Input<Id>>
  /** Of the answer 200. */
  readonly success: v.GenericSchema<unknown, Success<Id>>
}

export const validators: { readonly [Id in OperationId]: Validator<Id> } = {
  createWallet: {
    request: v.object({ body: schemas.vCreateWalletRequestBody }),
    success: schemas.vCreateWalletSuccess,
  },
  sendTransaction: {
    request: v.object({ path: schemas.vSendTransactionRequestPath, body: schemas.vSendTransactionRequestBody }),
    success: schemas.vSendTransactionSuccess,
  },
  signMessage: {
    request: v.object({ path: schemas.vSignMessageRequestPath, body: schemas.vSignMessageRequestBody }),
    success: schemas.vSignMessageSuccess,
  },
}
