// Generated from the contract by `npm run generate`, never edited.

import * as v from 'valibot';

export const vId = v.pipe(v.string(), v.minLength(1), v.maxLength(128));

export const vCreateWalletBody = v.object({
    userId: vId,
    walletId: vId,
    protocolId: vId
});

export const vCreateWalletAnswer = v.object({
    signer: v.pipe(v.string(), v.maxLength(65536))
});

/**
 * The sentence of the error catalogue.
 */
export const vSentence = v.string();

/**
 * base64 of at most 256 KiB.
 */
export const vPayload = v.pipe(v.string(), v.maxLength(349528));

export const vSendTransactionBody = v.object({
    userId: vId,
    protocolId: vId,
    transaction: vPayload,
    signer: v.pipe(v.string(), v.maxLength(65536)),
    chainId: v.pipe(v.string(), v.maxLength(64))
});

/**
 * The public client returns the answer unread, so its shape is ours.
 */
export const vSignatureAnswer = v.object({
    signature: v.pipe(v.string(), v.maxLength(1024))
});

export const vSignMessageBody = v.object({
    userId: vId,
    protocolId: vId,
    message: vPayload,
    signer: v.pipe(v.string(), v.maxLength(65536))
});

export const vWalletId = vId;

export const vCreateWalletRequestBody = vCreateWalletBody;

/**
 * The user's share.
 */
export const vCreateWalletSuccess = vCreateWalletAnswer;

export const vSendTransactionRequestBody = vSendTransactionBody;

export const vSendTransactionRequestPath = v.object({
    walletId: vId
});

/**
 * The signature.
 */
export const vSendTransactionSuccess = vSignatureAnswer;

export const vSignMessageRequestBody = vSignMessageBody;

export const vSignMessageRequestPath = v.object({
    walletId: vId
});

/**
 * The signature.
 */
export const vSignMessageSuccess = vSignatureAnswer;
