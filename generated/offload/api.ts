// Generated from the contract by `npm run generate`, never edited.

export interface paths {
    readonly "/wallets": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Run the key generation of a wallet. */
        readonly post: operations["createWallet"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/wallets/{walletId}/transactions/send": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly walletId: components["parameters"]["walletId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Sign a transaction with the user's share and send it. */
        readonly post: operations["sendTransaction"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/wallets/{walletId}/messages/sign": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly walletId: components["parameters"]["walletId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Sign a message with the user's share. */
        readonly post: operations["signMessage"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        readonly Id: string;
        readonly CreateWalletBody: {
            readonly userId: components["schemas"]["Id"];
            readonly walletId: components["schemas"]["Id"];
            readonly protocolId: components["schemas"]["Id"];
        };
        readonly CreateWalletAnswer: {
            /** @description The user's share. */
            readonly signer: string;
        };
        /** @description The sentence of the error catalogue. */
        readonly Sentence: string;
        /** @description base64 of at most 256 KiB. */
        readonly Payload: string;
        readonly SendTransactionBody: {
            readonly userId: components["schemas"]["Id"];
            readonly protocolId: components["schemas"]["Id"];
            readonly transaction: components["schemas"]["Payload"];
            /** @description The user's share. */
            readonly signer: string;
            readonly chainId: string;
        };
        /** @description The public client returns the answer unread, so its shape is ours. */
        readonly SignatureAnswer: {
            readonly signature: string;
        };
        readonly SignMessageBody: {
            readonly userId: components["schemas"]["Id"];
            readonly protocolId: components["schemas"]["Id"];
            readonly message: components["schemas"]["Payload"];
            /** @description The user's share. */
            readonly signer: string;
        };
    };
    responses: {
        /** @description The request does not have the form of this contract. */
        readonly BadRequest: {
            headers: {
                readonly "x-error-code": components["headers"]["ErrorCode"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "text/plain": components["schemas"]["Sentence"];
            };
        };
        /** @description It does not exist, or belongs to another user or partner. The bytes are the same. */
        readonly NotFound: {
            headers: {
                readonly "x-error-code": components["headers"]["ErrorCode"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "text/plain": components["schemas"]["Sentence"];
            };
        };
        /** @description A limit is reached. */
        readonly TooManyAttempts: {
            headers: {
                readonly "x-error-code": components["headers"]["ErrorCode"];
                readonly "retry-after": components["headers"]["RetryAfter"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "text/plain": components["schemas"]["Sentence"];
            };
        };
        /** @description The service cannot answer now. */
        readonly Unavailable: {
            headers: {
                readonly "x-error-code": components["headers"]["ErrorCode"];
                readonly "retry-after": components["headers"]["RetryAfter"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "text/plain": components["schemas"]["Sentence"];
            };
        };
    };
    parameters: {
        readonly walletId: components["schemas"]["Id"];
    };
    requestBodies: never;
    headers: {
        /**
         * @description The name of the refusal, for machines.
         * @example NoSignedInUser
         */
        readonly ErrorCode: string;
        /**
         * @description Seconds after which another try makes sense.
         * @example 5
         */
        readonly RetryAfter: number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly createWallet: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "userId": "8c5d2f0e-53a1-4f0b-9a55-0f4d3f4f3f11",
                 *       "walletId": "5b1f6c2d-0e3a-4f7b-8c9d-1a2b3c4d5e6f",
                 *       "protocolId": "6c7d8e9f-0a1b-4c2d-8e3f-4a5b6c7d8e9f"
                 *     }
                 */
                readonly "application/json": components["schemas"]["CreateWalletBody"];
            };
        };
        readonly responses: {
            /** @description The user's share. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "signer": "VERTMQ"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["CreateWalletAnswer"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly sendTransaction: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly walletId: components["parameters"]["walletId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "userId": "8c5d2f0e-53a1-4f0b-9a55-0f4d3f4f3f11",
                 *       "protocolId": "6c7d8e9f-0a1b-4c2d-8e3f-4a5b6c7d8e9f",
                 *       "transaction": "AuiAAYCAgIA=",
                 *       "signer": "VERTMQ",
                 *       "chainId": "1"
                 *     }
                 */
                readonly "application/json": components["schemas"]["SendTransactionBody"];
            };
        };
        readonly responses: {
            /** @description The signature. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "signature": "c0ffee"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["SignatureAnswer"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly signMessage: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly walletId: components["parameters"]["walletId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "userId": "8c5d2f0e-53a1-4f0b-9a55-0f4d3f4f3f11",
                 *       "protocolId": "6c7d8e9f-0a1b-4c2d-8e3f-4a5b6c7d8e9f",
                 *       "message": "aGVsbG8=",
                 *       "signer": "VERTMQ"
                 *     }
                 */
                readonly "application/json": components["schemas"]["SignMessageBody"];
            };
        };
        readonly responses: {
            /** @description The signature. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "signature": "c0ffee"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["SignatureAnswer"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
}
