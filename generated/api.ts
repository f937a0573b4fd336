// Generated from the contract by `npm run generate`, never edited.

export interface paths {
    readonly "/users": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Make or find the user of an e-mail or phone and send a code. Without a session a new one begins. */
        readonly post: operations["createUser"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/exists": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Whether a user with this e-mail or phone exists. */
        readonly get: operations["checkUserExists"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/telegram": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Verify what Telegram's login widget handed out. */
        readonly post: operations["verifyTelegram"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/supported-auth-methods": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The credentials with which this identity can log in. */
        readonly get: operations["getSupportedAuthMethods"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/external-wallets/login": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Begin a login with an external wallet. */
        readonly post: operations["loginExternalWallet"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/{userId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        /** The user's own record. */
        readonly get: operations["getUser"];
        readonly put?: never;
        readonly post?: never;
        /** Delete the user. */
        readonly delete: operations["deleteUser"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/{userId}/verify-email": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Prove the e-mail with the code that was sent there. */
        readonly post: operations["verifyEmail"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/{userId}/verify-identifier": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Prove the phone with the code that was sent there. */
        readonly post: operations["verifyIdentifier"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/{userId}/external-wallets/verify": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Prove an external wallet by its signature. */
        readonly post: operations["verifyExternalWallet"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/{userId}/oauth/accounts": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        /** The accounts at identity providers that the user linked. */
        readonly get: operations["listOAuthAccounts"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/{userId}/resend-verification-code": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Send a new code to the e-mail; the old one is no longer valid. */
        readonly post: operations["resendVerificationCode"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/{userId}/resend-verification-code-by-phone": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Send a new code to the phone; the old one is no longer valid. */
        readonly post: operations["resendVerificationCodeByPhone"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/login": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Begin a login by e-mail and send a code. */
        readonly post: operations["login"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/login/verify-email": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Prove the e-mail of a begun login; the session knows which. */
        readonly post: operations["verifyLoginEmail"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/touch": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** The state of the session; without a live one a new session begins. */
        readonly post: operations["touchSession"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/sessions/{sessionLookupId}/origin": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly sessionLookupId: components["parameters"]["sessionLookupId"];
            };
            readonly cookie?: never;
        };
        /** The origin of the page that began the session. */
        readonly get: operations["getSessionOrigin"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/sessions/{sessionId}/keys": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly sessionId: components["parameters"]["sessionId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Register the session's device key, its login key and the user's recovery key. */
        readonly post: operations["registerSessionKeys"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/{userId}/session/keep-alive": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Extend the session's idle time. */
        readonly post: operations["keepSessionAlive"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/{userId}/session/jwt": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** A JWT of the session for the partner's server, which verifies it by the published keys. */
        readonly post: operations["createSessionJwt"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/sessions/verify": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Whether the session of a JWT is alive now, asked by the partner's server. */
        readonly post: operations["verifySessionJwt"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/.well-known/jwks.json": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The public keys by which JWTs of sessions verify, as a JWK set (RFC 7517). */
        readonly get: operations["getJwks"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/logout": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** End the session; without one the answer is 200 too. */
        readonly get: operations["logout"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/{userId}/delegations": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        /** The user's delegated sessions at the session's partner that are alive. */
        readonly get: operations["listDelegations"];
        readonly put?: never;
        /** Make a session for a server, by a key that the session's certified device has signed. */
        readonly post: operations["createDelegation"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/{userId}/delegations/{delegationId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
                readonly delegationId: components["parameters"]["delegationId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        /** End a delegated session of the user, and what it has under way. */
        readonly delete: operations["endDelegation"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/openings": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Begin a portal session, for a session or for a record. */
        readonly post: operations["createOpening"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/openings/{openingId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly openingId: components["parameters"]["openingId"];
            };
            readonly cookie?: never;
        };
        /** Whether the page is still open. */
        readonly get: operations["getOpening"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/openings/{openingId}/ticket": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly openingId: components["parameters"]["openingId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** A ticket that the host passes to the page that it opened. */
        readonly post: operations["createOpeningTicket"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/openings/{openingId}/token": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly openingId: components["parameters"]["openingId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Exchange the page's secret and its opener's ticket for a portal token. */
        readonly post: operations["createOpeningToken"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/openings/{openingId}/beat": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly openingId: components["parameters"]["openingId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** The page's heartbeat. */
        readonly post: operations["beatOpening"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/openings/{openingId}/close": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly openingId: components["parameters"]["openingId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** The page is closed; a later heartbeat reopens the portal session. */
        readonly post: operations["closeOpening"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/openings/{openingId}/redeem": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly openingId: components["parameters"]["openingId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** The host commits a portal session whose result returned by redirect. */
        readonly post: operations["redeemOpening"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/{userId}/biometrics/key": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Make a pending passkey record, which a page of the portal completes. */
        readonly post: operations["createPasskey"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/{userId}/biometrics/keys": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        /** The user's passkeys. */
        readonly get: operations["listPasskeys"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/{userId}/biometrics/challenge": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        /** A challenge for the user's own passkeys. */
        readonly get: operations["getUserPasskeyChallenge"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/{userId}/biometrics/verify": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Verify an assertion of the user's own passkey. */
        readonly post: operations["verifyUserPasskey"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/{userId}/biometrics/{passkeyId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
                readonly passkeyId: components["parameters"]["passkeyId"];
            };
            readonly cookie?: never;
        };
        /** One passkey. */
        readonly get: operations["getPasskey"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        /** Complete a pending passkey, which authenticates the session. */
        readonly patch: operations["updatePasskey"];
        readonly trace?: never;
    };
    readonly "/biometrics/location-hints": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Where this identity's passkeys were made. */
        readonly get: operations["getPasskeyLocationHints"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/biometrics/challenge": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** A challenge for a login, for one identity or without one. */
        readonly get: operations["getPasskeyChallenge"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/biometrics/verify": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Verify an assertion for the page's portal session. */
        readonly post: operations["verifyPasskey"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/passwords": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The passwords of an identity, or of the signed-in user in full. */
        readonly get: operations["listPasswords"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/{userId}/passwords/key": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Make a pending password record, which a page of the portal completes. */
        readonly post: operations["createPassword"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/{userId}/passwords/{passwordId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
                readonly passwordId: components["parameters"]["passwordId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        /** Complete a pending password, which authenticates the session. */
        readonly patch: operations["updatePassword"];
        readonly trace?: never;
    };
    readonly "/passwords/verify": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Verify a password's proof for the page's portal session. */
        readonly post: operations["verifyPassword"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/{userId}/wallets": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        /** The user's wallets of the session's partner. */
        readonly get: operations["listWallets"];
        readonly put?: never;
        /** Make a wallet of a type, or find the unfinished one; the first caller leads its key generation. */
        readonly post: operations["createWallet"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/{userId}/all-wallets": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        /** The user's wallets of all partners, for a login page whose user has proven a credential. */
        readonly get: operations["listAllWallets"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/{userId}/wallets/set": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** A login page sets the session's wallets, which authenticates the session. */
        readonly post: operations["setWallets"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/{userId}/wallets/{walletId}/balance": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
                readonly walletId: components["parameters"]["walletId"];
            };
            readonly cookie?: never;
        };
        /** The wallet's balance on its chain. */
        readonly get: operations["getWalletBalance"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/{userId}/wallets/{walletId}/capsule-share": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
                readonly walletId: components["parameters"]["walletId"];
            };
            readonly cookie?: never;
        };
        /** The provider's share, for the export of a DKLS wallet's private key after a fresh step-up. */
        readonly get: operations["getCapsuleShare"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/{userId}/wallets/{walletId}/capsule-share/distribute": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
                readonly walletId: components["parameters"]["walletId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** The backups of the user's share are stored; the provider backs up its own. */
        readonly post: operations["distributeCapsuleShare"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/{userId}/wallets/{walletId}/download-backup-kit": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
                readonly walletId: components["parameters"]["walletId"];
            };
            readonly cookie?: never;
        };
        /** The wallet's backup kit, encrypted. */
        readonly get: operations["downloadBackupKit"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/{userId}/wallets/{walletId}/scopes/accept": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
                readonly walletId: components["parameters"]["walletId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** The user permits a partner to use the wallet within these scopes. */
        readonly post: operations["acceptScopes"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/wallets/pregen": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The pregenerated wallets of these identifiers; none without identifiers. */
        readonly get: operations["listPregenWallets"];
        readonly put?: never;
        /** Make a wallet for an identifier before its user exists. */
        readonly post: operations["createPregenWallet"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/wallets/pregen/claim": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** The user claims wallets that were made for an identifier of theirs. */
        readonly post: operations["claimPregenWallets"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/wallets/pregen/{walletId}": {
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
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        /** Give an unclaimed wallet another identifier. */
        readonly patch: operations["updatePregenWallet"];
        readonly trace?: never;
    };
    readonly "/users/{userId}/wallets/{walletId}/transactions/send": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The user; for an unclaimed pregenerated wallet its partner. */
                readonly userId: components["parameters"]["ownerId"];
                readonly walletId: components["parameters"]["walletId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Approve an EVM transaction, which its run sends; pass on one of Solana or Cosmos that is signed. */
        readonly post: operations["sendTransaction"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/{userId}/wallets/{walletId}/transactions/sign": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The user; for an unclaimed pregenerated wallet its partner. */
                readonly userId: components["parameters"]["ownerId"];
                readonly walletId: components["parameters"]["walletId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Approve a transaction for signing; the run brings the signature. */
        readonly post: operations["signTransaction"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/{userId}/wallets/{walletId}/messages/sign": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The user; for an unclaimed pregenerated wallet its partner. */
                readonly userId: components["parameters"]["ownerId"];
                readonly walletId: components["parameters"]["walletId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Approve a message for signing; the run brings the signature. */
        readonly post: operations["signMessage"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/{userId}/wallets/{walletId}/refresh": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The user; for an unclaimed pregenerated wallet its partner. */
                readonly userId: components["parameters"]["ownerId"];
                readonly walletId: components["parameters"]["walletId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Begin a refresh of the wallet's key shares. */
        readonly post: operations["refreshKeys"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/{userId}/wallets/{walletId}/refresh-done": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The user; for an unclaimed pregenerated wallet its partner. */
                readonly userId: components["parameters"]["ownerId"];
                readonly walletId: components["parameters"]["walletId"];
            };
            readonly cookie?: never;
        };
        /** Whether the refresh is committed. */
        readonly get: operations["getRefreshDone"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/{userId}/pending-transactions/{pendingTransactionId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
                readonly pendingTransactionId: components["parameters"]["pendingTransactionId"];
            };
            readonly cookie?: never;
        };
        /** The transaction or message that is held for review; 404 when it was denied or is over. */
        readonly get: operations["getPendingTransaction"];
        readonly put?: never;
        readonly post?: never;
        /** The user denies the review in the portal. */
        readonly delete: operations["denyPendingTransaction"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/{userId}/pending-transactions/{pendingTransactionId}/accept": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
                readonly pendingTransactionId: components["parameters"]["pendingTransactionId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** The user accepts in the portal exactly what the page showed. */
        readonly post: operations["acceptPendingTransaction"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/pending-transactions/{pendingTransactionId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly pendingTransactionId: components["parameters"]["pendingTransactionId"];
            };
            readonly cookie?: never;
        };
        /** What the partner's server has to decide about; 404 when it was denied or is over. */
        readonly get: operations["getPendingTransactionToDecide"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/pending-transactions/{pendingTransactionId}/decision": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly pendingTransactionId: components["parameters"]["pendingTransactionId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** The partner accepts or denies, by a token of its policy's approver. */
        readonly post: operations["decidePendingTransaction"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/{userId}/wallets/{walletId}/key-shares": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
                readonly walletId: components["parameters"]["walletId"];
            };
            readonly cookie?: never;
        };
        /** Backups of one wallet; those of the recovery key take a step-up or a recovery. */
        readonly get: operations["listWalletKeyShares"];
        readonly put?: never;
        /**
         * Store backups of the user's share of one wallet.
         * @deprecated
         */
        readonly post: operations["createWalletKeyShares"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/{userId}/key-shares": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Store backups of the user's shares. */
        readonly post: operations["createKeyShares"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/{userId}/biometrics/key-shares": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        /** The backups that a verified passkey opens. */
        readonly get: operations["listPasskeyKeyShares"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/{userId}/passwords/key-shares": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        /** The backups that a verified password opens. */
        readonly get: operations["listPasswordKeyShares"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/{userId}/temporary-shares": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        /** The shares that a login page stored for this session. */
        readonly get: operations["listTemporaryShares"];
        readonly put?: never;
        /** A login page stores the shares for its session, encrypted to the login key. */
        readonly post: operations["createTemporaryShares"];
        /** The session has stored the shares on its device. */
        readonly delete: operations["deleteTemporaryShares"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/{userId}/recovery-public-keys": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        /** The user's recovery public keys. */
        readonly get: operations["listRecoveryPublicKeys"];
        readonly put?: never;
        /** Store the user's recovery public keys. */
        readonly post: operations["createRecoveryPublicKeys"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/{userId}/encrypted-wallet-private-keys": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Store a credential's RSA private key, wrapped. */
        readonly post: operations["createEncryptedWalletPrivateKey"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/{userId}/encrypted-wallet-private-keys/{encryptionKeyHash}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
                /** @description The key hash, or the record's id. */
                readonly encryptionKeyHash: components["parameters"]["encryptionKeyHash"];
            };
            readonly cookie?: never;
        };
        /** The wrapped private keys under one wrapping key. */
        readonly get: operations["listEncryptedWalletPrivateKeys"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/encrypted-wallet-private-keys": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The private key that a verified password wraps. */
        readonly get: operations["getEncryptedWalletPrivateKey"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/temporary-transmissions": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Store an encrypted message, such as a short login link; also before login. */
        readonly post: operations["createTemporaryTransmission"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/temporary-transmissions/{transmissionId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly transmissionId: components["parameters"]["transmissionId"];
            };
            readonly cookie?: never;
        };
        /** Fetch an encrypted message, once. Without API key, because a short link's address names no partner. */
        readonly get: operations["getTemporaryTransmission"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/recovery": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Begin a recovery by e-mail; the answer is the same for everybody. */
        readonly post: operations["startRecovery"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/recovery/verification": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Prove the e-mail of a begun recovery. */
        readonly post: operations["verifyRecovery"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/recovery/cancel": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Cancel a recovery. */
        readonly post: operations["cancelRecovery"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/recovery/init": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Begin a recovery by e-mail or phone; the answer is the same for everybody. */
        readonly post: operations["initRecovery"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/recovery/verify-email": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Prove the e-mail of a begun recovery. */
        readonly post: operations["verifyRecoveryEmail"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/recovery/verify-identifier": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Prove the phone of a begun recovery. */
        readonly post: operations["verifyRecoveryIdentifier"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/recovery/users/{userId}/finish": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Commit a recovery without the wallets that stay behind, or of an account without wallets. */
        readonly post: operations["completeRecovery"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/recovery/users/{userId}/wallets/{walletId}/finish": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
                readonly walletId: components["parameters"]["walletId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Commit the recovery of a wallet; the last wallet ends old credentials and sessions. */
        readonly post: operations["finishRecovery"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/recovery/users/{userId}/wallets/{walletId}/key-shares": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
                readonly walletId: components["parameters"]["walletId"];
            };
            readonly cookie?: never;
        };
        /** The backups that the recovery secret opens. */
        readonly get: operations["listRecoveryKeyShares"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/2fa/users/{userId}/check-status": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        /** Whether the user has a second factor. */
        readonly get: operations["getTwoFactorStatus"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/2fa/users/{userId}/setup": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Make a second factor, off until it is enabled. */
        readonly post: operations["setupTwoFactor"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/2fa/users/{userId}/enable": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Enable the second factor with its first code. */
        readonly post: operations["enableTwoFactor"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/2fa/verify": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Verify the second factor during a recovery. */
        readonly post: operations["verifyTwoFactor"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/auth/farcaster/init": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Begin a sign-in with Farcaster. */
        readonly post: operations["initFarcaster"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/auth/farcaster/status": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** The state of the sign-in. */
        readonly post: operations["getFarcasterStatus"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/auth/{method}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description google, twitter, apple, discord, facebook, farcaster or telegram. */
                readonly method: components["parameters"]["method"];
            };
            readonly cookie?: never;
        };
        /** A browser page that leads to the identity provider. */
        readonly get: operations["startOAuth"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/partners/{partnerId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly partnerId: components["parameters"]["partnerId"];
            };
            readonly cookie?: never;
        };
        /** What the partner shows of itself. */
        readonly get: operations["getPartner"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/chains/{chainId}/conversion-rate": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly chainId: components["parameters"]["chainId"];
            };
            readonly cookie?: never;
        };
        /** What a coin is worth. */
        readonly get: operations["getConversionRate"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/chains/{chainId}/gas-estimate": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly chainId: components["parameters"]["chainId"];
            };
            readonly cookie?: never;
        };
        /** How long a gas price takes, and what it costs. */
        readonly get: operations["getGasEstimate"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/chains/{chainId}/gas-oracle": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly chainId: components["parameters"]["chainId"];
            };
            readonly cookie?: never;
        };
        /** What gas costs now. */
        readonly get: operations["getGasOracle"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/on-ramp-config": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** What the partner lets its users buy, receive and withdraw. */
        readonly get: operations["getOnRampConfig"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/{userId}/wallets/{walletId}/purchases": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
                readonly walletId: components["parameters"]["walletId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Begin a purchase to a wallet. */
        readonly post: operations["createWalletPurchase"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/{userId}/wallets/{walletId}/purchases/{purchaseId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
                readonly walletId: components["parameters"]["walletId"];
                readonly purchaseId: components["parameters"]["purchaseId"];
            };
            readonly cookie?: never;
        };
        /** A purchase to a wallet. */
        readonly get: operations["getWalletPurchase"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        /** Say how a purchase goes on. */
        readonly patch: operations["updateWalletPurchase"];
        readonly trace?: never;
    };
    readonly "/users/{userId}/external-wallets/{address}/purchases": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
                readonly address: components["parameters"]["address"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Begin a purchase to an external wallet. */
        readonly post: operations["createExternalWalletPurchase"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/{userId}/external-wallets/{address}/purchases/{purchaseId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
                readonly address: components["parameters"]["address"];
                readonly purchaseId: components["parameters"]["purchaseId"];
            };
            readonly cookie?: never;
        };
        /** A purchase to an external wallet. */
        readonly get: operations["getExternalWalletPurchase"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        /** Say how a purchase goes on. */
        readonly patch: operations["updateExternalWalletPurchase"];
        readonly trace?: never;
    };
    readonly "/users/{userId}/wallets/{walletId}/moonpay-sign": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
                readonly walletId: components["parameters"]["walletId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Sign a MoonPay address for a wallet. */
        readonly post: operations["signWalletMoonpayUrl"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/{userId}/external-wallets/{address}/moonpay-sign": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
                readonly address: components["parameters"]["address"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Sign a MoonPay address for an external wallet. */
        readonly post: operations["signExternalWalletMoonpayUrl"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/{userId}/wallets/{walletId}/offramp-generate": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
                readonly walletId: components["parameters"]["walletId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Make the transaction that sells. */
        readonly post: operations["generateOffRamp"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/{userId}/wallets/{walletId}/offramp-send": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
                readonly walletId: components["parameters"]["walletId"];
            };
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Send the signed transaction that sells. */
        readonly post: operations["sendOffRamp"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/protocol": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * One message of the two-party computation, answered with the co-signer's.
         * @description The frame carries wallet, run and device and is signed by the device key. The answer is status, length and body, signed by the co-signer. ABORT and BAN are answers too. A provider that cannot open its key share, or whose database is older than the device's share, gets it back by the operation REATTACH with the capsule that the device keeps. REISSUE exchanges that capsule for one under the co-signer's active key.
         */
        readonly post: operations["exchangeFrame"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/cosigner-keys": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * The keys that took the place of the co-signer's key, each signed by the one before it.
         * @description A client that meets an answer under a key that it does not know walks from the key that it pins to the newest one. Each link is proven by its signature alone.
         */
        readonly get: operations["getCosignerKeys"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/errors/sdk": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** A method of the SDK failed, outside PROD. */
        readonly post: operations["reportSdkError"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/partners/analytics/react-sdk": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** How a partner sets up the React components. */
        readonly post: operations["reportReactSdkUse"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/static/js/prime.worker.min.js": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The worker that looks for primes. */
        readonly get: operations["getPrimeWorker"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/static/js/main.wasm": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The arithmetic of the two-party computation. */
        readonly get: operations["getMpcModule"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/static/js/mpcWorker-bundle.js": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The worker that runs the two-party computation, after a line that names the deployment's hosts. */
        readonly get: operations["getMpcWorkerBundle"];
        readonly put?: never;
        readonly post?: never;
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
        readonly Text: string;
        readonly Url: string;
        /** @description How mail to the user looks. */
        readonly MailLook: {
            /** @description light or dark. */
            readonly theme?: string;
            readonly brandColor?: components["schemas"]["Text"];
            readonly homepageUrl?: components["schemas"]["Url"];
            readonly xUrl?: components["schemas"]["Url"];
            readonly linkedinUrl?: components["schemas"]["Url"];
            readonly githubUrl?: components["schemas"]["Url"];
            readonly supportUrl?: components["schemas"]["Url"];
        };
        readonly IdentityText: string;
        /** @description One identity, an e-mail or a phone. */
        readonly CreateUserBody: components["schemas"]["MailLook"] & {
            readonly email?: components["schemas"]["IdentityText"];
            readonly phone?: components["schemas"]["IdentityText"];
            readonly countryCode?: components["schemas"]["IdentityText"];
        };
        readonly Id: string;
        readonly CreateUserAnswer: {
            readonly userId: components["schemas"]["Id"];
        };
        /** @description The sentence of the error catalogue. */
        readonly Sentence: string;
        readonly ExistsAnswer: {
            readonly exists: boolean;
        };
        readonly TelegramBody: {
            readonly authObject: {
                readonly auth_date: number;
                readonly hash: components["schemas"]["Text"];
                readonly id: number;
                readonly first_name?: components["schemas"]["Text"];
                readonly last_name?: components["schemas"]["Text"];
                readonly photo_url?: components["schemas"]["Url"];
                readonly username?: components["schemas"]["Text"];
            };
        };
        /** @description The passkey is BIOMETRIC here. */
        readonly WireAuthMethods: readonly ("PASSWORD" | "BIOMETRIC")[];
        readonly LocationHints: readonly {
            readonly useragent?: components["schemas"]["Text"];
            readonly aaguid?: string;
        }[];
        readonly TelegramAnswer: {
            /** @description False for widget data that does not verify; then nothing else is there. */
            readonly isValid: boolean;
            readonly userId?: components["schemas"]["Id"];
            readonly telegramUserId?: components["schemas"]["Id"];
            readonly isNewUser?: boolean;
            readonly supportedAuthMethods?: components["schemas"]["WireAuthMethods"];
            readonly biometricHints?: components["schemas"]["LocationHints"];
        };
        readonly AuthMethodsAnswer: {
            readonly supportedAuthMethods: components["schemas"]["WireAuthMethods"];
        };
        /** @description EVM, SOLANA or COSMOS. */
        readonly WalletTypeText: string;
        readonly ExternalWalletLoginBody: {
            readonly externalAddress: components["schemas"]["IdentityText"];
            readonly type: components["schemas"]["WalletTypeText"];
            readonly externalWalletProvider?: components["schemas"]["Text"];
            /** @description True without full authentication. */
            readonly shouldTrackUser?: boolean;
        };
        readonly ExternalWalletLoginAnswer: {
            readonly userId: components["schemas"]["Id"];
            readonly userExists?: boolean;
            readonly isVerified?: boolean;
            readonly signatureVerificationMessage?: string;
        };
        /** @description The user's own record. The public client returns it unread, so its shape is ours; identities are masked outside the portal. */
        readonly User: {
            readonly userId: components["schemas"]["Id"];
            readonly email?: components["schemas"]["IdentityText"];
            readonly phone?: components["schemas"]["IdentityText"];
            readonly countryCode?: components["schemas"]["IdentityText"];
            readonly farcasterUsername?: components["schemas"]["IdentityText"];
            readonly telegramUserId?: components["schemas"]["IdentityText"];
            readonly externalWalletAddress?: components["schemas"]["IdentityText"];
        };
        readonly Empty: Record<string, never>;
        /** @description As the user typed it. */
        readonly VerificationCode: string;
        readonly CodeBody: {
            readonly verificationCode: components["schemas"]["VerificationCode"];
        };
        readonly ExternalWalletProof: {
            readonly address: components["schemas"]["IdentityText"];
            readonly signedMessage: string;
            readonly cosmosPublicKeyHex?: string;
            readonly cosmosSigner?: components["schemas"]["IdentityText"];
        };
        /** Format: date-time */
        readonly Time: string;
        readonly OAuthAccounts: {
            /** @description By account, one of google, apple, discord, facebook, farcaster, telegram and x. */
            readonly accountMetadata: {
                readonly [key: string]: {
                    readonly date: components["schemas"]["Time"];
                    readonly metadata?: {
                        readonly [key: string]: unknown;
                    };
                };
            };
        };
        readonly LoginBody: components["schemas"]["MailLook"] & {
            readonly email?: components["schemas"]["IdentityText"];
        };
        /**
         * @description A boolean in a query is its text.
         * @enum {string}
         */
        readonly BooleanText: "true" | "false";
        /** Format: uuid */
        readonly Uuid: string;
        /** @description The session's wallets by type. */
        readonly CurrentWalletIds: {
            readonly EVM?: readonly components["schemas"]["Id"][];
            readonly SOLANA?: readonly components["schemas"]["Id"][];
            readonly COSMOS?: readonly components["schemas"]["Id"][];
        };
        /** @enum {string} */
        readonly WalletType: "EVM" | "SOLANA" | "COSMOS";
        readonly SupportedWalletType: {
            readonly type: components["schemas"]["WalletType"];
            readonly optional?: boolean;
        };
        /** @description Human-readable prefix of addresses, `cosmos` by default. */
        readonly CosmosPrefix: string;
        /** @description Milliseconds since 1970. */
        readonly Milliseconds: number;
        /** @description `v2.` and base64url of IV (12 bytes), AES-256-GCM ciphertext and tag. */
        readonly Sealed: string;
        /** @description The latest committed portal session's result for the host, sealed under a secret unknown to the service. */
        readonly OpeningResult: {
            readonly openingId: components["schemas"]["Uuid"];
            readonly sealedResult: components["schemas"]["Sealed"];
        };
        /**
         * @description READ: the wallets and who it is. SIGN: signatures, too.
         * @enum {string}
         */
        readonly Scope: "READ" | "SIGN";
        /** @description There in a delegated session alone. */
        readonly DelegatedSession: {
            readonly scope: components["schemas"]["Scope"];
            readonly expiresAt: components["schemas"]["Milliseconds"];
        };
        /** @description Who runs the service, as people read it. */
        readonly Operator: {
            /** @description One line without control characters. */
            readonly name: string;
        };
        readonly SessionTouch: {
            readonly isAuthenticated: boolean;
            /** @description Stands in portal links. */
            readonly sessionId: components["schemas"]["Uuid"];
            /** @description Names the session to calls of the portal. */
            readonly sessionLookupId: components["schemas"]["Uuid"];
            readonly partnerId: components["schemas"]["Id"];
            /** @description There from the moment the user is proven, also before authentication. */
            readonly userId?: components["schemas"]["Id"];
            readonly email?: components["schemas"]["IdentityText"];
            readonly currentWalletIds: components["schemas"]["CurrentWalletIds"];
            readonly needsWallet: boolean;
            readonly supportedWalletTypes: readonly components["schemas"]["SupportedWalletType"][];
            readonly cosmosPrefix?: components["schemas"]["CosmosPrefix"];
            readonly serverTime: components["schemas"]["Milliseconds"];
            readonly openingResult?: components["schemas"]["OpeningResult"];
            readonly delegation?: components["schemas"]["DelegatedSession"];
            readonly operator?: components["schemas"]["Operator"];
        };
        readonly SessionOrigin: {
            /** @description Absent for a session that a server began. */
            readonly origin?: components["schemas"]["Url"];
        };
        readonly PemHex: string;
        readonly Hex65: string;
        readonly Hex64: string;
        readonly SessionKeysBody: {
            /** @description RSA 2048 with e 65537. */
            readonly loginPublicKey?: components["schemas"]["PemHex"];
            /** @description P-256; written once a session. */
            readonly devicePublicKey: components["schemas"]["Hex65"];
            /** @description secp256k1. */
            readonly recoveryPublicKey?: components["schemas"]["Hex64"];
            /** @description The device key's signature over session id and the three keys. */
            readonly proof: components["schemas"]["Hex64"];
        };
        readonly Hex32: string;
        readonly SessionKeysAnswer: {
            /** @description There when the session has a login key. */
            readonly loginKeyThumbprint?: components["schemas"]["Hex32"];
        };
        readonly Jwt: string;
        readonly SessionJwt: {
            /** @description ES256; its claims: domain/service/README.md#session-jwts. */
            readonly token: components["schemas"]["Jwt"];
        };
        /** @enum {string} */
        readonly AuthMethod: "PASSWORD" | "PASSKEY";
        readonly VerifiedSession: {
            readonly userId: components["schemas"]["Id"];
            readonly sessionLookupId: components["schemas"]["Uuid"];
            /** @description Absent for a session that a server began. */
            readonly origin?: components["schemas"]["Url"];
            readonly authMethod?: components["schemas"]["AuthMethod"];
            readonly authenticatedAt?: components["schemas"]["Time"];
            /** @description The user's wallets at the partner whose key is made. */
            readonly wallets: readonly {
                readonly id: components["schemas"]["Id"];
                readonly type: components["schemas"]["WalletType"];
                readonly address: components["schemas"]["Text"];
            }[];
        };
        readonly Jwks: {
            readonly keys: readonly {
                /** @constant */
                readonly kty: "EC";
                /** @constant */
                readonly crv: "P-256";
                /** @constant */
                readonly alg: "ES256";
                /** @constant */
                readonly use: "sig";
                /** @description The JWK thumbprint of RFC 7638. */
                readonly kid: components["schemas"]["Text"];
                readonly x: components["schemas"]["Text"];
                readonly y: components["schemas"]["Text"];
            }[];
        };
        readonly Delegation: {
            readonly id: components["schemas"]["Uuid"];
            readonly scope: components["schemas"]["Scope"];
            /** @description The calling session made it. */
            readonly isOwn: boolean;
            readonly createdAt: components["schemas"]["Time"];
            readonly lastUsedAt: components["schemas"]["Time"];
            readonly expiresAt: components["schemas"]["Time"];
        };
        readonly DelegationsAnswer: {
            readonly delegations: readonly components["schemas"]["Delegation"][];
        };
        readonly CreateDelegationBody: {
            /** @description P-256, of the delegated session. */
            readonly devicePublicKey: components["schemas"]["Hex65"];
            readonly scope: components["schemas"]["Scope"];
            readonly issuedAt: components["schemas"]["Milliseconds"];
            readonly expiresAt: components["schemas"]["Milliseconds"];
            /** @description The session's device key over the delegation. */
            readonly signature: components["schemas"]["Hex64"];
        };
        readonly CreateDelegationAnswer: {
            /** @description Also the id of the delegated session. */
            readonly delegationId: components["schemas"]["Uuid"];
            /** @description Goes in `x-capsule-sid`. */
            readonly token: string;
        };
        /**
         * @description The portal's pages.
         * @enum {string}
         */
        readonly Page: "login-password" | "login-passkey" | "create-password" | "create-passkey" | "review" | "on-ramp" | "step-up" | "export";
        readonly CreateOpeningBody: {
            /** @description Absent in links of clients that name user and record only. */
            readonly sessionId?: components["schemas"]["Id"];
            readonly userId?: components["schemas"]["Id"];
            readonly page: components["schemas"]["Page"];
            /** @description The password, passkey, pending transaction, purchase or wallet that the page is about. */
            readonly record?: components["schemas"]["Id"];
        };
        readonly Partner: {
            readonly id: components["schemas"]["Id"];
            readonly displayName: components["schemas"]["Text"];
            readonly portalUrl?: components["schemas"]["Url"];
            readonly logoUrl?: components["schemas"]["Url"];
            readonly iconUrl?: components["schemas"]["Url"];
            readonly portalHeaderLogoUrl?: components["schemas"]["Url"];
            readonly policiesEnabled: boolean;
            readonly supportedAuthMethods: readonly components["schemas"]["AuthMethod"][];
            readonly font?: components["schemas"]["Text"];
            readonly borderRadius?: components["schemas"]["Text"];
            readonly themeMode?: components["schemas"]["Text"];
            readonly accentColor?: components["schemas"]["Text"];
            readonly foregroundColor?: components["schemas"]["Text"];
            readonly backgroundColor?: components["schemas"]["Text"];
        };
        readonly CreateOpeningAnswer: {
            readonly openingId: components["schemas"]["Uuid"];
            readonly openingSecret: components["schemas"]["Hex32"];
            /**
             * @description Whether the opener can prove itself, or the page has to ask the person.
             * @enum {string}
             */
            readonly mode: "opener" | "ask";
            /** @description The only origin with which the page exchanges messages; absent for a session that a server began. */
            readonly origin?: components["schemas"]["Url"];
            readonly partner: components["schemas"]["Partner"];
            readonly loginPublicKey?: components["schemas"]["PemHex"];
            readonly devicePublicKey?: components["schemas"]["Hex65"];
            /** @description The registered one; a redirect has no answer that carries it. */
            readonly recoveryPublicKey?: components["schemas"]["Hex64"];
            /** @description Where the redirect variant ends. */
            readonly returnUrl?: components["schemas"]["Url"];
        };
        readonly OpeningState: {
            /**
             * @description LIVE while the page sends heartbeats. CLOSED also after the commit, which touch reports.
             * @enum {string}
             */
            readonly state: "LIVE" | "CLOSED";
        };
        readonly TicketBody: {
            readonly page: components["schemas"]["Page"];
            readonly record?: components["schemas"]["Id"];
        };
        readonly TicketAnswer: {
            readonly ticket: components["schemas"]["Hex32"];
        };
        /** @description With the opener's ticket; or after a silent opener with `redirect`; or, for a client without device key, with `asked`. */
        readonly TokenBody: {
            readonly openingSecret: components["schemas"]["Hex32"];
            readonly ticket?: components["schemas"]["Hex32"];
            readonly redirect?: boolean;
            /** @description With `redirect`. The hash of the proof with which the host will redeem the code. */
            readonly redeemHash?: components["schemas"]["Hex32"];
            readonly asked?: boolean;
            /** @description With `asked` on login pages, the key of the address. It becomes the session's unless it has another. */
            readonly loginPublicKey?: components["schemas"]["PemHex"];
            /** @description On export, which needs a ticket and these three fields. The X25519 key that the page made before the handshake with its opener: the handshake's nonce is its hash. */
            readonly recipientPublicKey?: components["schemas"]["Hex32"];
            /** @description On export. The signature in the opener's answer. */
            readonly deviceSignature?: components["schemas"]["Hex64"];
            /** @description On export. SHA-256 of the secret in that answer. */
            readonly hostSecretHash?: components["schemas"]["Hex32"];
        };
        /** @description The fields of one identity kind. */
        readonly Identity: {
            readonly email?: components["schemas"]["IdentityText"];
            readonly phone?: components["schemas"]["IdentityText"];
            readonly countryCode?: components["schemas"]["IdentityText"];
            readonly farcasterUsername?: components["schemas"]["IdentityText"];
            readonly telegramUserId?: components["schemas"]["IdentityText"];
            readonly externalWalletAddress?: components["schemas"]["IdentityText"];
            readonly userId?: components["schemas"]["IdentityText"];
        };
        readonly Kdf: {
            /** @constant */
            readonly algorithm: "argon2id";
            readonly memoryKiB: number;
            readonly iterations: number;
            readonly parallelism: number;
        };
        readonly TokenAnswer: {
            readonly sessionLookupId: components["schemas"]["Uuid"];
            /** @description Absent where the session has none yet. */
            readonly identity?: components["schemas"]["Identity"];
            /** @description Single use. */
            readonly challenge: components["schemas"]["Hex32"];
            readonly serverTime: components["schemas"]["Milliseconds"];
            /** @description On create-password. */
            readonly kdf?: components["schemas"]["Kdf"];
            /** @description On create-password. */
            readonly pepper?: components["schemas"]["Hex32"];
            /** @description On export and review. The credentials that the session's user has on this portal. */
            readonly authMethods?: components["schemas"]["WireAuthMethods"];
            /** @description On export and review. A credential's proof names it; the address of a public client's review has none. */
            readonly sessionId?: components["schemas"]["Uuid"];
            /** @description On export. */
            readonly walletAddress?: string;
        };
        readonly OpeningSecretBody: {
            readonly openingSecret: components["schemas"]["Hex32"];
        };
        readonly CloseBody: {
            readonly openingSecret: components["schemas"]["Hex32"];
            /**
             * @description The opener gave a wrong answer before the page had a token. It is recorded, and no heartbeat reopens the portal session.
             * @enum {string}
             */
            readonly reason?: "opener-mismatch";
        };
        readonly Hex: string;
        readonly RedeemBody: {
            /** @description Derived from the code in the fragment. */
            readonly proof: components["schemas"]["Hex32"];
            /** @description In a second call, once the host has found its own device key in the result that the code opened. */
            readonly deviceCertificate?: components["schemas"]["Hex"];
        };
        /** @enum {string} */
        readonly CredentialStatus: "PENDING" | "COMPLETE";
        /** @enum {string} */
        readonly Platform: "WEB" | "MOBILE";
        readonly CreatePasskeyBody: {
            /** @description A new record is always PENDING. */
            readonly status?: components["schemas"]["CredentialStatus"];
            readonly type?: components["schemas"]["Platform"];
        };
        readonly CredentialAnswer: {
            readonly id: components["schemas"]["Id"];
            readonly partnerId: components["schemas"]["Id"];
        };
        readonly Base64url: string;
        /**
         * @description The wrapping secret: the PRF output, or the user handle, which is weak.
         * @enum {string}
         */
        readonly PasskeyVariant: "prf" | "handle";
        readonly Passkey: {
            readonly id: components["schemas"]["Id"];
            readonly status: components["schemas"]["CredentialStatus"];
            readonly type: components["schemas"]["Platform"];
            readonly partnerId?: components["schemas"]["Id"];
            /** @description The credential id. Absent while PENDING. */
            readonly publicKey?: components["schemas"]["Base64url"];
            readonly sigDerivedPublicKey?: components["schemas"]["PemHex"];
            readonly variant?: components["schemas"]["PasskeyVariant"];
            readonly rootPublicKey?: components["schemas"]["Hex32"];
            /** @description The root key's signature over this credential. */
            readonly rootSignature?: components["schemas"]["Hex64"];
            readonly createdAt?: components["schemas"]["Time"];
        };
        readonly PasskeysAnswer: {
            readonly keys: readonly components["schemas"]["Passkey"][];
        };
        readonly PasskeyChallenge: {
            /** @description base64 text of the bytes to sign. */
            readonly challenge: string;
            readonly allowedPublicKeys?: readonly components["schemas"]["Base64url"][];
        };
        readonly AssertionSignature: {
            readonly clientDataJSON: components["schemas"]["Base64url"];
            readonly authenticatorData: components["schemas"]["Base64url"];
            readonly signature: components["schemas"]["Base64url"];
        };
        readonly VerifyUserPasskeyBody: {
            readonly signature: components["schemas"]["AssertionSignature"] | {
                readonly r: components["schemas"]["Text"];
                readonly s: components["schemas"]["Text"];
                readonly recoveryParam: number;
            };
            /** @description The credential id. Absent while PENDING. */
            readonly publicKey?: components["schemas"]["Base64url"];
        };
        /** @description COMPLETE needs all of them except the last three, which a session of the public client does not have. The user handle is never sent. */
        readonly UpdatePasskeyBody: {
            readonly status?: components["schemas"]["CredentialStatus"];
            readonly type?: components["schemas"]["Platform"];
            /** @description The credential id. Absent while PENDING. */
            readonly publicKey?: components["schemas"]["Base64url"];
            readonly sigDerivedPublicKey?: components["schemas"]["PemHex"];
            /** @description 65-byte point (ES256) or the text of an SPKI PEM (RS256). */
            readonly cosePublicKey?: components["schemas"]["Base64url"];
            readonly clientDataJSON?: components["schemas"]["Base64url"];
            readonly attestationObject?: components["schemas"]["Base64url"];
            /** @description hex without dashes. */
            readonly aaguid?: string;
            readonly variant?: components["schemas"]["PasskeyVariant"];
            readonly rootPublicKey?: components["schemas"]["Hex32"];
            readonly wrappedRootKey?: components["schemas"]["Sealed"];
            /** @description The root key's signature over this credential. */
            readonly rootSignature?: components["schemas"]["Hex64"];
            /** @description The root key's signature over the session's recovery key. */
            readonly recoverySignature?: components["schemas"]["Hex64"];
            /** @description The root key's certificate for the session's device key. */
            readonly deviceCertificate?: components["schemas"]["Hex"];
            readonly sealedResult?: components["schemas"]["Sealed"];
        };
        readonly LocationHintsAnswer: {
            readonly hints: components["schemas"]["LocationHints"];
        };
        /** @description The user handle and all other fields of an assertion are refused. */
        readonly VerifyPasskeyBody: {
            readonly signature: components["schemas"]["AssertionSignature"];
            /** @description The credential id. Absent while PENDING. */
            readonly publicKey: components["schemas"]["Base64url"];
            readonly sessionLookupId?: components["schemas"]["Id"];
            readonly newDeviceSessionLookupId?: components["schemas"]["Id"];
        };
        readonly DeviceToken: string;
        readonly ActiveShare: {
            readonly walletId: components["schemas"]["Id"];
            readonly epoch: number;
            readonly shareId: components["schemas"]["Hex32"];
        };
        /** @description What the page needs to unwrap its keys, and the active shares. The root key's fields are absent for a user who signed up with another client. */
        readonly VerifiedCredential: {
            readonly userId: components["schemas"]["Id"];
            readonly credentialId: components["schemas"]["Id"];
            readonly sigDerivedPublicKey: components["schemas"]["PemHex"];
            /** @description The wrapped RSA private key. */
            readonly ewpk: components["schemas"]["Sealed"];
            readonly rootPublicKey?: components["schemas"]["Hex32"];
            readonly wrappedRootKey?: components["schemas"]["Sealed"];
            /** @description For passwords. */
            readonly pepper?: components["schemas"]["Hex32"];
            readonly variant?: components["schemas"]["PasskeyVariant"];
            /** @description For passwords. The browser sends it with its next login to this record. */
            readonly deviceToken?: components["schemas"]["DeviceToken"];
            readonly activeShares: readonly components["schemas"]["ActiveShare"][];
        };
        readonly Hex16: string;
        /** @description Before login only id, salt and kdf, which an unknown identity has as well. */
        readonly Password: {
            readonly id: components["schemas"]["Id"];
            readonly salt: components["schemas"]["Hex16"];
            readonly kdf?: components["schemas"]["Kdf"];
            readonly userId?: components["schemas"]["Id"];
            readonly status?: components["schemas"]["CredentialStatus"];
            readonly sigDerivedPublicKey?: components["schemas"]["PemHex"];
            readonly rootPublicKey?: components["schemas"]["Hex32"];
            /** @description The root key's signature over this credential. */
            readonly rootSignature?: components["schemas"]["Hex64"];
        };
        readonly PasswordsAnswer: {
            readonly passwords: readonly components["schemas"]["Password"][];
        };
        readonly CreatePasswordBody: {
            /** @description A new record is always PENDING. */
            readonly status?: components["schemas"]["CredentialStatus"];
        };
        /** @description COMPLETE needs all of them except the last three, which a session of the public client does not have. */
        readonly UpdatePasswordBody: {
            readonly status?: components["schemas"]["CredentialStatus"];
            readonly sigDerivedPublicKey?: components["schemas"]["PemHex"];
            readonly salt?: components["schemas"]["Hex16"];
            readonly kdf?: components["schemas"]["Kdf"];
            /** @description The Ed25519 key that the password yields. */
            readonly authPublicKey?: components["schemas"]["Hex32"];
            readonly encryptedWalletPrivateKey?: components["schemas"]["Sealed"];
            readonly encryptionKeyHash?: components["schemas"]["Hex32"];
            readonly rootPublicKey?: components["schemas"]["Hex32"];
            readonly wrappedRootKey?: components["schemas"]["Sealed"];
            /** @description The root key's signature over this credential. */
            readonly rootSignature?: components["schemas"]["Hex64"];
            /** @description The root key's signature over the session's recovery key. */
            readonly recoverySignature?: components["schemas"]["Hex64"];
            /** @description The root key's certificate for the session's device key. */
            readonly deviceCertificate?: components["schemas"]["Hex"];
            readonly sealedResult?: components["schemas"]["Sealed"];
        };
        readonly VerifyPasswordBody: {
            readonly signature: components["schemas"]["Hex64"];
            /** @description The Ed25519 key that the password yields. */
            readonly publicKey: components["schemas"]["Hex32"];
            readonly passwordId: components["schemas"]["Id"];
            readonly sessionLookupId?: components["schemas"]["Id"];
            readonly newDeviceSessionLookupId?: components["schemas"]["Id"];
            /** @description Of the last login to this record in this browser. */
            readonly deviceToken?: components["schemas"]["DeviceToken"];
        };
        /** @enum {string} */
        readonly WalletScheme: "DKLS" | "CGGMP" | "ED25519";
        readonly OptionalText: string | null;
        readonly Wallet: {
            readonly id: components["schemas"]["Id"];
            readonly type: components["schemas"]["WalletType"];
            readonly scheme: components["schemas"]["WalletScheme"];
            readonly address: components["schemas"]["OptionalText"];
            readonly publicKey: components["schemas"]["OptionalText"];
            readonly name: components["schemas"]["OptionalText"];
            readonly partnerId: components["schemas"]["Id"];
            readonly partner?: components["schemas"]["Partner"];
            readonly userId: components["schemas"]["OptionalText"];
            readonly isPregen?: boolean;
            /** @description Null for a wallet that has a user. */
            readonly pregenIdentifier: string | null;
            readonly pregenIdentifierType: components["schemas"]["OptionalText"];
            readonly cosmosPrefix?: components["schemas"]["CosmosPrefix"];
            readonly keyGenComplete: boolean;
            /** @description True in `listWallets` where no backup of the sharing that stands is stored, or the database has forgotten the key, and otherwise absent. A device that made the share brings the key back and stores its backups anew. */
            readonly lacksBackup?: boolean;
            readonly createdAt: components["schemas"]["Time"];
            readonly updatedAt: components["schemas"]["Time"];
            /** Format: date-time */
            readonly lastUsedAt: string | null;
            readonly lastUsedPartnerId?: components["schemas"]["Id"];
            readonly lastUsedPartner?: components["schemas"]["Partner"];
            readonly ensName?: components["schemas"]["OptionalText"];
            readonly ensAvatar?: components["schemas"]["OptionalText"];
        };
        readonly WalletsAnswer: {
            readonly wallets: readonly components["schemas"]["Wallet"][];
        };
        /** @description DKLS, CGGMP or ED25519; by default that of the type. */
        readonly WalletSchemeText: string | null;
        /** @description By default the scheme is that of the type, and the type SOLANA for ED25519, else EVM. */
        readonly CreateWalletBody: {
            readonly type?: components["schemas"]["WalletTypeText"];
            readonly scheme?: components["schemas"]["WalletSchemeText"];
            readonly useTwoSigners?: boolean;
            readonly cosmosPrefix?: components["schemas"]["CosmosPrefix"];
            /** @description How many finished wallets of the type the caller knows of. Where the user has more, the newest is answered; without this field a wallet is made unless one is unfinished. */
            readonly known?: number;
        };
        readonly CreateWalletAnswer: {
            readonly walletId: components["schemas"]["Id"];
            readonly protocolId: components["schemas"]["Uuid"];
            /** @description Whether the caller holds the lease and its run creates the key. */
            readonly lead: boolean;
            /** @description The co-signer's name and key. The client pins the key, under which every answer to a frame is signed. */
            readonly cosigner: {
                readonly name: components["schemas"]["Text"];
                readonly publicKey: components["schemas"]["Hex65"];
            };
        };
        readonly SetWalletsBody: {
            /** @description By wallet type. */
            readonly walletIds: {
                readonly [key: string]: readonly components["schemas"]["Id"][];
            };
            readonly needsWallet?: boolean;
            readonly sessionLookupId?: components["schemas"]["Id"];
            readonly newDeviceSessionLookupId?: components["schemas"]["Id"];
            /** @description Wallets without a backup for this credential. */
            readonly missing?: readonly components["schemas"]["Id"][];
            /** @description The root key's certificate for the session's device key. */
            readonly deviceCertificate?: components["schemas"]["Hex"];
            readonly sealedResult?: components["schemas"]["Sealed"];
            /** @description This and the next two where the credential had no root key yet. */
            readonly rootPublicKey?: components["schemas"]["Hex32"];
            readonly wrappedRootKey?: components["schemas"]["Sealed"];
            readonly rootSignature?: components["schemas"]["Hex64"];
        };
        readonly BalanceAnswer: {
            /** @description In the chain's smallest unit. */
            readonly balance: string;
        };
        readonly CapsuleShareAnswer: {
            /** @description `hpke1.` and base64url. */
            readonly share: string;
        };
        readonly DistributeBody: components["schemas"]["MailLook"] & {
            readonly useDKLS?: boolean;
        };
        readonly AcceptScopesBody: {
            readonly scopeIds: readonly components["schemas"]["Id"][];
            readonly partnerId: components["schemas"]["Id"];
        };
        readonly CreatePregenWalletBody: {
            readonly pregenIdentifier: components["schemas"]["IdentityText"];
            /** @description EMAIL, PHONE or TELEGRAM; others are refused. */
            readonly pregenIdentifierType: string;
            readonly type?: components["schemas"]["WalletTypeText"];
            readonly scheme?: components["schemas"]["WalletSchemeText"];
            readonly cosmosPrefix?: components["schemas"]["CosmosPrefix"];
        };
        readonly ClaimBody: {
            readonly userId: components["schemas"]["Id"];
            readonly walletIds: readonly components["schemas"]["Id"][];
        };
        readonly ClaimAnswer: {
            readonly walletIds: readonly components["schemas"]["Id"][];
        };
        readonly PregenIdentifier: {
            readonly pregenIdentifier: components["schemas"]["IdentityText"];
            /** @description EMAIL, PHONE or TELEGRAM; others are refused. */
            readonly pregenIdentifierType: string;
        };
        /** @description base64 of at most 256 KiB. */
        readonly Payload: string;
        readonly SendTransactionBody: {
            /** @description base64. EVM: the serialised transaction; its signature fields may be there and empty. Solana: the transaction with all its signatures. Cosmos: TxRaw. */
            readonly transaction: components["schemas"]["Payload"];
            /** @description EVM: the decimal id. Else the CAIP-2 identifier, for example `solana:mainnet` or `cosmos:cosmoshub-4`. */
            readonly chainId: string;
            /** @description ETH, CELO or MATIC. */
            readonly chain?: string;
            /** @description EVM: that of the run to come. Solana, Cosmos: that of the run that signed the transaction. */
            readonly protocolId: components["schemas"]["Uuid"];
            readonly walletId?: components["schemas"]["Id"];
            /** @description Milliseconds. */
            readonly timeout?: number;
            /** @description Cosmos: base64 of the direct document that was signed. */
            readonly cosmosSignDoc?: components["schemas"]["Payload"];
        };
        readonly Signature: {
            readonly r: components["schemas"]["Hex32"];
            readonly s: components["schemas"]["Hex32"];
            /** @enum {string} */
            readonly v: "00" | "01";
        };
        /** @description EVM: as SigningAnswer. Solana, Cosmos: the hash of the transaction that was passed on. */
        readonly SendAnswer: {
            readonly pendingTransactionId?: components["schemas"]["Id"];
            readonly signature?: components["schemas"]["Signature"];
            /** @description Solana: the first signature in base58. Cosmos: the SHA-256 of TxRaw in upper-case hex. */
            readonly txHash?: string;
        };
        readonly TransactionBody: {
            /** @description base64 of the serialised transaction; its signature fields may be there and empty. */
            readonly transaction: components["schemas"]["Payload"];
            readonly chainId: string;
            /** @description ETH, CELO or MATIC. */
            readonly chain?: string;
            /** @description Made by the client. The frames of the run have the same id. */
            readonly protocolId: components["schemas"]["Uuid"];
            readonly walletId?: components["schemas"]["Id"];
            /** @description Milliseconds. */
            readonly timeout?: number;
        };
        /** @description Held for review, or approved. A 200 means nothing else. The signature is present when the run is already finished. */
        readonly SigningAnswer: {
            readonly pendingTransactionId?: components["schemas"]["Id"];
            readonly signature?: components["schemas"]["Signature"];
        };
        readonly SignMessageBody: {
            /** @description base64: for EVM of the 32-byte digest, signed as it is. */
            readonly message: components["schemas"]["Payload"];
            readonly scheme?: components["schemas"]["WalletSchemeText"];
            readonly cosmosSignDoc?: components["schemas"]["Payload"];
            /** @description Made by the client. The frames of the run have the same id. */
            readonly protocolId: components["schemas"]["Uuid"];
            readonly walletId?: components["schemas"]["Id"];
            /** @description Milliseconds. */
            readonly timeout?: number;
        };
        readonly RefreshBody: {
            readonly oldPartnerId?: components["schemas"]["Id"];
            readonly newPartnerId?: components["schemas"]["Id"];
            readonly keyShareProtocolId?: components["schemas"]["Id"];
        };
        readonly RefreshAnswer: {
            readonly protocolId: components["schemas"]["Uuid"];
        };
        readonly RefreshDoneAnswer: {
            readonly isDone: boolean;
        };
        /** @description What may leave the wallet, now or by a permission that is given. */
        readonly ReviewTransfer: {
            /** @description CAIP-19 identifier, for example `eip155:1/slip44:60`. */
            readonly asset: string;
            /** @description Decimal, in base units; `unlimited` where it has no bound. */
            readonly amount: string;
            /** @description Who receives it or may take it. */
            readonly to?: string;
            /** @description Another account may take it later. */
            readonly isApproval: boolean;
        };
        /** @description What is to be signed, as the co-signer decoded it. */
        readonly ReviewContent: {
            /** @description The class of the payload. */
            readonly kind: string;
            /** @description CAIP-2 identifier of the chain, for example `eip155:8453`, where the payload names one. */
            readonly chain?: string;
            /** @description A message as text where it is UTF-8 without control characters. */
            readonly text?: string;
            readonly transfers: readonly components["schemas"]["ReviewTransfer"][];
            readonly details: readonly {
                readonly name: string;
                readonly value: string;
            }[];
            readonly warnings: readonly {
                /** @enum {string} */
                readonly code: "ACCOUNT_DELEGATED" | "FIRST_TIME_ADDRESS" | "LOOKUP_TABLE" | "OTHER_CHAIN" | "OUTFLOW_UNKNOWN" | "UNKNOWN_CALL" | "UNKNOWN_PROGRAM" | "UNLIMITED_APPROVAL" | "UNREADABLE";
                /** @description The address, program, call or channel that it is about. */
                readonly subject?: string;
            }[];
        };
        /** @description Clients read success or failure only; the rest is for the review page, its shape ours. */
        readonly PendingTransaction: {
            readonly id: components["schemas"]["Id"];
            /** @enum {string} */
            readonly status: "PENDING" | "ACCEPTED" | "DONE";
            readonly walletId?: components["schemas"]["Id"];
            readonly origin?: components["schemas"]["Url"];
            readonly contentHash?: components["schemas"]["Hex32"];
            /** @description When it can no longer be accepted, or used once it is. */
            readonly expiresAt?: components["schemas"]["Milliseconds"];
            /** @description The person proves with their passkey or password that they accept: because the policy asks for it, or, to a page, because no ticket of its opener shows that it was opened by the session's own page. */
            readonly stepUp?: boolean;
            /**
             * @description Who has to accept; of two, of whom one has accepted alone, the other.
             * @enum {string}
             */
            readonly by?: "user" | "partner" | "both";
            readonly payload?: components["schemas"]["ReviewContent"];
        };
        readonly AcceptBody: {
            readonly contentHash?: components["schemas"]["Hex32"];
            /** @description Where `stepUp` is true to this page, the signature of the root key over the decision. */
            readonly rootSignature?: components["schemas"]["Hex64"];
        };
        readonly DecisionBody: {
            /** @description A compact JWS of the approver key in the partner's policy (ES256 or EdDSA) over `id` (of the pending transaction), `contentHash`, `decision` (`accept` or `deny`) and `exp` (seconds since 1970). */
            readonly jws: string;
        };
        /** @description A backup of the user's share, encrypted to a passkey, a password or the recovery key. It is signed by the device key, whose certificate is signed by the root key. */
        readonly KeyShare: {
            readonly walletId: components["schemas"]["Id"];
            readonly walletScheme?: components["schemas"]["WalletScheme"];
            readonly encryptedShare: string;
            /** @description Recovery backups have none. */
            readonly encryptedKey?: string;
            /** @enum {string} */
            readonly type: "USER" | "RECOVERY";
            /** @enum {string} */
            readonly encryptor: "USER" | "RECOVERY" | "BIOMETRICS" | "PASSWORD";
            readonly biometricPublicKey?: string;
            readonly passwordId?: components["schemas"]["Id"];
            readonly recoveryPublicKeyId?: components["schemas"]["Id"];
            readonly partnerId?: components["schemas"]["Id"];
            readonly protocolId?: components["schemas"]["Id"];
            readonly shareId?: components["schemas"]["Hex32"];
            readonly epoch?: number;
            readonly deviceSignature?: components["schemas"]["Hex64"];
            readonly certificate?: components["schemas"]["Hex"];
        };
        readonly WalletKeySharesAnswer: {
            /** @description The newest, if there is one. */
            readonly keyShare?: components["schemas"]["KeyShare"];
            readonly keyShares: readonly components["schemas"]["KeyShare"][];
        };
        readonly WalletKeyShareBody: {
            readonly encryptedShare: string;
            /** @description Recovery backups have none. */
            readonly encryptedKey?: string;
            /** @enum {string} */
            readonly type: "USER" | "RECOVERY";
            /** @enum {string} */
            readonly encryptor: "USER" | "RECOVERY" | "BIOMETRICS" | "PASSWORD";
            readonly biometricPublicKey?: string;
            readonly passwordId?: components["schemas"]["Id"];
            readonly recoveryPublicKeyId?: components["schemas"]["Id"];
            readonly partnerId?: components["schemas"]["Id"];
            readonly protocolId?: components["schemas"]["Id"];
            readonly shareId?: components["schemas"]["Hex32"];
            readonly epoch?: number;
            readonly deviceSignature?: components["schemas"]["Hex64"];
            readonly certificate?: components["schemas"]["Hex"];
        };
        readonly WalletKeySharesBody: {
            readonly keyShares: readonly components["schemas"]["WalletKeyShareBody"][];
        };
        readonly KeySharesBody: {
            /** @description May be empty. */
            readonly keyShares: readonly {
                readonly walletId: components["schemas"]["Id"];
                readonly encryptedShare: string;
                /** @description Recovery backups have none. */
                readonly encryptedKey?: string;
                /** @enum {string} */
                readonly type: "USER" | "RECOVERY";
                /** @enum {string} */
                readonly encryptor: "USER" | "RECOVERY" | "BIOMETRICS" | "PASSWORD";
                readonly biometricPublicKey?: string;
                readonly passwordId?: components["schemas"]["Id"];
                readonly recoveryPublicKeyId?: components["schemas"]["Id"];
                readonly partnerId?: components["schemas"]["Id"];
                readonly protocolId?: components["schemas"]["Id"];
                readonly shareId?: components["schemas"]["Hex32"];
                readonly epoch?: number;
                readonly deviceSignature?: components["schemas"]["Hex64"];
                readonly certificate?: components["schemas"]["Hex"];
            }[];
        };
        readonly KeySharesAnswer: {
            readonly keyShares: readonly components["schemas"]["KeyShare"][];
        };
        readonly TemporarySharesAnswer: {
            readonly temporaryShares: readonly {
                readonly userId?: components["schemas"]["Id"];
                readonly walletId: components["schemas"]["Id"];
                readonly encryptedShare: string;
                readonly encryptedKey?: string;
            }[];
        };
        readonly TemporarySharesBody: {
            readonly shares: readonly {
                readonly walletId: components["schemas"]["Id"];
                readonly encryptedShare: string;
                readonly encryptedKey?: string;
                readonly sessionLookupId: components["schemas"]["Id"];
            }[];
        };
        readonly RecoveryPublicKeysAnswer: {
            readonly recoveryPublicKeys: readonly {
                readonly id: components["schemas"]["Id"];
                readonly publicKey: components["schemas"]["Hex64"];
                readonly rootSignature?: components["schemas"]["Hex64"];
            }[];
        };
        readonly RecoveryPublicKeysBody: {
            readonly publicKeys: readonly components["schemas"]["Hex64"][];
            /** @description The root key's signature over each key, from the page's result. Without it no other device trusts the key. */
            readonly rootSignatures?: readonly components["schemas"]["Hex64"][];
        };
        readonly EncryptedWalletPrivateKeyBody: {
            readonly encryptedWalletPrivateKey: components["schemas"]["Sealed"];
            readonly encryptionKeyHash: components["schemas"]["Hex32"];
            readonly biometricPublicKey?: string;
            readonly passwordId?: components["schemas"]["Id"];
        };
        readonly EncryptedWalletPrivateKey: {
            readonly id: components["schemas"]["Id"];
            readonly userId: components["schemas"]["Id"];
            readonly encryptedPrivateKey: components["schemas"]["Sealed"];
            readonly encryptionKeyHash: components["schemas"]["Hex32"];
            readonly biometricPublicKey?: string;
            readonly passwordId?: components["schemas"]["Id"];
        };
        readonly EncryptedWalletPrivateKeyAnswer: {
            readonly encryptedWalletPrivateKey: components["schemas"]["EncryptedWalletPrivateKey"];
        };
        readonly EncryptedWalletPrivateKeysAnswer: {
            readonly encryptedPrivateKeys: readonly components["schemas"]["EncryptedWalletPrivateKey"][];
        };
        readonly TransmissionBody: {
            readonly message: string;
            readonly userId?: components["schemas"]["Id"];
        };
        readonly TransmissionAnswer: {
            /** @description Contains no vertical bar, which separates it in links. */
            readonly id: components["schemas"]["Id"];
        };
        readonly Transmission: {
            readonly message: string;
        };
        readonly EmailBody: {
            readonly email?: components["schemas"]["IdentityText"];
        };
        readonly EmailCodeBody: {
            readonly email?: components["schemas"]["IdentityText"];
            readonly verificationCode: components["schemas"]["VerificationCode"];
        };
        readonly RecoverableWallet: {
            readonly walletId: components["schemas"]["Id"];
            readonly type: components["schemas"]["WalletType"];
            readonly scheme: components["schemas"]["WalletScheme"];
            readonly address: components["schemas"]["Text"];
            /** @description The wallet's own; compressed where it is a point of secp256k1. */
            readonly publicKey: components["schemas"]["Hex"];
            readonly epoch: number;
            /** @description Of the sharing that stands; its backups are the ones listed. */
            readonly shareId: components["schemas"]["Hex32"];
            readonly partnerId: components["schemas"]["Id"];
            readonly partnerName: components["schemas"]["Text"];
        };
        readonly RecoveryAnswer: {
            readonly userId: components["schemas"]["Id"];
            /** @description Every wallet of the user that has a key, whatever the partner and whether or not it is locked. */
            readonly wallets: readonly components["schemas"]["RecoverableWallet"][];
        };
        /** @description An e-mail, or a phone with its country code. */
        readonly InitBody: {
            readonly email?: components["schemas"]["IdentityText"];
            readonly phone?: components["schemas"]["IdentityText"];
            readonly countryCode?: components["schemas"]["IdentityText"];
        };
        readonly PhoneCodeBody: {
            readonly phone?: components["schemas"]["IdentityText"];
            readonly countryCode?: components["schemas"]["IdentityText"];
            readonly verificationCode: components["schemas"]["VerificationCode"];
        };
        readonly CompletionBody: {
            /** @description The wallets that are not recovered. They are locked, and stay under the root key that they have. */
            readonly leftBehind: readonly components["schemas"]["Id"][];
            /** @description With wallets left behind, a recovery key of the user that the root key signed, before this recovery. */
            readonly recoveryPublicKey?: components["schemas"]["Hex64"];
            /** @description By that key over session, user, new root key and the wallets left behind, as the secret was tried on them. */
            readonly signature?: components["schemas"]["Hex64"];
        };
        readonly TwoFactorStatus: {
            readonly isSetup: boolean;
        };
        readonly TwoFactorSetup: {
            /** @description An otpauth address, shown once. */
            readonly uri: components["schemas"]["Url"];
        };
        /** @description An e-mail, or a phone with its country code. */
        readonly TwoFactorBody: {
            readonly email?: components["schemas"]["IdentityText"];
            readonly phone?: components["schemas"]["IdentityText"];
            readonly countryCode?: components["schemas"]["IdentityText"];
            readonly verificationCode: components["schemas"]["VerificationCode"];
        };
        readonly TwoFactorAnswer: {
            readonly initiatedAt: components["schemas"]["Time"];
            /** @enum {string} */
            readonly status: "INITIATED" | "READY" | "EXPIRED" | "FINISHED" | "CANCELLED";
            readonly userId: components["schemas"]["Id"];
            readonly wallets: readonly components["schemas"]["Wallet"][];
        };
        readonly FarcasterInitBody: {
            readonly deeplinkUrl?: components["schemas"]["Url"];
        };
        readonly FarcasterInitAnswer: {
            readonly connect_uri: components["schemas"]["Url"];
        };
        readonly FarcasterStatus: {
            /** @description pending or completed; the rest is there when completed. */
            readonly state: string;
            readonly userId?: components["schemas"]["Id"];
            readonly userExists?: boolean;
            readonly username?: components["schemas"]["IdentityText"];
            readonly pfpUrl?: components["schemas"]["Url"];
        };
        readonly PartnerAnswer: {
            readonly partner: components["schemas"]["Partner"];
        };
        readonly ConversionRate: {
            readonly symbol: components["schemas"]["Text"];
            readonly currency: components["schemas"]["Text"];
            readonly rate: components["schemas"]["Text"];
        };
        readonly GasEstimate: {
            /** @description In the chain's smallest unit. */
            readonly estimate: components["schemas"]["Text"];
        };
        readonly GasOracle: {
            readonly low: components["schemas"]["Text"];
            readonly average: components["schemas"]["Text"];
            readonly high: components["schemas"]["Text"];
        };
        /** @enum {string} */
        readonly OnRampProvider: "RAMP" | "STRIPE" | "MOONPAY";
        readonly OnRampConfig: {
            readonly isBuyEnabled: boolean;
            readonly isReceiveEnabled: boolean;
            readonly isWithdrawEnabled: boolean;
            /** @description By wallet type, network, asset and provider; the provider's code and what can be done. */
            readonly assetInfo: {
                readonly [key: string]: {
                    readonly [key: string]: {
                        readonly [key: string]: {
                            readonly [key: string]: readonly unknown[];
                        };
                    };
                };
            };
            readonly providers: readonly components["schemas"]["OnRampProvider"][];
            /** @description By network, true for all or a list. */
            readonly allowedAssets?: {
                readonly [key: string]: unknown;
            };
            readonly rampApiKey?: components["schemas"]["Text"];
            readonly defaultOnRampAsset?: components["schemas"]["Text"];
            readonly defaultOnRampNetwork?: components["schemas"]["Text"];
            readonly defaultBuyAmount?: readonly components["schemas"]["Text"][];
        };
        readonly CreatePurchaseBody: {
            /** @description BUY or SELL. */
            readonly type?: string;
            readonly walletId?: components["schemas"]["OptionalText"];
            readonly walletType?: components["schemas"]["OptionalText"];
            readonly externalWalletAddress?: components["schemas"]["OptionalText"];
            readonly address?: components["schemas"]["OptionalText"];
            /** @description INITIATED, FINISHED or CANCELLED. */
            readonly status?: string;
            /** @description RAMP, STRIPE or MOONPAY. */
            readonly provider?: string;
            readonly providerKey?: components["schemas"]["OptionalText"];
            readonly fiat?: components["schemas"]["OptionalText"];
            readonly fiatQuantity?: components["schemas"]["OptionalText"];
            readonly asset?: string;
            readonly assetQuantity?: components["schemas"]["OptionalText"];
            readonly network?: components["schemas"]["OptionalText"];
            readonly testMode?: boolean;
            /** @description A list or `all`. */
            readonly networks?: "all" | readonly string[];
            /** @description A list or `all`. */
            readonly assets?: "all" | readonly string[];
            readonly defaultNetwork?: string;
            readonly defaultAsset?: string;
        };
        readonly Purchase: {
            readonly id: components["schemas"]["Id"];
            readonly userId: components["schemas"]["Id"];
            /** @description BUY or SELL. */
            readonly type?: string;
            readonly walletId?: components["schemas"]["OptionalText"];
            readonly walletType?: components["schemas"]["OptionalText"];
            readonly externalWalletAddress?: components["schemas"]["OptionalText"];
            readonly address?: components["schemas"]["OptionalText"];
            /** @description INITIATED, FINISHED or CANCELLED. */
            readonly status?: string;
            /** @description RAMP, STRIPE or MOONPAY. */
            readonly provider?: string;
            readonly providerKey?: components["schemas"]["OptionalText"];
            readonly fiat?: components["schemas"]["OptionalText"];
            readonly fiatQuantity?: components["schemas"]["OptionalText"];
            readonly asset?: string;
            readonly assetQuantity?: components["schemas"]["OptionalText"];
            readonly network?: components["schemas"]["OptionalText"];
            readonly testMode?: boolean;
        };
        /** @description Quantities are texts. */
        readonly PurchaseFields: {
            /** @description BUY or SELL. */
            readonly type?: string;
            readonly walletId?: components["schemas"]["OptionalText"];
            readonly walletType?: components["schemas"]["OptionalText"];
            readonly externalWalletAddress?: components["schemas"]["OptionalText"];
            readonly address?: components["schemas"]["OptionalText"];
            /** @description INITIATED, FINISHED or CANCELLED. */
            readonly status?: string;
            /** @description RAMP, STRIPE or MOONPAY. */
            readonly provider?: string;
            readonly providerKey?: components["schemas"]["OptionalText"];
            readonly fiat?: components["schemas"]["OptionalText"];
            readonly fiatQuantity?: components["schemas"]["OptionalText"];
            readonly asset?: string;
            readonly assetQuantity?: components["schemas"]["OptionalText"];
            readonly network?: components["schemas"]["OptionalText"];
            readonly testMode?: boolean;
        };
        readonly MoonpayBody: {
            readonly url: components["schemas"]["Url"];
            readonly type: components["schemas"]["WalletTypeText"];
            readonly cosmosPrefix?: components["schemas"]["CosmosPrefix"];
            readonly testMode?: boolean;
        };
        readonly MoonpayAnswer: {
            readonly signature: components["schemas"]["Text"];
        };
        readonly GenerateOffRampBody: {
            readonly provider: components["schemas"]["Text"];
            readonly testMode?: boolean;
            readonly chainId: string;
            readonly contractAddress?: components["schemas"]["OptionalText"];
            readonly walletId: components["schemas"]["Id"];
            readonly walletType: components["schemas"]["WalletTypeText"];
            readonly destinationAddress: components["schemas"]["Text"];
            readonly sourceAddress: components["schemas"]["Text"];
            readonly assetQuantity: components["schemas"]["Text"];
        };
        readonly GenerateOffRampAnswer: {
            readonly tx: components["schemas"]["Payload"];
            readonly message?: components["schemas"]["Payload"];
            readonly asset: components["schemas"]["Text"];
            readonly network: components["schemas"]["Text"];
        };
        readonly SendOffRampBody: {
            readonly tx: components["schemas"]["Payload"];
            readonly signature: components["schemas"]["Text"];
            readonly sourceAddress?: components["schemas"]["Text"];
            readonly network: components["schemas"]["Text"];
            readonly walletType: components["schemas"]["WalletTypeText"];
        };
        readonly SendOffRampAnswer: {
            readonly txHash: components["schemas"]["Text"];
        };
        readonly CosignerKeys: {
            /** @description The co-signer's name. */
            readonly name: components["schemas"]["Text"];
            readonly links: readonly {
                readonly oldPublicKey: components["schemas"]["Hex65"];
                readonly newPublicKey: components["schemas"]["Hex65"];
                readonly from: components["schemas"]["Milliseconds"];
                /** @description Whether another than the co-signer may have used the old key. The client then renews what it made under it. */
                readonly isCompromised: boolean;
                /** @description By the old key, over name, both keys, time and mark. */
                readonly signature: components["schemas"]["Hex64"];
            }[];
        };
        readonly SdkErrorBody: {
            readonly methodName: components["schemas"]["Text"];
            /** @description WEB, SERVER, BRIDGE or REACT_NATIVE. */
            readonly sdkType: string;
            readonly userId?: components["schemas"]["Id"];
            readonly error: {
                readonly name?: components["schemas"]["Text"];
                /** @description The message; an object where the failed answer was one. */
                readonly message?: string | {
                    readonly [key: string]: unknown;
                };
            };
        };
        readonly ReactSdkBody: {
            readonly props?: {
                readonly [key: string]: unknown;
            };
            readonly reactSdkVersion?: components["schemas"]["Text"];
        };
    };
    responses: {
        /** @description Not exactly one identity, or an incomplete one. */
        readonly InvalidAuthObject: {
            headers: {
                readonly "x-error-code": components["headers"]["ErrorCode"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "text/plain": components["schemas"]["Sentence"];
            };
        };
        /** @description No API key, or an unknown one. */
        readonly ApiKeyRequired: {
            headers: {
                readonly "x-error-code": components["headers"]["ErrorCode"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "text/plain": components["schemas"]["Sentence"];
            };
        };
        /** @description Not a page of the partner, not the page that began the session, not the session's device, or a frozen partner or user. */
        readonly NotAllowed: {
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
        /** @description The user has a complete credential. A further one takes a step-up or a recovery. */
        readonly UserAlreadyExists: {
            headers: {
                readonly "x-error-code": components["headers"]["ErrorCode"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "text/plain": components["schemas"]["Sentence"];
            };
        };
        /** @description The body is larger than 256 KiB. */
        readonly BodyTooLarge: {
            headers: {
                readonly "x-error-code": components["headers"]["ErrorCode"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "text/plain": components["schemas"]["Sentence"];
            };
        };
        /** @description The idempotency key was used for another request. */
        readonly IdempotencyKeyReused: {
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
        /** @description No session, or one whose state does not permit this call. */
        readonly NoSignedInUser: {
            headers: {
                readonly "x-error-code": components["headers"]["ErrorCode"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "text/plain": components["schemas"]["Sentence"];
            };
        };
        /** @description This service does not answer the call yet. */
        readonly NotImplemented: {
            headers: {
                readonly "x-error-code": components["headers"]["ErrorCode"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "text/plain": components["schemas"]["Sentence"];
            };
        };
        /** @description No wallet of this type or scheme can be made here. */
        readonly UnsupportedWalletType: {
            headers: {
                readonly "x-error-code": components["headers"]["ErrorCode"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "text/plain": components["schemas"]["Sentence"];
            };
        };
        /** @description Done. */
        readonly Done: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /** @example {} */
                readonly "application/json": components["schemas"]["Empty"];
            };
        };
        /** @description The code is wrong, used, too old, or another session's. */
        readonly InvalidVerificationCode: {
            headers: {
                readonly "x-error-code": components["headers"]["ErrorCode"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "text/plain": components["schemas"]["Sentence"];
            };
        };
        /** @description Not RSA 2048 with e 65537, not a point on the curve, or a proof that does not verify. */
        readonly InvalidSessionKeys: {
            headers: {
                readonly "x-error-code": components["headers"]["ErrorCode"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "text/plain": components["schemas"]["Sentence"];
            };
        };
        /** @description A device key is written once; a login key cannot be replaced while a portal session uses it. */
        readonly SessionKeysAreSet: {
            headers: {
                readonly "x-error-code": components["headers"]["ErrorCode"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "text/plain": components["schemas"]["Sentence"];
            };
        };
        /** @description No secret key; or the JWT is not one of ours for this partner, or it or its session is over. */
        readonly InvalidSessionJwt: {
            headers: {
                readonly "x-error-code": components["headers"]["ErrorCode"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "text/plain": components["schemas"]["Sentence"];
            };
        };
        /** @description Not a point on the curve, a signature that does not verify, or a time beyond that of the device's certificate; or the user has as many delegated sessions at the partner as there may be. */
        readonly InvalidDelegation: {
            headers: {
                readonly "x-error-code": components["headers"]["ErrorCode"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "text/plain": components["schemas"]["Sentence"];
            };
        };
        /** @description The partner allows no delegations, or the device may not delegate. */
        readonly DelegationRefused: {
            headers: {
                readonly "x-error-code": components["headers"]["ErrorCode"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "text/plain": components["schemas"]["Sentence"];
            };
        };
        /** @description It was not proven that the session's own page opened this page. */
        readonly OpenerNotProven: {
            headers: {
                readonly "x-error-code": components["headers"]["ErrorCode"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "text/plain": components["schemas"]["Sentence"];
            };
        };
        /** @description The portal session or its session is over. */
        readonly LinkExpired: {
            headers: {
                readonly "x-error-code": components["headers"]["ErrorCode"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "text/plain": components["schemas"]["Sentence"];
            };
        };
        /** @description A check on the wallet's oblivious transfers failed. A fresh login and a refresh unlock the wallet. */
        readonly KeyShareLocked: {
            headers: {
                readonly "x-error-code": components["headers"]["ErrorCode"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "text/plain": components["schemas"]["Sentence"];
            };
        };
        /** @description The session's login key is not the link's. */
        readonly LoginKeyMismatch: {
            headers: {
                readonly "x-error-code": components["headers"]["ErrorCode"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "text/plain": components["schemas"]["Sentence"];
            };
        };
        /** @description The session belongs to another user. */
        readonly OtherAccount: {
            headers: {
                readonly "x-error-code": components["headers"]["ErrorCode"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "text/plain": components["schemas"]["Sentence"];
            };
        };
        /** @description The assertion does not verify, or the passkey is unknown. */
        readonly UnknownPasskey: {
            headers: {
                readonly "x-error-code": components["headers"]["ErrorCode"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "text/plain": components["schemas"]["Sentence"];
            };
        };
        /** @description A field is missing, malformed or too weak, or a signature does not verify. */
        readonly InvalidCredential: {
            headers: {
                readonly "x-error-code": components["headers"]["ErrorCode"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "text/plain": components["schemas"]["Sentence"];
            };
        };
        /** @description The identity is missing, or of a kind without hints. */
        readonly LocationHintsNeedIdentity: {
            headers: {
                readonly "x-error-code": components["headers"]["ErrorCode"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "text/plain": components["schemas"]["Sentence"];
            };
        };
        /** @description The proof of the password does not verify. */
        readonly InvalidPassword: {
            headers: {
                readonly "x-error-code": components["headers"]["ErrorCode"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "text/plain": components["schemas"]["Sentence"];
            };
        };
        /** @description The wallet's scheme has no key export. */
        readonly InvalidWalletScheme: {
            headers: {
                readonly "x-error-code": components["headers"]["ErrorCode"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "text/plain": components["schemas"]["Sentence"];
            };
        };
        /** @description No credential was presented for this export just now, or the partner does not allow exports. */
        readonly ExportRefused: {
            headers: {
                readonly "x-error-code": components["headers"]["ErrorCode"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "text/plain": components["schemas"]["Sentence"];
            };
        };
        /** @description Another device or run uses the wallet, or this device's share is not the active one. */
        readonly WalletBusy: {
            headers: {
                readonly "x-error-code": components["headers"]["ErrorCode"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "text/plain": components["schemas"]["Sentence"];
            };
        };
        /** @description The request is not valid, or the chain's node refuses the transaction. */
        readonly SendRefused: {
            headers: {
                readonly "x-error-code": components["headers"]["ErrorCode"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "text/plain": components["schemas"]["Sentence"];
            };
        };
        /** @description The partner's policy does not allow it. */
        readonly DeniedByPolicy: {
            headers: {
                readonly "x-error-code": components["headers"]["ErrorCode"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "text/plain": components["schemas"]["Sentence"];
            };
        };
        /** @description The wallet does not exist, or belongs to another user or partner. The bytes are the same. */
        readonly WalletNotFound: {
            headers: {
                readonly "x-error-code": components["headers"]["ErrorCode"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "text/plain": components["schemas"]["Sentence"];
            };
        };
        /** @description It was decided before, is decided by another, or is not what the decision is about. */
        readonly ReviewDecided: {
            headers: {
                readonly "x-error-code": components["headers"]["ErrorCode"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "text/plain": components["schemas"]["Sentence"];
            };
        };
        /** @description The token is not of the approver in the partner's policy, is about another review, or its time is over. */
        readonly DecisionRefused: {
            headers: {
                readonly "x-error-code": components["headers"]["ErrorCode"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "text/plain": components["schemas"]["Sentence"];
            };
        };
        /** @description Not a frame, not one of this session, or a digest that is not the payload's. */
        readonly InvalidFrame: {
            headers: {
                readonly "x-error-code": components["headers"]["ErrorCode"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "text/plain": components["schemas"]["Sentence"];
            };
        };
        /** @description The device may not do this, or the partner's policy does not allow it. */
        readonly FrameRefused: {
            headers: {
                readonly "x-error-code": components["headers"]["ErrorCode"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "text/plain": components["schemas"]["Sentence"];
            };
        };
    };
    parameters: {
        /** @description A repeated request with the same key has one effect and the same answer. */
        readonly idempotencyKey: string;
        readonly email: components["schemas"]["IdentityText"];
        readonly phone: components["schemas"]["IdentityText"];
        readonly countryCode: components["schemas"]["IdentityText"];
        readonly farcasterUsername: components["schemas"]["IdentityText"];
        readonly telegramUserId: components["schemas"]["IdentityText"];
        readonly externalWalletAddress: components["schemas"]["IdentityText"];
        readonly identityUserId: components["schemas"]["IdentityText"];
        readonly userId: components["schemas"]["Id"];
        readonly ofPartner: components["schemas"]["Id"];
        /**
         * @description `wait=20`: answer when there is news, at the latest after this number of seconds (at most 20).
         * @example wait=20
         */
        readonly prefer: string;
        readonly sessionLookupId: components["schemas"]["Id"];
        readonly sessionId: components["schemas"]["Id"];
        readonly delegationId: components["schemas"]["Id"];
        readonly openingId: components["schemas"]["Id"];
        readonly passkeyId: components["schemas"]["Id"];
        readonly passwordId: components["schemas"]["Id"];
        readonly walletId: components["schemas"]["Id"];
        /** @description The user; for an unclaimed pregenerated wallet its partner. */
        readonly ownerId: components["schemas"]["Id"];
        readonly pendingTransactionId: components["schemas"]["Id"];
        /** @description Of all partners; for the connect host only. */
        readonly all: components["schemas"]["BooleanText"];
        readonly ofPassword: components["schemas"]["Id"];
        readonly ofLookupId: components["schemas"]["Id"];
        /** @description The key hash, or the record's id. */
        readonly encryptionKeyHash: components["schemas"]["Id"];
        readonly transmissionId: components["schemas"]["Id"];
        /** @description google, twitter, apple, discord, facebook, farcaster or telegram. */
        readonly method: string;
        readonly partnerId: components["schemas"]["Id"];
        readonly chainId: string;
        readonly purchaseId: components["schemas"]["Id"];
        readonly address: components["schemas"]["IdentityText"];
    };
    requestBodies: never;
    headers: {
        /**
         * @description The session's token. It replaces the one that the client holds.
         * @example q1uZ0cQ0yq7j1V8Gm3nT5rXw9bKd2fLh4sPa6eYiOcE
         */
        readonly Session: string;
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
        /**
         * @description For how many seconds every cache may keep the answer.
         * @example public, max-age=600
         */
        readonly CacheControl: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly createUser: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description A repeated request with the same key has one effect and the same answer. */
                readonly "idempotency-key"?: components["parameters"]["idempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "email": "ada@example.com",
                 *       "theme": "light"
                 *     }
                 */
                readonly "application/json": components["schemas"]["CreateUserBody"];
            };
        };
        readonly responses: {
            /** @description The user. A code was sent. */
            readonly 200: {
                headers: {
                    readonly "x-capsule-sid": components["headers"]["Session"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "userId": "8c5d2f0e-53a1-4f0b-9a55-0f4d3f4f3f11"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["CreateUserAnswer"];
                };
            };
            readonly 400: components["responses"]["InvalidAuthObject"];
            readonly 401: components["responses"]["ApiKeyRequired"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["UserAlreadyExists"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 422: components["responses"]["IdempotencyKeyReused"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly checkUserExists: {
        readonly parameters: {
            readonly query?: {
                readonly email?: components["parameters"]["email"];
                readonly phone?: components["parameters"]["phone"];
                readonly countryCode?: components["parameters"]["countryCode"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description In strict mode always the same. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "exists": true
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ExistsAnswer"];
                };
            };
            readonly 400: components["responses"]["InvalidAuthObject"];
            readonly 401: components["responses"]["ApiKeyRequired"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly verifyTelegram: {
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
                 *       "authObject": {
                 *         "auth_date": 1760000000,
                 *         "hash": "c0ffee",
                 *         "id": 42,
                 *         "username": "ada"
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["TelegramBody"];
            };
        };
        readonly responses: {
            /** @description Valid or not. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "isValid": true,
                     *       "userId": "8c5d2f0e-53a1-4f0b-9a55-0f4d3f4f3f11",
                     *       "telegramUserId": "42",
                     *       "isNewUser": true,
                     *       "supportedAuthMethods": []
                     *     }
                     */
                    readonly "application/json": components["schemas"]["TelegramAnswer"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 501: components["responses"]["NotImplemented"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly getSupportedAuthMethods: {
        readonly parameters: {
            readonly query?: {
                readonly email?: components["parameters"]["email"];
                readonly phone?: components["parameters"]["phone"];
                readonly countryCode?: components["parameters"]["countryCode"];
                readonly farcasterUsername?: components["parameters"]["farcasterUsername"];
                readonly telegramUserId?: components["parameters"]["telegramUserId"];
                readonly externalWalletAddress?: components["parameters"]["externalWalletAddress"];
                readonly userId?: components["parameters"]["identityUserId"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The methods. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "supportedAuthMethods": [
                     *         "PASSWORD"
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["AuthMethodsAnswer"];
                };
            };
            readonly 400: components["responses"]["InvalidAuthObject"];
            readonly 401: components["responses"]["ApiKeyRequired"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly loginExternalWallet: {
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
                 *       "externalAddress": "0x52908400098527886E0F7030069857D2E4169EE7",
                 *       "type": "EVM",
                 *       "externalWalletProvider": "metamask"
                 *     }
                 */
                readonly "application/json": components["schemas"]["ExternalWalletLoginBody"];
            };
        };
        readonly responses: {
            /** @description The user, and what the wallet has to sign. */
            readonly 200: {
                headers: {
                    readonly "x-capsule-sid": components["headers"]["Session"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "userId": "8c5d2f0e-53a1-4f0b-9a55-0f4d3f4f3f11",
                     *       "userExists": false,
                     *       "isVerified": false,
                     *       "signatureVerificationMessage": "Sign in"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ExternalWalletLoginAnswer"];
                };
            };
            readonly 400: components["responses"]["UnsupportedWalletType"];
            readonly 401: components["responses"]["ApiKeyRequired"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 501: components["responses"]["NotImplemented"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly getUser: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The user. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "userId": "8c5d2f0e-53a1-4f0b-9a55-0f4d3f4f3f11",
                     *       "email": "a***@example.com"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["User"];
                };
            };
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly deleteUser: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["Done"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 501: components["responses"]["NotImplemented"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly verifyEmail: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "verificationCode": "493027"
                 *     }
                 */
                readonly "application/json": components["schemas"]["CodeBody"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Done"];
            readonly 400: components["responses"]["InvalidVerificationCode"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly verifyIdentifier: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "verificationCode": "493027"
                 *     }
                 */
                readonly "application/json": components["schemas"]["CodeBody"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Done"];
            readonly 400: components["responses"]["InvalidVerificationCode"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 501: components["responses"]["NotImplemented"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly verifyExternalWallet: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "address": "0x52908400098527886E0F7030069857D2E4169EE7",
                 *       "signedMessage": "0x1b2c"
                 *     }
                 */
                readonly "application/json": components["schemas"]["ExternalWalletProof"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Done"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 501: components["responses"]["NotImplemented"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly listOAuthAccounts: {
        readonly parameters: {
            readonly query?: {
                readonly partnerId?: components["parameters"]["ofPartner"];
            };
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The accounts. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "accountMetadata": {
                     *         "google": {
                     *           "date": "2026-01-01T00:00:00.000Z",
                     *           "metadata": {
                     *             "name": "Ada"
                     *           }
                     *         }
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["OAuthAccounts"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 501: components["responses"]["NotImplemented"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly resendVerificationCode: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                /**
                 * @example {
                 *       "theme": "dark"
                 *     }
                 */
                readonly "application/json": components["schemas"]["MailLook"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Done"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["UserAlreadyExists"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly resendVerificationCodeByPhone: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                /**
                 * @example {
                 *       "theme": "dark"
                 *     }
                 */
                readonly "application/json": components["schemas"]["MailLook"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Done"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 501: components["responses"]["NotImplemented"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly login: {
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
                 *       "email": "ada@example.com"
                 *     }
                 */
                readonly "application/json": components["schemas"]["LoginBody"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Done"];
            readonly 400: components["responses"]["InvalidAuthObject"];
            readonly 401: components["responses"]["ApiKeyRequired"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 501: components["responses"]["NotImplemented"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly verifyLoginEmail: {
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
                 *       "verificationCode": "493027"
                 *     }
                 */
                readonly "application/json": components["schemas"]["CodeBody"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Done"];
            readonly 400: components["responses"]["InvalidVerificationCode"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 501: components["responses"]["NotImplemented"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly touchSession: {
        readonly parameters: {
            readonly query?: {
                /** @description Before authentication a new record with the same identity, or without one if the record was superseded before. After it a new token, for which the session's device key has to sign; without the signature the token stays. */
                readonly regenerate?: components["schemas"]["BooleanText"];
            };
            readonly header?: {
                /**
                 * @description `wait=20`: answer when there is news, at the latest after this number of seconds (at most 20).
                 * @example wait=20
                 */
                readonly prefer?: components["parameters"]["prefer"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The session. Its token is in the header when it is new. */
            readonly 200: {
                headers: {
                    readonly "x-capsule-sid": components["headers"]["Session"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "isAuthenticated": false,
                     *       "sessionId": "3d0b2a55-6f0c-4c2b-8a43-1f5f7c1f8a01",
                     *       "sessionLookupId": "0f6f9a0e-7d44-4b7e-9f0a-6a1f0a2b3c4d",
                     *       "partnerId": "2b6a1a55-0f36-44e0-9d5b-6b9f0f5e7a10",
                     *       "currentWalletIds": {},
                     *       "needsWallet": false,
                     *       "supportedWalletTypes": [
                     *         {
                     *           "type": "EVM"
                     *         },
                     *         {
                     *           "type": "SOLANA",
                     *           "optional": true
                     *         }
                     *       ],
                     *       "cosmosPrefix": "cosmos",
                     *       "serverTime": 1760000000000,
                     *       "operator": {
                     *         "name": "Corner Bank"
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["SessionTouch"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["ApiKeyRequired"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly getSessionOrigin: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly sessionLookupId: components["parameters"]["sessionLookupId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The origin. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "origin": "https://shop.example"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["SessionOrigin"];
                };
            };
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly registerSessionKeys: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly sessionId: components["parameters"]["sessionId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "devicePublicKey": "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c2964fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5",
                 *       "proof": "5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f"
                 *     }
                 */
                readonly "application/json": components["schemas"]["SessionKeysBody"];
            };
        };
        readonly responses: {
            /** @description Registered; the same body again has the same answer. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "loginKeyThumbprint": "5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["SessionKeysAnswer"];
                };
            };
            readonly 400: components["responses"]["InvalidSessionKeys"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["SessionKeysAreSet"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly keepSessionAlive: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["Done"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly createSessionJwt: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The JWT; it is valid for five minutes. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "token": "eyJhbGciOiJFUzI1NiJ9.e30.c2lnbmF0dXJl"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["SessionJwt"];
                };
            };
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly verifySessionJwt: {
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
                 *       "token": "eyJhbGciOiJFUzI1NiJ9.e30.c2lnbmF0dXJl"
                 *     }
                 */
                readonly "application/json": components["schemas"]["SessionJwt"];
            };
        };
        readonly responses: {
            /** @description The session, as it is now. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "userId": "8c1d2e3f-4a5b-4c6d-8e7f-90a1b2c3d4e5",
                     *       "sessionLookupId": "0f6f9a0e-7d44-4b7e-9f0a-6a1f0a2b3c4d",
                     *       "origin": "https://shop.example",
                     *       "authMethod": "PASSKEY",
                     *       "authenticatedAt": "2026-01-02T03:04:05.000Z",
                     *       "wallets": []
                     *     }
                     */
                    readonly "application/json": components["schemas"]["VerifiedSession"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["InvalidSessionJwt"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly getJwks: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The keys; one stands here for a day before it signs, and until its last JWT is over. */
            readonly 200: {
                headers: {
                    readonly "cache-control": components["headers"]["CacheControl"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "keys": [
                     *         {
                     *           "kty": "EC",
                     *           "crv": "P-256",
                     *           "alg": "ES256",
                     *           "use": "sig",
                     *           "kid": "x3QeYzGCnGRYTVB0YyGLzBFhMvAxJ6oJ2u8Rpp1xTBo",
                     *           "x": "axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpY",
                     *           "y": "T-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU"
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Jwks"];
                };
            };
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly logout: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["Done"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly listDelegations: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Always a list, the oldest first. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "delegations": [
                     *         {
                     *           "id": "9e0f1a2b-3c4d-4e5f-8a6b-7c8d9e0f1a2b",
                     *           "scope": "SIGN",
                     *           "isOwn": true,
                     *           "createdAt": "2026-01-01T00:00:00.000Z",
                     *           "lastUsedAt": "2026-01-01T00:00:01.000Z",
                     *           "expiresAt": "2026-01-01T01:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["DelegationsAnswer"];
                };
            };
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly createDelegation: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "devicePublicKey": "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c2964fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5",
                 *       "scope": "SIGN",
                 *       "issuedAt": 1760000000000,
                 *       "expiresAt": 1760003600000,
                 *       "signature": "5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f"
                 *     }
                 */
                readonly "application/json": components["schemas"]["CreateDelegationBody"];
            };
        };
        readonly responses: {
            /** @description The delegated session with its token, which is told here alone. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "delegationId": "9e0f1a2b-3c4d-4e5f-8a6b-7c8d9e0f1a2b",
                     *       "token": "q1uZ0cQ0yq7j1V8Gm3nT5rXw9bKd2fLh4sPa6eYiOcE"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["CreateDelegationAnswer"];
                };
            };
            readonly 400: components["responses"]["InvalidDelegation"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["DelegationRefused"];
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly endDelegation: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
                readonly delegationId: components["parameters"]["delegationId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["Done"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly createOpening: {
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
                 *       "sessionId": "3d0b2a55-6f0c-4c2b-8a43-1f5f7c1f8a01",
                 *       "page": "login-password"
                 *     }
                 */
                readonly "application/json": components["schemas"]["CreateOpeningBody"];
            };
        };
        readonly responses: {
            /** @description What the page needs to reach its opener. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "openingId": "7a0d8c3e-2f61-4b0a-8d1f-3c5e7a9b1d2f",
                     *       "openingSecret": "5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f",
                     *       "mode": "opener",
                     *       "origin": "https://shop.example",
                     *       "partner": {
                     *         "id": "2b6a1a55-0f36-44e0-9d5b-6b9f0f5e7a10",
                     *         "displayName": "Shop",
                     *         "policiesEnabled": false,
                     *         "supportedAuthMethods": [
                     *           "PASSWORD",
                     *           "PASSKEY"
                     *         ]
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["CreateOpeningAnswer"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["ApiKeyRequired"];
            readonly 403: components["responses"]["OpenerNotProven"];
            readonly 404: components["responses"]["NotFound"];
            readonly 410: components["responses"]["LinkExpired"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 423: components["responses"]["KeyShareLocked"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly getOpening: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description `wait=20`: answer when there is news, at the latest after this number of seconds (at most 20).
                 * @example wait=20
                 */
                readonly prefer?: components["parameters"]["prefer"];
            };
            readonly path: {
                readonly openingId: components["parameters"]["openingId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Its state. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "state": "LIVE"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["OpeningState"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly createOpeningTicket: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly openingId: components["parameters"]["openingId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "page": "login-password"
                 *     }
                 */
                readonly "application/json": components["schemas"]["TicketBody"];
            };
        };
        readonly responses: {
            /** @description Single use, 60 s; the same one until it is used. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ticket": "5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["TicketAnswer"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 410: components["responses"]["LinkExpired"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly createOpeningToken: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly openingId: components["parameters"]["openingId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "openingSecret": "5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f",
                 *       "ticket": "5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f"
                 *     }
                 */
                readonly "application/json": components["schemas"]["TokenBody"];
            };
        };
        readonly responses: {
            /** @description The token is in the header, 10 min. */
            readonly 200: {
                headers: {
                    readonly "x-capsule-sid": components["headers"]["Session"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sessionLookupId": "0f6f9a0e-7d44-4b7e-9f0a-6a1f0a2b3c4d",
                     *       "identity": {
                     *         "email": "ada@example.com"
                     *       },
                     *       "challenge": "5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f",
                     *       "serverTime": 1760000000000
                     *     }
                     */
                    readonly "application/json": components["schemas"]["TokenAnswer"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["ApiKeyRequired"];
            readonly 403: components["responses"]["OpenerNotProven"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["LoginKeyMismatch"];
            readonly 410: components["responses"]["LinkExpired"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 423: components["responses"]["KeyShareLocked"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly beatOpening: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly openingId: components["parameters"]["openingId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "openingSecret": "5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f"
                 *     }
                 */
                readonly "application/json": components["schemas"]["OpeningSecretBody"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Done"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 410: components["responses"]["LinkExpired"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly closeOpening: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly openingId: components["parameters"]["openingId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "openingSecret": "5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f"
                 *     }
                 */
                readonly "application/json": components["schemas"]["CloseBody"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Done"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 404: components["responses"]["NotFound"];
            readonly 410: components["responses"]["LinkExpired"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly redeemOpening: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly openingId: components["parameters"]["openingId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "proof": "5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f"
                 *     }
                 */
                readonly "application/json": components["schemas"]["RedeemBody"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Done"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["OtherAccount"];
            readonly 410: components["responses"]["LinkExpired"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly createPasskey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description A repeated request with the same key has one effect and the same answer. */
                readonly "idempotency-key"?: components["parameters"]["idempotencyKey"];
            };
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                /**
                 * @example {
                 *       "status": "PENDING",
                 *       "type": "WEB"
                 *     }
                 */
                readonly "application/json": components["schemas"]["CreatePasskeyBody"];
            };
        };
        readonly responses: {
            /** @description The record, pending for 10 min. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "1e2d3c4b-5a69-4788-9a0b-1c2d3e4f5061",
                     *       "partnerId": "2b6a1a55-0f36-44e0-9d5b-6b9f0f5e7a10"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["CredentialAnswer"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["UserAlreadyExists"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 422: components["responses"]["IdempotencyKeyReused"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly listPasskeys: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Always a list. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "keys": [
                     *         {
                     *           "id": "1e2d3c4b-5a69-4788-9a0b-1c2d3e4f5061",
                     *           "status": "COMPLETE",
                     *           "type": "WEB",
                     *           "publicKey": "AQIDBAUGBwgJCgsMDQ4PEA",
                     *           "sigDerivedPublicKey": "2d2d2d2d2d424547494e20525341205055424c4943204b45592d2d2d2d2d",
                     *           "variant": "prf",
                     *           "rootPublicKey": "5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f"
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["PasskeysAnswer"];
                };
            };
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly getUserPasskeyChallenge: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Single use, 5 min. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "challenge": "3q2+7wABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhs=",
                     *       "allowedPublicKeys": [
                     *         "AQIDBAUGBwgJCgsMDQ4PEA"
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["PasskeyChallenge"];
                };
            };
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly verifyUserPasskey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "signature": {
                 *         "clientDataJSON": "eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0",
                 *         "authenticatorData": "SZYN5YgO",
                 *         "signature": "MEUCIQDx"
                 *       },
                 *       "publicKey": "AQIDBAUGBwgJCgsMDQ4PEA"
                 *     }
                 */
                readonly "application/json": components["schemas"]["VerifyUserPasskeyBody"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Done"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["UnknownPasskey"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly getPasskey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
                readonly passkeyId: components["parameters"]["passkeyId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The passkey. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "1e2d3c4b-5a69-4788-9a0b-1c2d3e4f5061",
                     *       "status": "PENDING",
                     *       "type": "WEB"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Passkey"];
                };
            };
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly updatePasskey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
                readonly passkeyId: components["parameters"]["passkeyId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "status": "COMPLETE",
                 *       "type": "WEB",
                 *       "publicKey": "AQIDBAUGBwgJCgsMDQ4PEA",
                 *       "sigDerivedPublicKey": "2d2d2d2d2d424547494e20525341205055424c4943204b45592d2d2d2d2d",
                 *       "rootPublicKey": "5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f",
                 *       "wrappedRootKey": "v2.F0KdkrOeeHWLSXtRF0KdkrOeeHWLSXtR",
                 *       "variant": "prf"
                 *     }
                 */
                readonly "application/json": components["schemas"]["UpdatePasskeyBody"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Done"];
            readonly 400: components["responses"]["InvalidCredential"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["UserAlreadyExists"];
            readonly 410: components["responses"]["LinkExpired"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly getPasskeyLocationHints: {
        readonly parameters: {
            readonly query?: {
                readonly email?: components["parameters"]["email"];
                readonly phone?: components["parameters"]["phone"];
                readonly countryCode?: components["parameters"]["countryCode"];
                readonly farcasterUsername?: components["parameters"]["farcasterUsername"];
                readonly telegramUserId?: components["parameters"]["telegramUserId"];
                readonly externalWalletAddress?: components["parameters"]["externalWalletAddress"];
                readonly userId?: components["parameters"]["identityUserId"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Hints; in strict mode the same for everybody. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "hints": [
                     *         {
                     *           "useragent": "Firefox on Linux",
                     *           "aaguid": "adce000235bcc60a648b0b25f1f05503"
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["LocationHintsAnswer"];
                };
            };
            readonly 400: components["responses"]["LocationHintsNeedIdentity"];
            readonly 401: components["responses"]["ApiKeyRequired"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly getPasskeyChallenge: {
        readonly parameters: {
            readonly query?: {
                readonly email?: components["parameters"]["email"];
                readonly phone?: components["parameters"]["phone"];
                readonly countryCode?: components["parameters"]["countryCode"];
                readonly farcasterUsername?: components["parameters"]["farcasterUsername"];
                readonly telegramUserId?: components["parameters"]["telegramUserId"];
                readonly externalWalletAddress?: components["parameters"]["externalWalletAddress"];
                readonly userId?: components["parameters"]["identityUserId"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Single use, 5 min. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "challenge": "3q2+7wABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhs=",
                     *       "allowedPublicKeys": [
                     *         "AQIDBAUGBwgJCgsMDQ4PEA"
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["PasskeyChallenge"];
                };
            };
            readonly 400: components["responses"]["InvalidAuthObject"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 410: components["responses"]["LinkExpired"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly verifyPasskey: {
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
                 *       "signature": {
                 *         "clientDataJSON": "eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0",
                 *         "authenticatorData": "SZYN5YgO",
                 *         "signature": "MEUCIQDx"
                 *       },
                 *       "publicKey": "AQIDBAUGBwgJCgsMDQ4PEA"
                 *     }
                 */
                readonly "application/json": components["schemas"]["VerifyPasskeyBody"];
            };
        };
        readonly responses: {
            /** @description The user is verified; the session is not authenticated yet. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "userId": "8c5d2f0e-53a1-4f0b-9a55-0f4d3f4f3f11",
                     *       "credentialId": "1e2d3c4b-5a69-4788-9a0b-1c2d3e4f5061",
                     *       "sigDerivedPublicKey": "2d2d2d2d2d424547494e20525341205055424c4943204b45592d2d2d2d2d",
                     *       "ewpk": "v2.F0KdkrOeeHWLSXtRF0KdkrOeeHWLSXtR",
                     *       "rootPublicKey": "5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f",
                     *       "wrappedRootKey": "v2.F0KdkrOeeHWLSXtRF0KdkrOeeHWLSXtR",
                     *       "variant": "prf",
                     *       "activeShares": [
                     *         {
                     *           "walletId": "5b1f6c2d-0e3a-4f7b-8c9d-1a2b3c4d5e6f",
                     *           "epoch": 1,
                     *           "shareId": "5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f"
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["VerifiedCredential"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["UnknownPasskey"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 410: components["responses"]["LinkExpired"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly listPasswords: {
        readonly parameters: {
            readonly query?: {
                readonly email?: components["parameters"]["email"];
                readonly phone?: components["parameters"]["phone"];
                readonly countryCode?: components["parameters"]["countryCode"];
                readonly farcasterUsername?: components["parameters"]["farcasterUsername"];
                readonly telegramUserId?: components["parameters"]["telegramUserId"];
                readonly externalWalletAddress?: components["parameters"]["externalWalletAddress"];
                readonly userId?: components["parameters"]["identityUserId"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Always a list. Before login an unknown identity has one as well. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "passwords": [
                     *         {
                     *           "id": "9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d",
                     *           "salt": "00112233445566778899aabbccddeeff",
                     *           "kdf": {
                     *             "algorithm": "argon2id",
                     *             "memoryKiB": 65536,
                     *             "iterations": 3,
                     *             "parallelism": 1
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["PasswordsAnswer"];
                };
            };
            readonly 400: components["responses"]["InvalidAuthObject"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly createPassword: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description A repeated request with the same key has one effect and the same answer. */
                readonly "idempotency-key"?: components["parameters"]["idempotencyKey"];
            };
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                /**
                 * @example {
                 *       "status": "PENDING"
                 *     }
                 */
                readonly "application/json": components["schemas"]["CreatePasswordBody"];
            };
        };
        readonly responses: {
            /** @description The record, pending for 10 min. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d",
                     *       "partnerId": "2b6a1a55-0f36-44e0-9d5b-6b9f0f5e7a10"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["CredentialAnswer"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["UserAlreadyExists"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 422: components["responses"]["IdempotencyKeyReused"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly updatePassword: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
                readonly passwordId: components["parameters"]["passwordId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "status": "COMPLETE",
                 *       "sigDerivedPublicKey": "2d2d2d2d2d424547494e20525341205055424c4943204b45592d2d2d2d2d",
                 *       "salt": "00112233445566778899aabbccddeeff",
                 *       "kdf": {
                 *         "algorithm": "argon2id",
                 *         "memoryKiB": 65536,
                 *         "iterations": 3,
                 *         "parallelism": 1
                 *       },
                 *       "authPublicKey": "5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f",
                 *       "encryptedWalletPrivateKey": "v2.F0KdkrOeeHWLSXtRF0KdkrOeeHWLSXtR",
                 *       "encryptionKeyHash": "5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f",
                 *       "rootPublicKey": "5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f",
                 *       "wrappedRootKey": "v2.F0KdkrOeeHWLSXtRF0KdkrOeeHWLSXtR",
                 *       "rootSignature": "5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f",
                 *       "recoverySignature": "5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f",
                 *       "deviceCertificate": "01",
                 *       "sealedResult": "v2.F0KdkrOeeHWLSXtRF0KdkrOeeHWLSXtR"
                 *     }
                 */
                readonly "application/json": components["schemas"]["UpdatePasswordBody"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Done"];
            readonly 400: components["responses"]["InvalidCredential"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["UserAlreadyExists"];
            readonly 410: components["responses"]["LinkExpired"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly verifyPassword: {
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
                 *       "signature": "5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f",
                 *       "publicKey": "5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f",
                 *       "passwordId": "9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d"
                 *     }
                 */
                readonly "application/json": components["schemas"]["VerifyPasswordBody"];
            };
        };
        readonly responses: {
            /** @description The user is verified; the session is not authenticated yet. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "userId": "8c5d2f0e-53a1-4f0b-9a55-0f4d3f4f3f11",
                     *       "credentialId": "9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d",
                     *       "sigDerivedPublicKey": "2d2d2d2d2d424547494e20525341205055424c4943204b45592d2d2d2d2d",
                     *       "ewpk": "v2.F0KdkrOeeHWLSXtRF0KdkrOeeHWLSXtR",
                     *       "rootPublicKey": "5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f",
                     *       "wrappedRootKey": "v2.F0KdkrOeeHWLSXtRF0KdkrOeeHWLSXtR",
                     *       "pepper": "5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f",
                     *       "activeShares": [
                     *         {
                     *           "walletId": "5b1f6c2d-0e3a-4f7b-8c9d-1a2b3c4d5e6f",
                     *           "epoch": 1,
                     *           "shareId": "5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f"
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["VerifiedCredential"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["InvalidPassword"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 410: components["responses"]["LinkExpired"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly listWallets: {
        readonly parameters: {
            readonly query?: {
                readonly includePartnerData?: components["schemas"]["BooleanText"];
            };
            readonly header?: {
                /**
                 * @description `wait=20`: answer when there is news, at the latest after this number of seconds (at most 20).
                 * @example wait=20
                 */
                readonly prefer?: components["parameters"]["prefer"];
            };
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Always a list. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "wallets": [
                     *         {
                     *           "id": "5b1f6c2d-0e3a-4f7b-8c9d-1a2b3c4d5e6f",
                     *           "type": "EVM",
                     *           "scheme": "DKLS",
                     *           "address": "0x52908400098527886E0F7030069857D2E4169EE7",
                     *           "publicKey": "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
                     *           "name": null,
                     *           "partnerId": "2b6a1a55-0f36-44e0-9d5b-6b9f0f5e7a10",
                     *           "userId": "8c5d2f0e-53a1-4f0b-9a55-0f4d3f4f3f11",
                     *           "pregenIdentifier": null,
                     *           "pregenIdentifierType": null,
                     *           "keyGenComplete": true,
                     *           "createdAt": "2026-01-01T00:00:00.000Z",
                     *           "updatedAt": "2026-01-01T00:00:01.000Z",
                     *           "lastUsedAt": null
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["WalletsAnswer"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly createWallet: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description A repeated request with the same key has one effect and the same answer. */
                readonly "idempotency-key"?: components["parameters"]["idempotencyKey"];
            };
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "useTwoSigners": true,
                 *       "scheme": "DKLS",
                 *       "type": "EVM"
                 *     }
                 */
                readonly "application/json": components["schemas"]["CreateWalletBody"];
            };
        };
        readonly responses: {
            /** @description The wallet; it is listed from now on, at first without an address. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "walletId": "5b1f6c2d-0e3a-4f7b-8c9d-1a2b3c4d5e6f",
                     *       "protocolId": "6c7d8e9f-0a1b-4c2d-8e3f-4a5b6c7d8e9f",
                     *       "lead": true,
                     *       "cosigner": {
                     *         "name": "localhost",
                     *         "publicKey": "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c2964fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["CreateWalletAnswer"];
                };
            };
            readonly 400: components["responses"]["UnsupportedWalletType"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 422: components["responses"]["IdempotencyKeyReused"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly listAllWallets: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Always a list. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "wallets": [
                     *         {
                     *           "id": "5b1f6c2d-0e3a-4f7b-8c9d-1a2b3c4d5e6f",
                     *           "type": "EVM",
                     *           "scheme": "DKLS",
                     *           "address": "0x52908400098527886E0F7030069857D2E4169EE7",
                     *           "publicKey": "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
                     *           "name": null,
                     *           "partnerId": "2b6a1a55-0f36-44e0-9d5b-6b9f0f5e7a10",
                     *           "userId": "8c5d2f0e-53a1-4f0b-9a55-0f4d3f4f3f11",
                     *           "pregenIdentifier": null,
                     *           "pregenIdentifierType": null,
                     *           "keyGenComplete": true,
                     *           "createdAt": "2026-01-01T00:00:00.000Z",
                     *           "updatedAt": "2026-01-01T00:00:01.000Z",
                     *           "lastUsedAt": null
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["WalletsAnswer"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 410: components["responses"]["LinkExpired"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly setWallets: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "walletIds": {
                 *         "EVM": [
                 *           "5b1f6c2d-0e3a-4f7b-8c9d-1a2b3c4d5e6f"
                 *         ]
                 *       },
                 *       "needsWallet": false,
                 *       "sessionLookupId": "0f6f9a0e-7d44-4b7e-9f0a-6a1f0a2b3c4d",
                 *       "missing": []
                 *     }
                 */
                readonly "application/json": components["schemas"]["SetWalletsBody"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Done"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["OtherAccount"];
            readonly 410: components["responses"]["LinkExpired"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly getWalletBalance: {
        readonly parameters: {
            readonly query?: {
                readonly rpcUrl?: components["schemas"]["Url"];
            };
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
                readonly walletId: components["parameters"]["walletId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The balance. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "balance": "1000000000000000000"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["BalanceAnswer"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 501: components["responses"]["NotImplemented"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly getCapsuleShare: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
                readonly walletId: components["parameters"]["walletId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The scalar, sealed by HPKE to the key that the page registered with its token. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "share": "hpke1.F0KdkrOeeHWLSXtRF0KdkrOeeHWLSXtR"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["CapsuleShareAnswer"];
                };
            };
            readonly 400: components["responses"]["InvalidWalletScheme"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["ExportRefused"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["WalletBusy"];
            readonly 410: components["responses"]["LinkExpired"];
            readonly 423: components["responses"]["KeyShareLocked"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly distributeCapsuleShare: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
                readonly walletId: components["parameters"]["walletId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                /**
                 * @example {
                 *       "useDKLS": true,
                 *       "theme": "light"
                 *     }
                 */
                readonly "application/json": components["schemas"]["DistributeBody"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Done"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly downloadBackupKit: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
                readonly walletId: components["parameters"]["walletId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The kit as a file. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /** @example v2.F0KdkrOe */
                    readonly "application/octet-stream": Uint8Array;
                };
            };
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 501: components["responses"]["NotImplemented"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly acceptScopes: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
                readonly walletId: components["parameters"]["walletId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "scopeIds": [
                 *         "sign"
                 *       ],
                 *       "partnerId": "2b6a1a55-0f36-44e0-9d5b-6b9f0f5e7a10"
                 *     }
                 */
                readonly "application/json": components["schemas"]["AcceptScopesBody"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Done"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 501: components["responses"]["NotImplemented"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly listPregenWallets: {
        readonly parameters: {
            readonly query?: {
                /** @description Identifiers by kind, in indexed brackets. */
                readonly ids?: {
                    readonly [key: string]: readonly components["schemas"]["IdentityText"][];
                };
                readonly expand?: components["schemas"]["BooleanText"];
                readonly userId?: components["parameters"]["identityUserId"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Always a list. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "wallets": []
                     *     }
                     */
                    readonly "application/json": components["schemas"]["WalletsAnswer"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["ApiKeyRequired"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly createPregenWallet: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description A repeated request with the same key has one effect and the same answer. */
                readonly "idempotency-key"?: components["parameters"]["idempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "pregenIdentifier": "ada@example.com",
                 *       "pregenIdentifierType": "EMAIL",
                 *       "type": "EVM"
                 *     }
                 */
                readonly "application/json": components["schemas"]["CreatePregenWalletBody"];
            };
        };
        readonly responses: {
            /** @description The wallet. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "walletId": "5b1f6c2d-0e3a-4f7b-8c9d-1a2b3c4d5e6f",
                     *       "protocolId": "6c7d8e9f-0a1b-4c2d-8e3f-4a5b6c7d8e9f",
                     *       "lead": true,
                     *       "cosigner": {
                     *         "name": "localhost",
                     *         "publicKey": "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c2964fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["CreateWalletAnswer"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["ApiKeyRequired"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["WalletBusy"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 422: components["responses"]["IdempotencyKeyReused"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 501: components["responses"]["NotImplemented"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly claimPregenWallets: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description A repeated request with the same key has one effect and the same answer. */
                readonly "idempotency-key"?: components["parameters"]["idempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "userId": "8c5d2f0e-53a1-4f0b-9a55-0f4d3f4f3f11",
                 *       "walletIds": [
                 *         "5b1f6c2d-0e3a-4f7b-8c9d-1a2b3c4d5e6f"
                 *       ]
                 *     }
                 */
                readonly "application/json": components["schemas"]["ClaimBody"];
            };
        };
        readonly responses: {
            /** @description The wallets that the caller is claiming now; each is owned after its refresh. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "walletIds": [
                     *         "5b1f6c2d-0e3a-4f7b-8c9d-1a2b3c4d5e6f"
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ClaimAnswer"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["WalletBusy"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 422: components["responses"]["IdempotencyKeyReused"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 501: components["responses"]["NotImplemented"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly updatePregenWallet: {
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
                 *       "pregenIdentifier": "ada@example.com",
                 *       "pregenIdentifierType": "EMAIL"
                 *     }
                 */
                readonly "application/json": components["schemas"]["PregenIdentifier"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Done"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["ApiKeyRequired"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["WalletBusy"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 501: components["responses"]["NotImplemented"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly sendTransaction: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description A repeated request with the same key has one effect and the same answer. */
                readonly "idempotency-key"?: components["parameters"]["idempotencyKey"];
            };
            readonly path: {
                /** @description The user; for an unclaimed pregenerated wallet its partner. */
                readonly userId: components["parameters"]["ownerId"];
                readonly walletId: components["parameters"]["walletId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "transaction": "AuiAAYCAgIA=",
                 *       "chainId": "1",
                 *       "protocolId": "6c7d8e9f-0a1b-4c2d-8e3f-4a5b6c7d8e9f"
                 *     }
                 */
                readonly "application/json": components["schemas"]["SendTransactionBody"];
            };
        };
        readonly responses: {
            /** @description Approved, held for review, or passed on. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SendAnswer"];
                };
            };
            readonly 400: components["responses"]["SendRefused"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["DeniedByPolicy"];
            readonly 404: components["responses"]["WalletNotFound"];
            readonly 409: components["responses"]["WalletBusy"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 422: components["responses"]["IdempotencyKeyReused"];
            readonly 423: components["responses"]["KeyShareLocked"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly signTransaction: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description A repeated request with the same key has one effect and the same answer. */
                readonly "idempotency-key"?: components["parameters"]["idempotencyKey"];
            };
            readonly path: {
                /** @description The user; for an unclaimed pregenerated wallet its partner. */
                readonly userId: components["parameters"]["ownerId"];
                readonly walletId: components["parameters"]["walletId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "transaction": "AuiAAYCAgIA=",
                 *       "chainId": "1",
                 *       "protocolId": "6c7d8e9f-0a1b-4c2d-8e3f-4a5b6c7d8e9f"
                 *     }
                 */
                readonly "application/json": components["schemas"]["TransactionBody"];
            };
        };
        readonly responses: {
            /** @description Approved, or held for review. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SigningAnswer"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["DeniedByPolicy"];
            readonly 404: components["responses"]["WalletNotFound"];
            readonly 409: components["responses"]["WalletBusy"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 422: components["responses"]["IdempotencyKeyReused"];
            readonly 423: components["responses"]["KeyShareLocked"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly signMessage: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description A repeated request with the same key has one effect and the same answer. */
                readonly "idempotency-key"?: components["parameters"]["idempotencyKey"];
            };
            readonly path: {
                /** @description The user; for an unclaimed pregenerated wallet its partner. */
                readonly userId: components["parameters"]["ownerId"];
                readonly walletId: components["parameters"]["walletId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "message": "Xx0MOypJWGd2hZoLHC0+T1BhcoOUpbbH2On6CxwtPk8=",
                 *       "scheme": null,
                 *       "protocolId": "6c7d8e9f-0a1b-4c2d-8e3f-4a5b6c7d8e9f"
                 *     }
                 */
                readonly "application/json": components["schemas"]["SignMessageBody"];
            };
        };
        readonly responses: {
            /** @description Approved, or held for review. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SigningAnswer"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["DeniedByPolicy"];
            readonly 404: components["responses"]["WalletNotFound"];
            readonly 409: components["responses"]["WalletBusy"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 422: components["responses"]["IdempotencyKeyReused"];
            readonly 423: components["responses"]["KeyShareLocked"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly refreshKeys: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description A repeated request with the same key has one effect and the same answer. */
                readonly "idempotency-key"?: components["parameters"]["idempotencyKey"];
            };
            readonly path: {
                /** @description The user; for an unclaimed pregenerated wallet its partner. */
                readonly userId: components["parameters"]["ownerId"];
                readonly walletId: components["parameters"]["walletId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                /** @example {} */
                readonly "application/json": components["schemas"]["RefreshBody"];
            };
        };
        readonly responses: {
            /** @description The run's id. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "protocolId": "6c7d8e9f-0a1b-4c2d-8e3f-4a5b6c7d8e9f"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["RefreshAnswer"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["DeniedByPolicy"];
            readonly 404: components["responses"]["WalletNotFound"];
            readonly 409: components["responses"]["WalletBusy"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 422: components["responses"]["IdempotencyKeyReused"];
            readonly 423: components["responses"]["KeyShareLocked"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 501: components["responses"]["NotImplemented"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly getRefreshDone: {
        readonly parameters: {
            readonly query?: {
                readonly partnerId?: components["parameters"]["ofPartner"];
                readonly protocolId?: components["schemas"]["Id"];
            };
            readonly header?: {
                /**
                 * @description `wait=20`: answer when there is news, at the latest after this number of seconds (at most 20).
                 * @example wait=20
                 */
                readonly prefer?: components["parameters"]["prefer"];
            };
            readonly path: {
                /** @description The user; for an unclaimed pregenerated wallet its partner. */
                readonly userId: components["parameters"]["ownerId"];
                readonly walletId: components["parameters"]["walletId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Committed or not yet. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "isDone": true
                     *     }
                     */
                    readonly "application/json": components["schemas"]["RefreshDoneAnswer"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 501: components["responses"]["NotImplemented"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly getPendingTransaction: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description `wait=20`: answer when there is news, at the latest after this number of seconds (at most 20).
                 * @example wait=20
                 */
                readonly prefer?: components["parameters"]["prefer"];
            };
            readonly path: {
                readonly userId: components["parameters"]["userId"];
                readonly pendingTransactionId: components["parameters"]["pendingTransactionId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The pending transaction or message. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0a9b8c7d-6e5f-4a4b-9c3d-2e1f0a9b8c7d",
                     *       "status": "PENDING",
                     *       "contentHash": "5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["PendingTransaction"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly denyPendingTransaction: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
                readonly pendingTransactionId: components["parameters"]["pendingTransactionId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["Done"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["ReviewDecided"];
            readonly 410: components["responses"]["LinkExpired"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly acceptPendingTransaction: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
                readonly pendingTransactionId: components["parameters"]["pendingTransactionId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                /**
                 * @example {
                 *       "contentHash": "5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f"
                 *     }
                 */
                readonly "application/json": components["schemas"]["AcceptBody"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Done"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["ReviewDecided"];
            readonly 410: components["responses"]["LinkExpired"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly getPendingTransactionToDecide: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description `wait=20`: answer when there is news, at the latest after this number of seconds (at most 20).
                 * @example wait=20
                 */
                readonly prefer?: components["parameters"]["prefer"];
            };
            readonly path: {
                readonly pendingTransactionId: components["parameters"]["pendingTransactionId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The pending transaction or message. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0a9b8c7d-6e5f-4a4b-9c3d-2e1f0a9b8c7d",
                     *       "status": "PENDING",
                     *       "contentHash": "5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["PendingTransaction"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["ApiKeyRequired"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly decidePendingTransaction: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly pendingTransactionId: components["parameters"]["pendingTransactionId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "jws": "eyJhbGciOiJFUzI1NiJ9.e30.c2lnbmF0dXJl"
                 *     }
                 */
                readonly "application/json": components["schemas"]["DecisionBody"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Done"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["ApiKeyRequired"];
            readonly 403: components["responses"]["DecisionRefused"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["ReviewDecided"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly listWalletKeyShares: {
        readonly parameters: {
            readonly query: {
                /** @description USER or RECOVERY. */
                readonly type: string;
                /** @description USER, RECOVERY, BIOMETRICS or PASSWORD. */
                readonly encryptor?: string;
            };
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
                readonly walletId: components["parameters"]["walletId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The backups. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "keyShares": [
                     *         {
                     *           "walletId": "5b1f6c2d-0e3a-4f7b-8c9d-1a2b3c4d5e6f",
                     *           "walletScheme": "DKLS",
                     *           "encryptedShare": "c0ffee",
                     *           "encryptedKey": "c3bf00",
                     *           "type": "USER",
                     *           "encryptor": "PASSWORD",
                     *           "passwordId": "9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d",
                     *           "shareId": "5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f",
                     *           "epoch": 1,
                     *           "deviceSignature": "5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f",
                     *           "certificate": "01"
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["WalletKeySharesAnswer"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly createWalletKeyShares: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
                readonly walletId: components["parameters"]["walletId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "keyShares": [
                 *         {
                 *           "encryptedShare": "c0ffee",
                 *           "encryptedKey": "c3bf00",
                 *           "type": "USER",
                 *           "encryptor": "PASSWORD",
                 *           "passwordId": "9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d",
                 *           "shareId": "5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f",
                 *           "epoch": 1,
                 *           "deviceSignature": "5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f",
                 *           "certificate": "01"
                 *         }
                 *       ]
                 *     }
                 */
                readonly "application/json": components["schemas"]["WalletKeySharesBody"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Done"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["WalletBusy"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly createKeyShares: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "keyShares": [
                 *         {
                 *           "walletId": "5b1f6c2d-0e3a-4f7b-8c9d-1a2b3c4d5e6f",
                 *           "encryptedShare": "c0ffee",
                 *           "encryptedKey": "c3bf00",
                 *           "type": "USER",
                 *           "encryptor": "PASSWORD",
                 *           "passwordId": "9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d",
                 *           "shareId": "5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f",
                 *           "epoch": 1,
                 *           "deviceSignature": "5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f",
                 *           "certificate": "01"
                 *         }
                 *       ]
                 *     }
                 */
                readonly "application/json": components["schemas"]["KeySharesBody"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Done"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["WalletBusy"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly listPasskeyKeyShares: {
        readonly parameters: {
            readonly query: {
                /** @description The passkey's sigDerivedPublicKey. */
                readonly publicKey: components["schemas"]["PemHex"];
                /** @description Of all partners; for the connect host only. */
                readonly all?: components["parameters"]["all"];
            };
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The newest of each wallet of the session's partner. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "keyShares": [
                     *         {
                     *           "walletId": "5b1f6c2d-0e3a-4f7b-8c9d-1a2b3c4d5e6f",
                     *           "walletScheme": "DKLS",
                     *           "encryptedShare": "c0ffee",
                     *           "encryptedKey": "c3bf00",
                     *           "type": "USER",
                     *           "encryptor": "PASSWORD",
                     *           "passwordId": "9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d",
                     *           "shareId": "5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f",
                     *           "epoch": 1,
                     *           "deviceSignature": "5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f",
                     *           "certificate": "01"
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["KeySharesAnswer"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 410: components["responses"]["LinkExpired"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly listPasswordKeyShares: {
        readonly parameters: {
            readonly query: {
                readonly passwordId: components["parameters"]["ofPassword"];
                /** @description Of all partners; for the connect host only. */
                readonly all?: components["parameters"]["all"];
            };
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The newest of each wallet of the session's partner. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "keyShares": [
                     *         {
                     *           "walletId": "5b1f6c2d-0e3a-4f7b-8c9d-1a2b3c4d5e6f",
                     *           "walletScheme": "DKLS",
                     *           "encryptedShare": "c0ffee",
                     *           "encryptedKey": "c3bf00",
                     *           "type": "USER",
                     *           "encryptor": "PASSWORD",
                     *           "passwordId": "9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d",
                     *           "shareId": "5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f",
                     *           "epoch": 1,
                     *           "deviceSignature": "5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f",
                     *           "certificate": "01"
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["KeySharesAnswer"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 410: components["responses"]["LinkExpired"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly listTemporaryShares: {
        readonly parameters: {
            readonly query: {
                readonly sessionLookupId: components["parameters"]["ofLookupId"];
            };
            readonly header?: {
                /**
                 * @description `wait=20`: answer when there is news, at the latest after this number of seconds (at most 20).
                 * @example wait=20
                 */
                readonly prefer?: components["parameters"]["prefer"];
            };
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Always a list. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "temporaryShares": [
                     *         {
                     *           "userId": "8c5d2f0e-53a1-4f0b-9a55-0f4d3f4f3f11",
                     *           "walletId": "5b1f6c2d-0e3a-4f7b-8c9d-1a2b3c4d5e6f",
                     *           "encryptedShare": "c0ffee",
                     *           "encryptedKey": "c3bf00"
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["TemporarySharesAnswer"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly createTemporaryShares: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "shares": [
                 *         {
                 *           "walletId": "5b1f6c2d-0e3a-4f7b-8c9d-1a2b3c4d5e6f",
                 *           "encryptedShare": "c0ffee",
                 *           "encryptedKey": "c3bf00",
                 *           "sessionLookupId": "0f6f9a0e-7d44-4b7e-9f0a-6a1f0a2b3c4d"
                 *         }
                 *       ]
                 *     }
                 */
                readonly "application/json": components["schemas"]["TemporarySharesBody"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Done"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 410: components["responses"]["LinkExpired"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly deleteTemporaryShares: {
        readonly parameters: {
            readonly query: {
                readonly sessionLookupId: components["parameters"]["ofLookupId"];
            };
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["Done"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly listRecoveryPublicKeys: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The user's recovery keys, always a list. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "recoveryPublicKeys": [
                     *         {
                     *           "id": "4d3c2b1a-0f9e-4d8c-8b7a-6f5e4d3c2b1a",
                     *           "publicKey": "5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f",
                     *           "rootSignature": "5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f"
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["RecoveryPublicKeysAnswer"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly createRecoveryPublicKeys: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "publicKeys": [
                 *         "5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f"
                 *       ],
                 *       "rootSignatures": [
                 *         "5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f"
                 *       ]
                 *     }
                 */
                readonly "application/json": components["schemas"]["RecoveryPublicKeysBody"];
            };
        };
        readonly responses: {
            /** @description The user's recovery keys, always a list. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "recoveryPublicKeys": [
                     *         {
                     *           "id": "4d3c2b1a-0f9e-4d8c-8b7a-6f5e4d3c2b1a",
                     *           "publicKey": "5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f",
                     *           "rootSignature": "5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f"
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["RecoveryPublicKeysAnswer"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly createEncryptedWalletPrivateKey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description A repeated request with the same key has one effect and the same answer. */
                readonly "idempotency-key"?: components["parameters"]["idempotencyKey"];
            };
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "encryptedWalletPrivateKey": "v2.F0KdkrOeeHWLSXtRF0KdkrOeeHWLSXtR",
                 *       "encryptionKeyHash": "5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f",
                 *       "biometricPublicKey": "AQIDBAUGBwgJCgsMDQ4PEA"
                 *     }
                 */
                readonly "application/json": components["schemas"]["EncryptedWalletPrivateKeyBody"];
            };
        };
        readonly responses: {
            /** @description The record. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "encryptedWalletPrivateKey": {
                     *         "id": "4d3c2b1a-0f9e-4d8c-8b7a-6f5e4d3c2b1a",
                     *         "userId": "8c5d2f0e-53a1-4f0b-9a55-0f4d3f4f3f11",
                     *         "encryptedPrivateKey": "v2.F0KdkrOeeHWLSXtRF0KdkrOeeHWLSXtR",
                     *         "encryptionKeyHash": "5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f",
                     *         "passwordId": "9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d"
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["EncryptedWalletPrivateKeyAnswer"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 410: components["responses"]["LinkExpired"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 422: components["responses"]["IdempotencyKeyReused"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly listEncryptedWalletPrivateKeys: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
                /** @description The key hash, or the record's id. */
                readonly encryptionKeyHash: components["parameters"]["encryptionKeyHash"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Always a list. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "encryptedPrivateKeys": [
                     *         {
                     *           "id": "4d3c2b1a-0f9e-4d8c-8b7a-6f5e4d3c2b1a",
                     *           "userId": "8c5d2f0e-53a1-4f0b-9a55-0f4d3f4f3f11",
                     *           "encryptedPrivateKey": "v2.F0KdkrOeeHWLSXtRF0KdkrOeeHWLSXtR",
                     *           "encryptionKeyHash": "5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f",
                     *           "passwordId": "9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d"
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["EncryptedWalletPrivateKeysAnswer"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 410: components["responses"]["LinkExpired"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly getEncryptedWalletPrivateKey: {
        readonly parameters: {
            readonly query: {
                readonly passwordId: components["parameters"]["ofPassword"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The record. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "encryptedWalletPrivateKey": {
                     *         "id": "4d3c2b1a-0f9e-4d8c-8b7a-6f5e4d3c2b1a",
                     *         "userId": "8c5d2f0e-53a1-4f0b-9a55-0f4d3f4f3f11",
                     *         "encryptedPrivateKey": "v2.F0KdkrOeeHWLSXtRF0KdkrOeeHWLSXtR",
                     *         "encryptionKeyHash": "5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f",
                     *         "passwordId": "9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d"
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["EncryptedWalletPrivateKeyAnswer"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 410: components["responses"]["LinkExpired"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly createTemporaryTransmission: {
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
                 *       "message": "c0ffee"
                 *     }
                 */
                readonly "application/json": components["schemas"]["TransmissionBody"];
            };
        };
        readonly responses: {
            /** @description Its id. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "4d3c2b1a-0f9e-4d8c-8b7a-6f5e4d3c2b1a"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["TransmissionAnswer"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["ApiKeyRequired"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly getTemporaryTransmission: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly transmissionId: components["parameters"]["transmissionId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The message. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "c0ffee"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Transmission"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly startRecovery: {
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
                 *       "email": "ada@example.com"
                 *     }
                 */
                readonly "application/json": components["schemas"]["EmailBody"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Done"];
            readonly 400: components["responses"]["InvalidAuthObject"];
            readonly 401: components["responses"]["ApiKeyRequired"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 409: components["responses"]["OtherAccount"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 501: components["responses"]["NotImplemented"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly verifyRecovery: {
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
                 *       "email": "ada@example.com",
                 *       "verificationCode": "493027"
                 *     }
                 */
                readonly "application/json": components["schemas"]["EmailCodeBody"];
            };
        };
        readonly responses: {
            /** @description What there is to recover. The session's token is in the header again; for 15 min it is a recovery's. */
            readonly 200: {
                headers: {
                    readonly "x-capsule-sid": components["headers"]["Session"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "userId": "8c5d2f0e-53a1-4f0b-9a55-0f4d3f4f3f11",
                     *       "wallets": [
                     *         {
                     *           "walletId": "5b1f6c2d-0e3a-4f7b-8c9d-1a2b3c4d5e6f",
                     *           "type": "EVM",
                     *           "scheme": "DKLS",
                     *           "address": "0x7e5f4552091a69125d5dfcb7b8c2659029395bdf",
                     *           "publicKey": "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
                     *           "epoch": 1,
                     *           "shareId": "5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f",
                     *           "partnerId": "2b6a1a55-0f36-44e0-9d5b-6b9f0f5e7a10",
                     *           "partnerName": "Shop"
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["RecoveryAnswer"];
                };
            };
            readonly 400: components["responses"]["InvalidVerificationCode"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 409: components["responses"]["OtherAccount"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 501: components["responses"]["NotImplemented"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly cancelRecovery: {
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
                 *       "email": "ada@example.com"
                 *     }
                 */
                readonly "application/json": components["schemas"]["EmailBody"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Done"];
            readonly 400: components["responses"]["InvalidAuthObject"];
            readonly 401: components["responses"]["ApiKeyRequired"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 501: components["responses"]["NotImplemented"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly initRecovery: {
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
                 *       "email": "ada@example.com"
                 *     }
                 */
                readonly "application/json": components["schemas"]["InitBody"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Done"];
            readonly 400: components["responses"]["InvalidAuthObject"];
            readonly 401: components["responses"]["ApiKeyRequired"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 409: components["responses"]["OtherAccount"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 501: components["responses"]["NotImplemented"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly verifyRecoveryEmail: {
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
                 *       "email": "ada@example.com",
                 *       "verificationCode": "493027"
                 *     }
                 */
                readonly "application/json": components["schemas"]["EmailCodeBody"];
            };
        };
        readonly responses: {
            /** @description What there is to recover. The session's token is in the header again; for 15 min it is a recovery's. */
            readonly 200: {
                headers: {
                    readonly "x-capsule-sid": components["headers"]["Session"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "userId": "8c5d2f0e-53a1-4f0b-9a55-0f4d3f4f3f11",
                     *       "wallets": [
                     *         {
                     *           "walletId": "5b1f6c2d-0e3a-4f7b-8c9d-1a2b3c4d5e6f",
                     *           "type": "EVM",
                     *           "scheme": "DKLS",
                     *           "address": "0x7e5f4552091a69125d5dfcb7b8c2659029395bdf",
                     *           "publicKey": "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
                     *           "epoch": 1,
                     *           "shareId": "5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f",
                     *           "partnerId": "2b6a1a55-0f36-44e0-9d5b-6b9f0f5e7a10",
                     *           "partnerName": "Shop"
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["RecoveryAnswer"];
                };
            };
            readonly 400: components["responses"]["InvalidVerificationCode"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 409: components["responses"]["OtherAccount"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 501: components["responses"]["NotImplemented"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly verifyRecoveryIdentifier: {
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
                 *       "phone": "5550100",
                 *       "countryCode": "+1",
                 *       "verificationCode": "493027"
                 *     }
                 */
                readonly "application/json": components["schemas"]["PhoneCodeBody"];
            };
        };
        readonly responses: {
            /** @description What there is to recover. The session's token is in the header again; for 15 min it is a recovery's. */
            readonly 200: {
                headers: {
                    readonly "x-capsule-sid": components["headers"]["Session"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "userId": "8c5d2f0e-53a1-4f0b-9a55-0f4d3f4f3f11",
                     *       "wallets": [
                     *         {
                     *           "walletId": "5b1f6c2d-0e3a-4f7b-8c9d-1a2b3c4d5e6f",
                     *           "type": "EVM",
                     *           "scheme": "DKLS",
                     *           "address": "0x7e5f4552091a69125d5dfcb7b8c2659029395bdf",
                     *           "publicKey": "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
                     *           "epoch": 1,
                     *           "shareId": "5f1d0c3b2a49586776859a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f",
                     *           "partnerId": "2b6a1a55-0f36-44e0-9d5b-6b9f0f5e7a10",
                     *           "partnerName": "Shop"
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["RecoveryAnswer"];
                };
            };
            readonly 400: components["responses"]["InvalidVerificationCode"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 409: components["responses"]["OtherAccount"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 501: components["responses"]["NotImplemented"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly completeRecovery: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "leftBehind": []
                 *     }
                 */
                readonly "application/json": components["schemas"]["CompletionBody"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Done"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["WalletBusy"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 501: components["responses"]["NotImplemented"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly finishRecovery: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description A repeated request with the same key has one effect and the same answer. */
                readonly "idempotency-key"?: components["parameters"]["idempotencyKey"];
            };
            readonly path: {
                readonly userId: components["parameters"]["userId"];
                readonly walletId: components["parameters"]["walletId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: components["responses"]["Done"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 409: components["responses"]["WalletBusy"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 422: components["responses"]["IdempotencyKeyReused"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 501: components["responses"]["NotImplemented"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly listRecoveryKeyShares: {
        readonly parameters: {
            readonly query: {
                /** @description USER. */
                readonly type: string;
                /** @description RECOVERY. */
                readonly encryptor: string;
            };
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
                readonly walletId: components["parameters"]["walletId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The backups. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "keyShares": []
                     *     }
                     */
                    readonly "application/json": components["schemas"]["WalletKeySharesAnswer"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 501: components["responses"]["NotImplemented"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly getTwoFactorStatus: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Set up or not. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "isSetup": false
                     *     }
                     */
                    readonly "application/json": components["schemas"]["TwoFactorStatus"];
                };
            };
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 501: components["responses"]["NotImplemented"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly setupTwoFactor: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The secret, once. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "uri": "otpauth://totp/Para:ada@example.com?secret=JBSWY3DPEHPK3PXP&issuer=Para"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["TwoFactorSetup"];
                };
            };
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 501: components["responses"]["NotImplemented"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly enableTwoFactor: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "verificationCode": "493027"
                 *     }
                 */
                readonly "application/json": components["schemas"]["CodeBody"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Done"];
            readonly 400: components["responses"]["InvalidVerificationCode"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 501: components["responses"]["NotImplemented"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly verifyTwoFactor: {
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
                 *       "email": "ada@example.com",
                 *       "verificationCode": "493027"
                 *     }
                 */
                readonly "application/json": components["schemas"]["TwoFactorBody"];
            };
        };
        readonly responses: {
            /** @description The state of the recovery. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "initiatedAt": "2026-01-01T00:00:00.000Z",
                     *       "status": "READY",
                     *       "userId": "8c5d2f0e-53a1-4f0b-9a55-0f4d3f4f3f11",
                     *       "wallets": []
                     *     }
                     */
                    readonly "application/json": components["schemas"]["TwoFactorAnswer"];
                };
            };
            readonly 400: components["responses"]["InvalidVerificationCode"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 501: components["responses"]["NotImplemented"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly initFarcaster: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                /**
                 * @example {
                 *       "deeplinkUrl": "https://shop.example/back"
                 *     }
                 */
                readonly "application/json": components["schemas"]["FarcasterInitBody"];
            };
        };
        readonly responses: {
            /** @description The address that the user opens. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "connect_uri": "https://farcaster.xyz/~/siwf?channelToken=abc"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["FarcasterInitAnswer"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 501: components["responses"]["NotImplemented"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly getFarcasterStatus: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description `wait=20`: answer when there is news, at the latest after this number of seconds (at most 20).
                 * @example wait=20
                 */
                readonly prefer?: components["parameters"]["prefer"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The state. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "state": "completed",
                     *       "userId": "8c5d2f0e-53a1-4f0b-9a55-0f4d3f4f3f11",
                     *       "userExists": true,
                     *       "username": "ada"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["FarcasterStatus"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 501: components["responses"]["NotImplemented"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly startOAuth: {
        readonly parameters: {
            readonly query: {
                readonly apiKey: components["schemas"]["Text"];
                readonly sessionLookupId: components["parameters"]["ofLookupId"];
                readonly deeplinkUrl?: components["schemas"]["Url"];
            };
            readonly header?: never;
            readonly path: {
                /** @description google, twitter, apple, discord, facebook, farcaster or telegram. */
                readonly method: components["parameters"]["method"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The page. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /** @example <!doctype html> */
                    readonly "text/html": string;
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["ApiKeyRequired"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 501: components["responses"]["NotImplemented"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly getPartner: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly partnerId: components["parameters"]["partnerId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The partner. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "partner": {
                     *         "id": "2b6a1a55-0f36-44e0-9d5b-6b9f0f5e7a10",
                     *         "displayName": "Shop",
                     *         "portalUrl": "https://portal.shop.example",
                     *         "themeMode": "light",
                     *         "accentColor": "#0a7cff",
                     *         "policiesEnabled": false,
                     *         "supportedAuthMethods": [
                     *           "PASSWORD",
                     *           "PASSKEY"
                     *         ]
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["PartnerAnswer"];
                };
            };
            readonly 401: components["responses"]["ApiKeyRequired"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly getConversionRate: {
        readonly parameters: {
            readonly query: {
                readonly symbol: string;
                readonly currency: string;
            };
            readonly header?: never;
            readonly path: {
                readonly chainId: components["parameters"]["chainId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The rate. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "symbol": "ETH",
                     *       "currency": "USD",
                     *       "rate": "3000.25"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["ConversionRate"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["ApiKeyRequired"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 501: components["responses"]["NotImplemented"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly getGasEstimate: {
        readonly parameters: {
            readonly query: {
                readonly totalGasPrice: string;
            };
            readonly header?: never;
            readonly path: {
                readonly chainId: components["parameters"]["chainId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The estimate. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "estimate": "21000000000000"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GasEstimate"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["ApiKeyRequired"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 501: components["responses"]["NotImplemented"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly getGasOracle: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly chainId: components["parameters"]["chainId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Prices. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "low": "1000000000",
                     *       "average": "1500000000",
                     *       "high": "2000000000"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GasOracle"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["ApiKeyRequired"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 501: components["responses"]["NotImplemented"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly getOnRampConfig: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The configuration. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "isBuyEnabled": true,
                     *       "isReceiveEnabled": true,
                     *       "isWithdrawEnabled": false,
                     *       "providers": [
                     *         "MOONPAY"
                     *       ],
                     *       "assetInfo": {
                     *         "EVM": {
                     *           "ETHEREUM": {
                     *             "USDC": {
                     *               "MOONPAY": [
                     *                 "usdc",
                     *                 {
                     *                   "BUY": true
                     *                 }
                     *               ]
                     *             }
                     *           }
                     *         }
                     *       }
                     *     }
                     */
                    readonly "application/json": components["schemas"]["OnRampConfig"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["ApiKeyRequired"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 501: components["responses"]["NotImplemented"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly createWalletPurchase: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description A repeated request with the same key has one effect and the same answer. */
                readonly "idempotency-key"?: components["parameters"]["idempotencyKey"];
            };
            readonly path: {
                readonly userId: components["parameters"]["userId"];
                readonly walletId: components["parameters"]["walletId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "type": "BUY",
                 *       "provider": "MOONPAY",
                 *       "fiat": "USD",
                 *       "fiatQuantity": "25",
                 *       "networks": "all",
                 *       "assets": [
                 *         "USDC"
                 *       ]
                 *     }
                 */
                readonly "application/json": components["schemas"]["CreatePurchaseBody"];
            };
        };
        readonly responses: {
            /** @description The purchase. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "2f3e4d5c-6b7a-4898-8a9b-0c1d2e3f4a5b",
                     *       "userId": "8c5d2f0e-53a1-4f0b-9a55-0f4d3f4f3f11",
                     *       "type": "BUY",
                     *       "status": "INITIATED",
                     *       "provider": "MOONPAY",
                     *       "providerKey": "mp_1",
                     *       "fiat": "USD",
                     *       "fiatQuantity": "25"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Purchase"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 422: components["responses"]["IdempotencyKeyReused"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 501: components["responses"]["NotImplemented"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly getWalletPurchase: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description `wait=20`: answer when there is news, at the latest after this number of seconds (at most 20).
                 * @example wait=20
                 */
                readonly prefer?: components["parameters"]["prefer"];
            };
            readonly path: {
                readonly userId: components["parameters"]["userId"];
                readonly walletId: components["parameters"]["walletId"];
                readonly purchaseId: components["parameters"]["purchaseId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The purchase. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "2f3e4d5c-6b7a-4898-8a9b-0c1d2e3f4a5b",
                     *       "userId": "8c5d2f0e-53a1-4f0b-9a55-0f4d3f4f3f11",
                     *       "type": "BUY",
                     *       "status": "INITIATED",
                     *       "provider": "MOONPAY",
                     *       "providerKey": "mp_1",
                     *       "fiat": "USD",
                     *       "fiatQuantity": "25"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Purchase"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 501: components["responses"]["NotImplemented"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly updateWalletPurchase: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
                readonly walletId: components["parameters"]["walletId"];
                readonly purchaseId: components["parameters"]["purchaseId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "status": "FINISHED"
                 *     }
                 */
                readonly "application/json": components["schemas"]["PurchaseFields"];
            };
        };
        readonly responses: {
            /** @description The purchase. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "2f3e4d5c-6b7a-4898-8a9b-0c1d2e3f4a5b",
                     *       "userId": "8c5d2f0e-53a1-4f0b-9a55-0f4d3f4f3f11",
                     *       "type": "BUY",
                     *       "status": "INITIATED",
                     *       "provider": "MOONPAY",
                     *       "providerKey": "mp_1",
                     *       "fiat": "USD",
                     *       "fiatQuantity": "25"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Purchase"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 501: components["responses"]["NotImplemented"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly createExternalWalletPurchase: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description A repeated request with the same key has one effect and the same answer. */
                readonly "idempotency-key"?: components["parameters"]["idempotencyKey"];
            };
            readonly path: {
                readonly userId: components["parameters"]["userId"];
                readonly address: components["parameters"]["address"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "type": "BUY",
                 *       "provider": "MOONPAY",
                 *       "fiat": "USD",
                 *       "fiatQuantity": "25",
                 *       "networks": "all",
                 *       "assets": [
                 *         "USDC"
                 *       ]
                 *     }
                 */
                readonly "application/json": components["schemas"]["CreatePurchaseBody"];
            };
        };
        readonly responses: {
            /** @description The purchase. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "2f3e4d5c-6b7a-4898-8a9b-0c1d2e3f4a5b",
                     *       "userId": "8c5d2f0e-53a1-4f0b-9a55-0f4d3f4f3f11",
                     *       "type": "BUY",
                     *       "status": "INITIATED",
                     *       "provider": "MOONPAY",
                     *       "providerKey": "mp_1",
                     *       "fiat": "USD",
                     *       "fiatQuantity": "25"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Purchase"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 422: components["responses"]["IdempotencyKeyReused"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 501: components["responses"]["NotImplemented"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly getExternalWalletPurchase: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description `wait=20`: answer when there is news, at the latest after this number of seconds (at most 20).
                 * @example wait=20
                 */
                readonly prefer?: components["parameters"]["prefer"];
            };
            readonly path: {
                readonly userId: components["parameters"]["userId"];
                readonly address: components["parameters"]["address"];
                readonly purchaseId: components["parameters"]["purchaseId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The purchase. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "2f3e4d5c-6b7a-4898-8a9b-0c1d2e3f4a5b",
                     *       "userId": "8c5d2f0e-53a1-4f0b-9a55-0f4d3f4f3f11",
                     *       "type": "BUY",
                     *       "status": "INITIATED",
                     *       "provider": "MOONPAY",
                     *       "providerKey": "mp_1",
                     *       "fiat": "USD",
                     *       "fiatQuantity": "25"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Purchase"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 501: components["responses"]["NotImplemented"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly updateExternalWalletPurchase: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
                readonly address: components["parameters"]["address"];
                readonly purchaseId: components["parameters"]["purchaseId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "status": "FINISHED"
                 *     }
                 */
                readonly "application/json": components["schemas"]["PurchaseFields"];
            };
        };
        readonly responses: {
            /** @description The purchase. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "2f3e4d5c-6b7a-4898-8a9b-0c1d2e3f4a5b",
                     *       "userId": "8c5d2f0e-53a1-4f0b-9a55-0f4d3f4f3f11",
                     *       "type": "BUY",
                     *       "status": "INITIATED",
                     *       "provider": "MOONPAY",
                     *       "providerKey": "mp_1",
                     *       "fiat": "USD",
                     *       "fiatQuantity": "25"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Purchase"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 501: components["responses"]["NotImplemented"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly signWalletMoonpayUrl: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
                readonly walletId: components["parameters"]["walletId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "url": "https://buy.moonpay.example?walletAddress=0x1",
                 *       "type": "EVM",
                 *       "testMode": true
                 *     }
                 */
                readonly "application/json": components["schemas"]["MoonpayBody"];
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
                     *       "signature": "3q2+7w=="
                     *     }
                     */
                    readonly "application/json": components["schemas"]["MoonpayAnswer"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 501: components["responses"]["NotImplemented"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly signExternalWalletMoonpayUrl: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: components["parameters"]["userId"];
                readonly address: components["parameters"]["address"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "url": "https://buy.moonpay.example?walletAddress=0x1",
                 *       "type": "EVM",
                 *       "testMode": true
                 *     }
                 */
                readonly "application/json": components["schemas"]["MoonpayBody"];
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
                     *       "signature": "3q2+7w=="
                     *     }
                     */
                    readonly "application/json": components["schemas"]["MoonpayAnswer"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 501: components["responses"]["NotImplemented"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly generateOffRamp: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description A repeated request with the same key has one effect and the same answer. */
                readonly "idempotency-key"?: components["parameters"]["idempotencyKey"];
            };
            readonly path: {
                readonly userId: components["parameters"]["userId"];
                readonly walletId: components["parameters"]["walletId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "provider": "MOONPAY",
                 *       "testMode": true,
                 *       "chainId": "1",
                 *       "walletId": "5b1f6c2d-0e3a-4f7b-8c9d-1a2b3c4d5e6f",
                 *       "walletType": "EVM",
                 *       "destinationAddress": "0x2",
                 *       "sourceAddress": "0x1",
                 *       "assetQuantity": "10"
                 *     }
                 */
                readonly "application/json": components["schemas"]["GenerateOffRampBody"];
            };
        };
        readonly responses: {
            /** @description The transaction. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "tx": "AuiAAYCAgIA=",
                     *       "asset": "USDC",
                     *       "network": "ETHEREUM"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["GenerateOffRampAnswer"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 422: components["responses"]["IdempotencyKeyReused"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 501: components["responses"]["NotImplemented"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly sendOffRamp: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description A repeated request with the same key has one effect and the same answer. */
                readonly "idempotency-key"?: components["parameters"]["idempotencyKey"];
            };
            readonly path: {
                readonly userId: components["parameters"]["userId"];
                readonly walletId: components["parameters"]["walletId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "tx": "AuiAAYCAgIA=",
                 *       "signature": "c0ffee",
                 *       "network": "ETHEREUM",
                 *       "walletType": "EVM"
                 *     }
                 */
                readonly "application/json": components["schemas"]["SendOffRampBody"];
            };
        };
        readonly responses: {
            /** @description The transaction's hash. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "txHash": "0xabc"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["SendOffRampAnswer"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 422: components["responses"]["IdempotencyKeyReused"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 501: components["responses"]["NotImplemented"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly exchangeFrame: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** @description At most 256 KiB. */
        readonly requestBody: {
            readonly content: {
                /** @example TDM1 */
                readonly "application/octet-stream": Uint8Array;
            };
        };
        readonly responses: {
            /** @description OK, HELD, ABORT or BAN. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /** @example 0 */
                    readonly "application/octet-stream": Uint8Array;
                };
            };
            readonly 400: components["responses"]["InvalidFrame"];
            readonly 401: components["responses"]["NoSignedInUser"];
            readonly 403: components["responses"]["FrameRefused"];
            readonly 404: components["responses"]["WalletNotFound"];
            readonly 409: components["responses"]["WalletBusy"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 423: components["responses"]["KeyShareLocked"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly getCosignerKeys: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The links, oldest first; none before the first rotation. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "tandem",
                     *       "links": []
                     *     }
                     */
                    readonly "application/json": components["schemas"]["CosignerKeys"];
                };
            };
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly reportSdkError: {
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
                 *       "methodName": "signMessage",
                 *       "sdkType": "WEB",
                 *       "error": {
                 *         "name": "Error",
                 *         "message": "no valid wallet id found"
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["SdkErrorBody"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Done"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["ApiKeyRequired"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly reportReactSdkUse: {
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
                 *       "props": {
                 *         "theme": "dark"
                 *       },
                 *       "reactSdkVersion": "1.17.0"
                 *     }
                 */
                readonly "application/json": components["schemas"]["ReactSdkBody"];
            };
        };
        readonly responses: {
            readonly 200: components["responses"]["Done"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["ApiKeyRequired"];
            readonly 403: components["responses"]["NotAllowed"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 429: components["responses"]["TooManyAttempts"];
            readonly 501: components["responses"]["NotImplemented"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly getPrimeWorker: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The script. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /** @example self.onmessage = () => {} */
                    readonly "text/javascript": string;
                };
            };
            readonly 404: components["responses"]["NotFound"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly getMpcModule: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The module. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /** @example asm */
                    readonly "application/wasm": Uint8Array;
                };
            };
            readonly 404: components["responses"]["NotFound"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly getMpcWorkerBundle: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The script. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /** @example self.onmessage = () => {} */
                    readonly "text/javascript": string;
                };
            };
            readonly 404: components["responses"]["NotFound"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
}
