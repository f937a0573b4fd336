// Generated from the contract by `npm run generate`, never edited.

import * as v from 'valibot';

export const vText = v.pipe(v.string(), v.maxLength(512));

export const vUrl = v.pipe(v.string(), v.maxLength(2048));

/**
 * How mail to the user looks.
 */
export const vMailLook = v.object({
    theme: v.exactOptional(v.pipe(v.string(), v.maxLength(16))),
    brandColor: v.exactOptional(vText),
    homepageUrl: v.exactOptional(vUrl),
    xUrl: v.exactOptional(vUrl),
    linkedinUrl: v.exactOptional(vUrl),
    githubUrl: v.exactOptional(vUrl),
    supportUrl: v.exactOptional(vUrl)
});

export const vIdentityText = v.pipe(v.string(), v.maxLength(320));

/**
 * One identity, an e-mail or a phone.
 */
export const vCreateUserBody = v.intersect([vMailLook, v.object({
        email: v.exactOptional(vIdentityText),
        phone: v.exactOptional(vIdentityText),
        countryCode: v.exactOptional(vIdentityText)
    })]);

export const vId = v.pipe(v.string(), v.minLength(1), v.maxLength(128));

export const vCreateUserAnswer = v.object({
    userId: vId
});

/**
 * The sentence of the error catalogue.
 */
export const vSentence = v.string();

export const vExistsAnswer = v.object({
    exists: v.boolean()
});

export const vTelegramBody = v.object({
    authObject: v.object({
        auth_date: v.pipe(v.number(), v.integer()),
        hash: vText,
        id: v.pipe(v.number(), v.integer()),
        first_name: v.exactOptional(vText),
        last_name: v.exactOptional(vText),
        photo_url: v.exactOptional(vUrl),
        username: v.exactOptional(vText)
    })
});

/**
 * The passkey is BIOMETRIC here.
 */
export const vWireAuthMethods = v.pipe(v.array(v.picklist(['PASSWORD', 'BIOMETRIC'])), v.maxLength(2));

export const vLocationHints = v.pipe(v.array(v.object({
    useragent: v.exactOptional(vText),
    aaguid: v.exactOptional(v.pipe(v.string(), v.maxLength(36)))
})), v.maxLength(100));

export const vTelegramAnswer = v.object({
    isValid: v.boolean(),
    userId: v.exactOptional(vId),
    telegramUserId: v.exactOptional(vId),
    isNewUser: v.exactOptional(v.boolean()),
    supportedAuthMethods: v.exactOptional(vWireAuthMethods),
    biometricHints: v.exactOptional(vLocationHints)
});

export const vAuthMethodsAnswer = v.object({
    supportedAuthMethods: vWireAuthMethods
});

/**
 * EVM, SOLANA or COSMOS.
 */
export const vWalletTypeText = v.pipe(v.string(), v.maxLength(32));

export const vExternalWalletLoginBody = v.object({
    externalAddress: vIdentityText,
    type: vWalletTypeText,
    externalWalletProvider: v.exactOptional(vText),
    shouldTrackUser: v.exactOptional(v.boolean())
});

export const vExternalWalletLoginAnswer = v.object({
    userId: vId,
    userExists: v.exactOptional(v.boolean()),
    isVerified: v.exactOptional(v.boolean()),
    signatureVerificationMessage: v.exactOptional(v.pipe(v.string(), v.maxLength(4096)))
});

/**
 * The user's own record. The public client returns it unread, so its shape is ours; identities are masked outside the portal.
 */
export const vUser = v.object({
    userId: vId,
    email: v.exactOptional(vIdentityText),
    phone: v.exactOptional(vIdentityText),
    countryCode: v.exactOptional(vIdentityText),
    farcasterUsername: v.exactOptional(vIdentityText),
    telegramUserId: v.exactOptional(vIdentityText),
    externalWalletAddress: v.exactOptional(vIdentityText)
});

export const vEmpty = v.strictObject({});

/**
 * As the user typed it.
 */
export const vVerificationCode = v.pipe(v.string(), v.maxLength(64));

export const vCodeBody = v.object({
    verificationCode: vVerificationCode
});

export const vExternalWalletProof = v.object({
    address: vIdentityText,
    signedMessage: v.pipe(v.string(), v.maxLength(4096)),
    cosmosPublicKeyHex: v.exactOptional(v.pipe(v.string(), v.maxLength(256))),
    cosmosSigner: v.exactOptional(vIdentityText)
});

export const vTime = v.pipe(v.string(), v.isoTimestamp(), v.maxLength(40));

export const vOAuthAccounts = v.object({
    accountMetadata: v.record(v.string(), v.object({
        date: vTime,
        metadata: v.exactOptional(v.record(v.string(), v.unknown()))
    }))
});

export const vLoginBody = v.intersect([vMailLook, v.object({
        email: v.exactOptional(vIdentityText)
    })]);

/**
 * A boolean in a query is its text.
 */
export const vBooleanText = v.picklist(['true', 'false']);

export const vUuid = v.pipe(v.string(), v.uuid(), v.maxLength(36));

/**
 * The session's wallets by type.
 */
export const vCurrentWalletIds = v.object({
    EVM: v.exactOptional(v.pipe(v.array(vId), v.maxLength(100))),
    SOLANA: v.exactOptional(v.pipe(v.array(vId), v.maxLength(100))),
    COSMOS: v.exactOptional(v.pipe(v.array(vId), v.maxLength(100)))
});

export const vWalletType = v.picklist([
    'EVM',
    'SOLANA',
    'COSMOS'
]);

export const vSupportedWalletType = v.object({
    type: vWalletType,
    optional: v.exactOptional(v.boolean())
});

/**
 * Human-readable prefix of addresses, `cosmos` by default.
 */
export const vCosmosPrefix = v.pipe(v.string(), v.maxLength(83));

/**
 * Milliseconds since 1970.
 */
export const vMilliseconds = v.pipe(v.number(), v.integer(), v.minValue(0));

/**
 * `v2.` and base64url of IV (12 bytes), AES-256-GCM ciphertext and tag.
 */
export const vSealed = v.pipe(v.string(), v.maxLength(65536), v.regex(/^v2\.[A-Za-z0-9_-]+$/));

/**
 * The latest committed portal session's result for the host, sealed under a secret unknown to the service.
 */
export const vOpeningResult = v.object({
    openingId: vUuid,
    sealedResult: vSealed
});

/**
 * READ: the wallets and who it is. SIGN: signatures, too.
 */
export const vScope = v.picklist(['READ', 'SIGN']);

/**
 * There in a delegated session alone.
 */
export const vDelegatedSession = v.object({
    scope: vScope,
    expiresAt: vMilliseconds
});

/**
 * Who runs the service, as people read it.
 */
export const vOperator = v.object({
    name: v.pipe(v.string(), v.minLength(1), v.maxLength(40))
});

export const vSessionTouch = v.object({
    isAuthenticated: v.boolean(),
    sessionId: vUuid,
    sessionLookupId: vUuid,
    partnerId: vId,
    userId: v.exactOptional(vId),
    email: v.exactOptional(vIdentityText),
    currentWalletIds: vCurrentWalletIds,
    needsWallet: v.boolean(),
    supportedWalletTypes: v.pipe(v.array(vSupportedWalletType), v.maxLength(8)),
    cosmosPrefix: v.exactOptional(vCosmosPrefix),
    serverTime: vMilliseconds,
    openingResult: v.exactOptional(vOpeningResult),
    delegation: v.exactOptional(vDelegatedSession),
    operator: v.exactOptional(vOperator)
});

export const vSessionOrigin = v.object({
    origin: v.exactOptional(vUrl)
});

export const vPemHex = v.pipe(v.string(), v.maxLength(4096), v.regex(/^([0-9a-f]{2})+$/));

export const vHex65 = v.pipe(v.string(), v.maxLength(130), v.regex(/^[0-9a-f]{130}$/));

export const vHex64 = v.pipe(v.string(), v.maxLength(128), v.regex(/^[0-9a-f]{128}$/));

export const vSessionKeysBody = v.object({
    loginPublicKey: v.exactOptional(vPemHex),
    devicePublicKey: vHex65,
    recoveryPublicKey: v.exactOptional(vHex64),
    proof: vHex64
});

export const vHex32 = v.pipe(v.string(), v.maxLength(64), v.regex(/^[0-9a-f]{64}$/));

export const vSessionKeysAnswer = v.object({
    loginKeyThumbprint: v.exactOptional(vHex32)
});

export const vJwt = v.pipe(v.string(), v.maxLength(32768), v.regex(/^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/));

export const vSessionJwt = v.object({
    token: vJwt
});

export const vAuthMethod = v.picklist(['PASSWORD', 'PASSKEY']);

export const vVerifiedSession = v.object({
    userId: vId,
    sessionLookupId: vUuid,
    origin: v.exactOptional(vUrl),
    authMethod: v.exactOptional(vAuthMethod),
    authenticatedAt: v.exactOptional(vTime),
    wallets: v.pipe(v.array(v.object({
        id: vId,
        type: vWalletType,
        address: vText
    })), v.maxLength(48))
});

export const vJwks = v.object({
    keys: v.pipe(v.array(v.object({
        kty: v.literal('EC'),
        crv: v.literal('P-256'),
        alg: v.literal('ES256'),
        use: v.literal('sig'),
        kid: vText,
        x: vText,
        y: vText
    })), v.maxLength(8))
});

export const vDelegation = v.object({
    id: vUuid,
    scope: vScope,
    isOwn: v.boolean(),
    createdAt: vTime,
    lastUsedAt: vTime,
    expiresAt: vTime
});

export const vDelegationsAnswer = v.object({
    delegations: v.array(vDelegation)
});

export const vCreateDelegationBody = v.object({
    devicePublicKey: vHex65,
    scope: vScope,
    issuedAt: vMilliseconds,
    expiresAt: vMilliseconds,
    signature: vHex64
});

export const vCreateDelegationAnswer = v.object({
    delegationId: vUuid,
    token: v.pipe(v.string(), v.maxLength(64))
});

/**
 * The portal's pages.
 */
export const vPage = v.picklist([
    'login-password',
    'login-passkey',
    'create-password',
    'create-passkey',
    'review',
    'on-ramp',
    'step-up',
    'export'
]);

export const vCreateOpeningBody = v.object({
    sessionId: v.exactOptional(vId),
    userId: v.exactOptional(vId),
    page: vPage,
    record: v.exactOptional(vId)
});

export const vPartner = v.object({
    id: vId,
    displayName: vText,
    portalUrl: v.exactOptional(vUrl),
    logoUrl: v.exactOptional(vUrl),
    iconUrl: v.exactOptional(vUrl),
    portalHeaderLogoUrl: v.exactOptional(vUrl),
    policiesEnabled: v.boolean(),
    supportedAuthMethods: v.pipe(v.array(vAuthMethod), v.maxLength(8)),
    font: v.exactOptional(vText),
    borderRadius: v.exactOptional(vText),
    themeMode: v.exactOptional(vText),
    accentColor: v.exactOptional(vText),
    foregroundColor: v.exactOptional(vText),
    backgroundColor: v.exactOptional(vText)
});

export const vCreateOpeningAnswer = v.object({
    openingId: vUuid,
    openingSecret: vHex32,
    mode: v.picklist(['opener', 'ask']),
    origin: v.exactOptional(vUrl),
    partner: vPartner,
    loginPublicKey: v.exactOptional(vPemHex),
    devicePublicKey: v.exactOptional(vHex65),
    recoveryPublicKey: v.exactOptional(vHex64),
    returnUrl: v.exactOptional(vUrl)
});

export const vOpeningState = v.object({
    state: v.picklist(['LIVE', 'CLOSED'])
});

export const vTicketBody = v.object({
    page: vPage,
    record: v.exactOptional(vId)
});

export const vTicketAnswer = v.object({
    ticket: vHex32
});

/**
 * With the opener's ticket; or after a silent opener with `redirect`; or, for a client without device key, with `asked`.
 */
export const vTokenBody = v.object({
    openingSecret: vHex32,
    ticket: v.exactOptional(vHex32),
    redirect: v.exactOptional(v.boolean()),
    redeemHash: v.exactOptional(vHex32),
    asked: v.exactOptional(v.boolean()),
    loginPublicKey: v.exactOptional(vPemHex),
    recipientPublicKey: v.exactOptional(vHex32),
    deviceSignature: v.exactOptional(vHex64),
    hostSecretHash: v.exactOptional(vHex32)
});

/**
 * The fields of one identity kind.
 */
export const vIdentity = v.object({
    email: v.exactOptional(vIdentityText),
    phone: v.exactOptional(vIdentityText),
    countryCode: v.exactOptional(vIdentityText),
    farcasterUsername: v.exactOptional(vIdentityText),
    telegramUserId: v.exactOptional(vIdentityText),
    externalWalletAddress: v.exactOptional(vIdentityText),
    userId: v.exactOptional(vIdentityText)
});

export const vKdf = v.object({
    algorithm: v.literal('argon2id'),
    memoryKiB: v.pipe(v.number(), v.integer(), v.minValue(1)),
    iterations: v.pipe(v.number(), v.integer(), v.minValue(1)),
    parallelism: v.pipe(v.number(), v.integer(), v.minValue(1))
});

export const vTokenAnswer = v.object({
    sessionLookupId: vUuid,
    identity: v.exactOptional(vIdentity),
    challenge: vHex32,
    serverTime: vMilliseconds,
    kdf: v.exactOptional(vKdf),
    pepper: v.exactOptional(vHex32),
    authMethods: v.exactOptional(vWireAuthMethods),
    sessionId: v.exactOptional(vUuid),
    walletAddress: v.exactOptional(v.pipe(v.string(), v.maxLength(256)))
});

export const vOpeningSecretBody = v.object({
    openingSecret: vHex32
});

export const vCloseBody = v.object({
    openingSecret: vHex32,
    reason: v.exactOptional(v.picklist(['opener-mismatch']))
});

export const vHex = v.pipe(v.string(), v.maxLength(4096), v.regex(/^([0-9a-f]{2})+$/));

export const vRedeemBody = v.object({
    proof: vHex32,
    deviceCertificate: v.exactOptional(vHex)
});

export const vCredentialStatus = v.picklist(['PENDING', 'COMPLETE']);

export const vPlatform = v.picklist(['WEB', 'MOBILE']);

export const vCreatePasskeyBody = v.strictObject({
    status: v.exactOptional(vCredentialStatus),
    type: v.exactOptional(vPlatform)
});

export const vCredentialAnswer = v.object({
    id: vId,
    partnerId: vId
});

export const vBase64Url = v.pipe(v.string(), v.maxLength(65536), v.regex(/^[A-Za-z0-9_-]*$/));

/**
 * The wrapping secret: the PRF output, or the user handle, which is weak.
 */
export const vPasskeyVariant = v.picklist(['prf', 'handle']);

export const vPasskey = v.object({
    id: vId,
    status: vCredentialStatus,
    type: vPlatform,
    partnerId: v.exactOptional(vId),
    publicKey: v.exactOptional(vBase64Url),
    sigDerivedPublicKey: v.exactOptional(vPemHex),
    variant: v.exactOptional(vPasskeyVariant),
    rootPublicKey: v.exactOptional(vHex32),
    rootSignature: v.exactOptional(vHex64),
    createdAt: v.exactOptional(vTime)
});

export const vPasskeysAnswer = v.object({
    keys: v.pipe(v.array(vPasskey), v.maxLength(100))
});

export const vPasskeyChallenge = v.object({
    challenge: v.pipe(v.string(), v.maxLength(256)),
    allowedPublicKeys: v.exactOptional(v.pipe(v.array(vBase64Url), v.maxLength(100)))
});

export const vAssertionSignature = v.strictObject({
    clientDataJSON: vBase64Url,
    authenticatorData: vBase64Url,
    signature: vBase64Url
});

export const vVerifyUserPasskeyBody = v.strictObject({
    signature: v.union([vAssertionSignature, v.strictObject({
            r: vText,
            s: vText,
            recoveryParam: v.pipe(v.number(), v.integer())
        })]),
    publicKey: v.exactOptional(vBase64Url)
});

/**
 * COMPLETE needs all of them except the last three, which a session of the public client does not have. The user handle is never sent.
 */
export const vUpdatePasskeyBody = v.strictObject({
    status: v.exactOptional(vCredentialStatus),
    type: v.exactOptional(vPlatform),
    publicKey: v.exactOptional(vBase64Url),
    sigDerivedPublicKey: v.exactOptional(vPemHex),
    cosePublicKey: v.exactOptional(vBase64Url),
    clientDataJSON: v.exactOptional(vBase64Url),
    attestationObject: v.exactOptional(vBase64Url),
    aaguid: v.exactOptional(v.pipe(v.string(), v.maxLength(36))),
    variant: v.exactOptional(vPasskeyVariant),
    rootPublicKey: v.exactOptional(vHex32),
    wrappedRootKey: v.exactOptional(vSealed),
    rootSignature: v.exactOptional(vHex64),
    recoverySignature: v.exactOptional(vHex64),
    deviceCertificate: v.exactOptional(vHex),
    sealedResult: v.exactOptional(vSealed)
});

export const vLocationHintsAnswer = v.object({
    hints: vLocationHints
});

/**
 * The user handle and all other fields of an assertion are refused.
 */
export const vVerifyPasskeyBody = v.strictObject({
    signature: vAssertionSignature,
    publicKey: vBase64Url,
    sessionLookupId: v.exactOptional(vId),
    newDeviceSessionLookupId: v.exactOptional(vId)
});

export const vDeviceToken = v.pipe(v.string(), v.maxLength(101), v.regex(/^[0-9a-f-]{36}\.[0-9a-f]{64}$/));

export const vActiveShare = v.object({
    walletId: vId,
    epoch: v.pipe(v.number(), v.integer(), v.minValue(0)),
    shareId: vHex32
});

/**
 * What the page needs to unwrap its keys, and the active shares. The root key's fields are absent for a user who signed up with another client.
 */
export const vVerifiedCredential = v.object({
    userId: vId,
    credentialId: vId,
    sigDerivedPublicKey: vPemHex,
    ewpk: vSealed,
    rootPublicKey: v.exactOptional(vHex32),
    wrappedRootKey: v.exactOptional(vSealed),
    pepper: v.exactOptional(vHex32),
    variant: v.exactOptional(vPasskeyVariant),
    deviceToken: v.exactOptional(vDeviceToken),
    activeShares: v.pipe(v.array(vActiveShare), v.maxLength(200))
});

export const vHex16 = v.pipe(v.string(), v.maxLength(32), v.regex(/^[0-9a-f]{32}$/));

/**
 * Before login only id, salt and kdf, which an unknown identity has as well.
 */
export const vPassword = v.object({
    id: vId,
    salt: vHex16,
    kdf: v.exactOptional(vKdf),
    userId: v.exactOptional(vId),
    status: v.exactOptional(vCredentialStatus),
    sigDerivedPublicKey: v.exactOptional(vPemHex),
    rootPublicKey: v.exactOptional(vHex32),
    rootSignature: v.exactOptional(vHex64)
});

export const vPasswordsAnswer = v.object({
    passwords: v.pipe(v.array(vPassword), v.maxLength(100))
});

export const vCreatePasswordBody = v.object({
    status: v.exactOptional(vCredentialStatus)
});

/**
 * COMPLETE needs all of them except the last three, which a session of the public client does not have.
 */
export const vUpdatePasswordBody = v.object({
    status: v.exactOptional(vCredentialStatus),
    sigDerivedPublicKey: v.exactOptional(vPemHex),
    salt: v.exactOptional(vHex16),
    kdf: v.exactOptional(vKdf),
    authPublicKey: v.exactOptional(vHex32),
    encryptedWalletPrivateKey: v.exactOptional(vSealed),
    encryptionKeyHash: v.exactOptional(vHex32),
    rootPublicKey: v.exactOptional(vHex32),
    wrappedRootKey: v.exactOptional(vSealed),
    rootSignature: v.exactOptional(vHex64),
    recoverySignature: v.exactOptional(vHex64),
    deviceCertificate: v.exactOptional(vHex),
    sealedResult: v.exactOptional(vSealed)
});

export const vVerifyPasswordBody = v.object({
    signature: vHex64,
    publicKey: vHex32,
    passwordId: vId,
    sessionLookupId: v.exactOptional(vId),
    newDeviceSessionLookupId: v.exactOptional(vId),
    deviceToken: v.exactOptional(vDeviceToken)
});

export const vWalletScheme = v.picklist([
    'DKLS',
    'CGGMP',
    'ED25519'
]);

export const vOptionalText = v.nullable(v.pipe(v.string(), v.maxLength(512)));

export const vWallet = v.object({
    id: vId,
    type: vWalletType,
    scheme: vWalletScheme,
    address: vOptionalText,
    publicKey: vOptionalText,
    name: vOptionalText,
    partnerId: vId,
    partner: v.exactOptional(vPartner),
    userId: vOptionalText,
    isPregen: v.exactOptional(v.boolean()),
    pregenIdentifier: v.nullable(v.pipe(v.string(), v.maxLength(512))),
    pregenIdentifierType: vOptionalText,
    cosmosPrefix: v.exactOptional(vCosmosPrefix),
    keyGenComplete: v.boolean(),
    lacksBackup: v.exactOptional(v.boolean()),
    createdAt: vTime,
    updatedAt: vTime,
    lastUsedAt: v.nullable(v.pipe(v.string(), v.isoTimestamp(), v.maxLength(40))),
    lastUsedPartnerId: v.exactOptional(vId),
    lastUsedPartner: v.exactOptional(vPartner),
    ensName: v.exactOptional(vOptionalText),
    ensAvatar: v.exactOptional(vOptionalText)
});

export const vWalletsAnswer = v.object({
    wallets: v.pipe(v.array(vWallet), v.maxLength(1000))
});

/**
 * DKLS, CGGMP or ED25519; by default that of the type.
 */
export const vWalletSchemeText = v.nullable(v.pipe(v.string(), v.maxLength(32)));

/**
 * By default the scheme is that of the type, and the type SOLANA for ED25519, else EVM.
 */
export const vCreateWalletBody = v.object({
    type: v.exactOptional(vWalletTypeText),
    scheme: v.exactOptional(vWalletSchemeText),
    useTwoSigners: v.exactOptional(v.boolean()),
    cosmosPrefix: v.exactOptional(vCosmosPrefix),
    known: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(0)))
});

export const vCreateWalletAnswer = v.object({
    walletId: vId,
    protocolId: vUuid,
    lead: v.boolean(),
    cosigner: v.object({
        name: vText,
        publicKey: vHex65
    })
});

export const vSetWalletsBody = v.object({
    walletIds: v.record(v.string(), v.pipe(v.array(vId), v.maxLength(100))),
    needsWallet: v.exactOptional(v.boolean()),
    sessionLookupId: v.exactOptional(vId),
    newDeviceSessionLookupId: v.exactOptional(vId),
    missing: v.exactOptional(v.pipe(v.array(vId), v.maxLength(200))),
    deviceCertificate: v.exactOptional(vHex),
    sealedResult: v.exactOptional(vSealed),
    rootPublicKey: v.exactOptional(vHex32),
    wrappedRootKey: v.exactOptional(vSealed),
    rootSignature: v.exactOptional(vHex64)
});

export const vBalanceAnswer = v.object({
    balance: v.pipe(v.string(), v.maxLength(128))
});

export const vCapsuleShareAnswer = v.object({
    share: v.pipe(v.string(), v.maxLength(65536))
});

export const vDistributeBody = v.intersect([vMailLook, v.object({
        useDKLS: v.exactOptional(v.boolean())
    })]);

export const vAcceptScopesBody = v.object({
    scopeIds: v.pipe(v.array(vId), v.maxLength(100)),
    partnerId: vId
});

export const vCreatePregenWalletBody = v.object({
    pregenIdentifier: vIdentityText,
    pregenIdentifierType: v.pipe(v.string(), v.maxLength(32)),
    type: v.exactOptional(vWalletTypeText),
    scheme: v.exactOptional(vWalletSchemeText),
    cosmosPrefix: v.exactOptional(vCosmosPrefix)
});

export const vClaimBody = v.object({
    userId: vId,
    walletIds: v.pipe(v.array(vId), v.maxLength(100))
});

export const vClaimAnswer = v.object({
    walletIds: v.pipe(v.array(vId), v.maxLength(100))
});

export const vPregenIdentifier = v.object({
    pregenIdentifier: vIdentityText,
    pregenIdentifierType: v.pipe(v.string(), v.maxLength(32))
});

/**
 * base64 of at most 256 KiB.
 */
export const vPayload = v.pipe(v.string(), v.maxLength(349528));

export const vSendTransactionBody = v.object({
    transaction: vPayload,
    chainId: v.pipe(v.string(), v.maxLength(64)),
    chain: v.exactOptional(v.pipe(v.string(), v.maxLength(32))),
    protocolId: vUuid,
    walletId: v.exactOptional(vId),
    timeout: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(0))),
    cosmosSignDoc: v.exactOptional(vPayload)
});

export const vSignature = v.object({
    r: vHex32,
    s: vHex32,
    v: v.picklist(['00', '01'])
});

/**
 * EVM: as SigningAnswer. Solana, Cosmos: the hash of the transaction that was passed on.
 */
export const vSendAnswer = v.object({
    pendingTransactionId: v.exactOptional(vId),
    signature: v.exactOptional(vSignature),
    txHash: v.exactOptional(v.pipe(v.string(), v.maxLength(128)))
});

export const vTransactionBody = v.object({
    transaction: vPayload,
    chainId: v.pipe(v.string(), v.maxLength(64)),
    chain: v.exactOptional(v.pipe(v.string(), v.maxLength(32))),
    protocolId: vUuid,
    walletId: v.exactOptional(vId),
    timeout: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(0)))
});

/**
 * Held for review, or approved. A 200 means nothing else. The signature is present when the run is already finished.
 */
export const vSigningAnswer = v.object({
    pendingTransactionId: v.exactOptional(vId),
    signature: v.exactOptional(vSignature)
});

export const vSignMessageBody = v.object({
    message: vPayload,
    scheme: v.exactOptional(vWalletSchemeText),
    cosmosSignDoc: v.exactOptional(vPayload),
    protocolId: vUuid,
    walletId: v.exactOptional(vId),
    timeout: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(0)))
});

export const vRefreshBody = v.object({
    oldPartnerId: v.exactOptional(vId),
    newPartnerId: v.exactOptional(vId),
    keyShareProtocolId: v.exactOptional(vId)
});

export const vRefreshAnswer = v.object({
    protocolId: vUuid
});

export const vRefreshDoneAnswer = v.object({
    isDone: v.boolean()
});

/**
 * What may leave the wallet, now or by a permission that is given.
 */
export const vReviewTransfer = v.object({
    asset: v.pipe(v.string(), v.maxLength(256)),
    amount: v.pipe(v.string(), v.maxLength(80)),
    to: v.exactOptional(v.pipe(v.string(), v.maxLength(128))),
    isApproval: v.boolean()
});

/**
 * What is to be signed, as the co-signer decoded it.
 */
export const vReviewContent = v.object({
    kind: v.pipe(v.string(), v.maxLength(64)),
    chain: v.exactOptional(v.pipe(v.string(), v.maxLength(128))),
    text: v.exactOptional(v.pipe(v.string(), v.maxLength(65536))),
    transfers: v.pipe(v.array(vReviewTransfer), v.maxLength(64)),
    details: v.pipe(v.array(v.object({
        name: v.pipe(v.string(), v.maxLength(256)),
        value: v.pipe(v.string(), v.maxLength(65536))
    })), v.maxLength(256)),
    warnings: v.pipe(v.array(v.object({
        code: v.picklist([
            'ACCOUNT_DELEGATED',
            'FIRST_TIME_ADDRESS',
            'LOOKUP_TABLE',
            'OTHER_CHAIN',
            'OUTFLOW_UNKNOWN',
            'UNKNOWN_CALL',
            'UNKNOWN_PROGRAM',
            'UNLIMITED_APPROVAL',
            'UNREADABLE'
        ]),
        subject: v.exactOptional(v.pipe(v.string(), v.maxLength(256)))
    })), v.maxLength(64))
});

/**
 * Clients read success or failure only; the rest is for the review page, its shape ours.
 */
export const vPendingTransaction = v.object({
    id: vId,
    status: v.picklist([
        'PENDING',
        'ACCEPTED',
        'DONE'
    ]),
    walletId: v.exactOptional(vId),
    origin: v.exactOptional(vUrl),
    contentHash: v.exactOptional(vHex32),
    expiresAt: v.exactOptional(vMilliseconds),
    stepUp: v.exactOptional(v.boolean()),
    by: v.exactOptional(v.picklist([
        'user',
        'partner',
        'both'
    ])),
    payload: v.exactOptional(vReviewContent)
});

export const vAcceptBody = v.object({
    contentHash: v.exactOptional(vHex32),
    rootSignature: v.exactOptional(vHex64)
});

export const vDecisionBody = v.object({
    jws: v.pipe(v.string(), v.maxLength(4096), v.regex(/^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/))
});

/**
 * A backup of the user's share, encrypted to a passkey, a password or the recovery key. It is signed by the device key, whose certificate is signed by the root key.
 */
export const vKeyShare = v.object({
    walletId: vId,
    walletScheme: v.exactOptional(vWalletScheme),
    encryptedShare: v.pipe(v.string(), v.maxLength(65536)),
    encryptedKey: v.exactOptional(v.pipe(v.string(), v.maxLength(4096))),
    type: v.picklist(['USER', 'RECOVERY']),
    encryptor: v.picklist([
        'USER',
        'RECOVERY',
        'BIOMETRICS',
        'PASSWORD'
    ]),
    biometricPublicKey: v.exactOptional(v.pipe(v.string(), v.maxLength(4096))),
    passwordId: v.exactOptional(vId),
    recoveryPublicKeyId: v.exactOptional(vId),
    partnerId: v.exactOptional(vId),
    protocolId: v.exactOptional(vId),
    shareId: v.exactOptional(vHex32),
    epoch: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(0))),
    deviceSignature: v.exactOptional(vHex64),
    certificate: v.exactOptional(vHex)
});

export const vWalletKeySharesAnswer = v.object({
    keyShare: v.exactOptional(vKeyShare),
    keyShares: v.pipe(v.array(vKeyShare), v.maxLength(1000))
});

export const vWalletKeyShareBody = v.object({
    encryptedShare: v.pipe(v.string(), v.maxLength(65536)),
    encryptedKey: v.exactOptional(v.pipe(v.string(), v.maxLength(4096))),
    type: v.picklist(['USER', 'RECOVERY']),
    encryptor: v.picklist([
        'USER',
        'RECOVERY',
        'BIOMETRICS',
        'PASSWORD'
    ]),
    biometricPublicKey: v.exactOptional(v.pipe(v.string(), v.maxLength(4096))),
    passwordId: v.exactOptional(vId),
    recoveryPublicKeyId: v.exactOptional(vId),
    partnerId: v.exactOptional(vId),
    protocolId: v.exactOptional(vId),
    shareId: v.exactOptional(vHex32),
    epoch: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(0))),
    deviceSignature: v.exactOptional(vHex64),
    certificate: v.exactOptional(vHex)
});

export const vWalletKeySharesBody = v.object({
    keyShares: v.pipe(v.array(vWalletKeyShareBody), v.maxLength(100))
});

export const vKeySharesBody = v.object({
    keyShares: v.pipe(v.array(v.object({
        walletId: vId,
        encryptedShare: v.pipe(v.string(), v.maxLength(65536)),
        encryptedKey: v.exactOptional(v.pipe(v.string(), v.maxLength(4096))),
        type: v.picklist(['USER', 'RECOVERY']),
        encryptor: v.picklist([
            'USER',
            'RECOVERY',
            'BIOMETRICS',
            'PASSWORD'
        ]),
        biometricPublicKey: v.exactOptional(v.pipe(v.string(), v.maxLength(4096))),
        passwordId: v.exactOptional(vId),
        recoveryPublicKeyId: v.exactOptional(vId),
        partnerId: v.exactOptional(vId),
        protocolId: v.exactOptional(vId),
        shareId: v.exactOptional(vHex32),
        epoch: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(0))),
        deviceSignature: v.exactOptional(vHex64),
        certificate: v.exactOptional(vHex)
    })), v.maxLength(100))
});

export const vKeySharesAnswer = v.object({
    keyShares: v.pipe(v.array(vKeyShare), v.maxLength(1000))
});

export const vTemporarySharesAnswer = v.object({
    temporaryShares: v.pipe(v.array(v.object({
        userId: v.exactOptional(vId),
        walletId: vId,
        encryptedShare: v.pipe(v.string(), v.maxLength(65536)),
        encryptedKey: v.exactOptional(v.pipe(v.string(), v.maxLength(4096)))
    })), v.maxLength(200))
});

export const vTemporarySharesBody = v.object({
    shares: v.pipe(v.array(v.object({
        walletId: vId,
        encryptedShare: v.pipe(v.string(), v.maxLength(65536)),
        encryptedKey: v.exactOptional(v.pipe(v.string(), v.maxLength(4096))),
        sessionLookupId: vId
    })), v.maxLength(200))
});

export const vRecoveryPublicKeysAnswer = v.object({
    recoveryPublicKeys: v.pipe(v.array(v.object({
        id: vId,
        publicKey: vHex64,
        rootSignature: v.exactOptional(vHex64)
    })), v.maxLength(10))
});

export const vRecoveryPublicKeysBody = v.object({
    publicKeys: v.pipe(v.array(vHex64), v.maxLength(10)),
    rootSignatures: v.exactOptional(v.pipe(v.array(vHex64), v.maxLength(10)))
});

export const vEncryptedWalletPrivateKeyBody = v.object({
    encryptedWalletPrivateKey: vSealed,
    encryptionKeyHash: vHex32,
    biometricPublicKey: v.exactOptional(v.pipe(v.string(), v.maxLength(4096))),
    passwordId: v.exactOptional(vId)
});

export const vEncryptedWalletPrivateKey = v.object({
    id: vId,
    userId: vId,
    encryptedPrivateKey: vSealed,
    encryptionKeyHash: vHex32,
    biometricPublicKey: v.exactOptional(v.pipe(v.string(), v.maxLength(4096))),
    passwordId: v.exactOptional(vId)
});

export const vEncryptedWalletPrivateKeyAnswer = v.object({
    encryptedWalletPrivateKey: vEncryptedWalletPrivateKey
});

export const vEncryptedWalletPrivateKeysAnswer = v.object({
    encryptedPrivateKeys: v.pipe(v.array(vEncryptedWalletPrivateKey), v.maxLength(100))
});

export const vTransmissionBody = v.object({
    message: v.pipe(v.string(), v.maxLength(65536)),
    userId: v.exactOptional(vId)
});

export const vTransmissionAnswer = v.object({
    id: vId
});

export const vTransmission = v.object({
    message: v.pipe(v.string(), v.maxLength(65536))
});

export const vEmailBody = v.object({
    email: v.exactOptional(vIdentityText)
});

export const vEmailCodeBody = v.object({
    email: v.exactOptional(vIdentityText),
    verificationCode: vVerificationCode
});

export const vRecoverableWallet = v.object({
    walletId: vId,
    type: vWalletType,
    scheme: vWalletScheme,
    address: vText,
    publicKey: vHex,
    epoch: v.pipe(v.number(), v.integer(), v.minValue(0)),
    shareId: vHex32,
    partnerId: vId,
    partnerName: vText
});

export const vRecoveryAnswer = v.object({
    userId: vId,
    wallets: v.pipe(v.array(vRecoverableWallet), v.maxLength(1000))
});

/**
 * An e-mail, or a phone with its country code.
 */
export const vInitBody = v.object({
    email: v.exactOptional(vIdentityText),
    phone: v.exactOptional(vIdentityText),
    countryCode: v.exactOptional(vIdentityText)
});

export const vPhoneCodeBody = v.object({
    phone: v.exactOptional(vIdentityText),
    countryCode: v.exactOptional(vIdentityText),
    verificationCode: vVerificationCode
});

export const vCompletionBody = v.object({
    leftBehind: v.pipe(v.array(vId), v.maxLength(1000)),
    recoveryPublicKey: v.exactOptional(vHex64),
    signature: v.exactOptional(vHex64)
});

export const vTwoFactorStatus = v.object({
    isSetup: v.boolean()
});

export const vTwoFactorSetup = v.object({
    uri: vUrl
});

/**
 * An e-mail, or a phone with its country code.
 */
export const vTwoFactorBody = v.object({
    email: v.exactOptional(vIdentityText),
    phone: v.exactOptional(vIdentityText),
    countryCode: v.exactOptional(vIdentityText),
    verificationCode: vVerificationCode
});

export const vTwoFactorAnswer = v.object({
    initiatedAt: vTime,
    status: v.picklist([
        'INITIATED',
        'READY',
        'EXPIRED',
        'FINISHED',
        'CANCELLED'
    ]),
    userId: vId,
    wallets: v.pipe(v.array(vWallet), v.maxLength(1000))
});

export const vFarcasterInitBody = v.object({
    deeplinkUrl: v.exactOptional(vUrl)
});

export const vFarcasterInitAnswer = v.object({
    connect_uri: vUrl
});

export const vFarcasterStatus = v.object({
    state: v.pipe(v.string(), v.maxLength(32)),
    userId: v.exactOptional(vId),
    userExists: v.exactOptional(v.boolean()),
    username: v.exactOptional(vIdentityText),
    pfpUrl: v.exactOptional(vUrl)
});

export const vPartnerAnswer = v.object({
    partner: vPartner
});

export const vConversionRate = v.object({
    symbol: vText,
    currency: vText,
    rate: vText
});

export const vGasEstimate = v.object({
    estimate: vText
});

export const vGasOracle = v.object({
    low: vText,
    average: vText,
    high: vText
});

export const vOnRampProvider = v.picklist([
    'RAMP',
    'STRIPE',
    'MOONPAY'
]);

export const vOnRampConfig = v.object({
    isBuyEnabled: v.boolean(),
    isReceiveEnabled: v.boolean(),
    isWithdrawEnabled: v.boolean(),
    assetInfo: v.record(v.string(), v.record(v.string(), v.record(v.string(), v.record(v.string(), v.tuple([v.unknown(), v.unknown()]))))),
    providers: v.pipe(v.array(vOnRampProvider), v.maxLength(8)),
    allowedAssets: v.exactOptional(v.record(v.string(), v.unknown())),
    rampApiKey: v.exactOptional(vText),
    defaultOnRampAsset: v.exactOptional(vText),
    defaultOnRampNetwork: v.exactOptional(vText),
    defaultBuyAmount: v.exactOptional(v.tuple([vText, vText]))
});

export const vCreatePurchaseBody = v.object({
    type: v.exactOptional(v.pipe(v.string(), v.maxLength(32))),
    walletId: v.exactOptional(vOptionalText),
    walletType: v.exactOptional(vOptionalText),
    externalWalletAddress: v.exactOptional(vOptionalText),
    address: v.exactOptional(vOptionalText),
    status: v.exactOptional(v.pipe(v.string(), v.maxLength(32))),
    provider: v.exactOptional(v.pipe(v.string(), v.maxLength(32))),
    providerKey: v.exactOptional(vOptionalText),
    fiat: v.exactOptional(vOptionalText),
    fiatQuantity: v.exactOptional(vOptionalText),
    asset: v.exactOptional(v.pipe(v.string(), v.maxLength(32))),
    assetQuantity: v.exactOptional(vOptionalText),
    network: v.exactOptional(vOptionalText),
    testMode: v.exactOptional(v.boolean()),
    networks: v.exactOptional(v.union([v.literal('all'), v.pipe(v.array(v.pipe(v.string(), v.maxLength(32))), v.maxLength(32))])),
    assets: v.exactOptional(v.union([v.literal('all'), v.pipe(v.array(v.pipe(v.string(), v.maxLength(32))), v.maxLength(32))])),
    defaultNetwork: v.exactOptional(v.pipe(v.string(), v.maxLength(32))),
    defaultAsset: v.exactOptional(v.pipe(v.string(), v.maxLength(32)))
});

export const vPurchase = v.object({
    id: vId,
    userId: vId,
    type: v.exactOptional(v.pipe(v.string(), v.maxLength(32))),
    walletId: v.exactOptional(vOptionalText),
    walletType: v.exactOptional(vOptionalText),
    externalWalletAddress: v.exactOptional(vOptionalText),
    address: v.exactOptional(vOptionalText),
    status: v.exactOptional(v.pipe(v.string(), v.maxLength(32))),
    provider: v.exactOptional(v.pipe(v.string(), v.maxLength(32))),
    providerKey: v.exactOptional(vOptionalText),
    fiat: v.exactOptional(vOptionalText),
    fiatQuantity: v.exactOptional(vOptionalText),
    asset: v.exactOptional(v.pipe(v.string(), v.maxLength(32))),
    assetQuantity: v.exactOptional(vOptionalText),
    network: v.exactOptional(vOptionalText),
    testMode: v.exactOptional(v.boolean())
});

/**
 * Quantities are texts.
 */
export const vPurchaseFields = v.object({
    type: v.exactOptional(v.pipe(v.string(), v.maxLength(32))),
    walletId: v.exactOptional(vOptionalText),
    walletType: v.exactOptional(vOptionalText),
    externalWalletAddress: v.exactOptional(vOptionalText),
    address: v.exactOptional(vOptionalText),
    status: v.exactOptional(v.pipe(v.string(), v.maxLength(32))),
    provider: v.exactOptional(v.pipe(v.string(), v.maxLength(32))),
    providerKey: v.exactOptional(vOptionalText),
    fiat: v.exactOptional(vOptionalText),
    fiatQuantity: v.exactOptional(vOptionalText),
    asset: v.exactOptional(v.pipe(v.string(), v.maxLength(32))),
    assetQuantity: v.exactOptional(vOptionalText),
    network: v.exactOptional(vOptionalText),
    testMode: v.exactOptional(v.boolean())
});

export const vMoonpayBody = v.object({
    url: vUrl,
    type: vWalletTypeText,
    cosmosPrefix: v.exactOptional(vCosmosPrefix),
    testMode: v.exactOptional(v.boolean())
});

export const vMoonpayAnswer = v.object({
    signature: vText
});

export const vGenerateOffRampBody = v.object({
    provider: vText,
    testMode: v.exactOptional(v.boolean()),
    chainId: v.pipe(v.string(), v.maxLength(64)),
    contractAddress: v.exactOptional(vOptionalText),
    walletId: vId,
    walletType: vWalletTypeText,
    destinationAddress: vText,
    sourceAddress: vText,
    assetQuantity: vText
});

export const vGenerateOffRampAnswer = v.object({
    tx: vPayload,
    message: v.exactOptional(vPayload),
    asset: vText,
    network: vText
});

export const vSendOffRampBody = v.object({
    tx: vPayload,
    signature: vText,
    sourceAddress: v.exactOptional(vText),
    network: vText,
    walletType: vWalletTypeText
});

export const vSendOffRampAnswer = v.object({
    txHash: vText
});

export const vCosignerKeys = v.object({
    name: vText,
    links: v.pipe(v.array(v.object({
        oldPublicKey: vHex65,
        newPublicKey: vHex65,
        from: vMilliseconds,
        isCompromised: v.boolean(),
        signature: vHex64
    })), v.maxLength(512))
});

export const vSdkErrorBody = v.object({
    methodName: vText,
    sdkType: v.pipe(v.string(), v.maxLength(32)),
    userId: v.exactOptional(vId),
    error: v.object({
        name: v.exactOptional(vText),
        message: v.exactOptional(v.union([v.pipe(v.string(), v.maxLength(8192)), v.record(v.string(), v.unknown())]))
    })
});

export const vReactSdkBody = v.object({
    props: v.exactOptional(v.record(v.string(), v.unknown())),
    reactSdkVersion: v.exactOptional(vText)
});

/**
 * A repeated request with the same key has one effect and the same answer.
 */
export const vIdempotencyKey = v.pipe(v.string(), v.maxLength(255));

export const vEmail = vIdentityText;

export const vPhone = vIdentityText;

export const vCountryCode = vIdentityText;

export const vFarcasterUsername = vIdentityText;

export const vTelegramUserId = vIdentityText;

export const vExternalWalletAddress = vIdentityText;

export const vIdentityUserId = vIdentityText;

export const vUserId = vId;

export const vOfPartner = vId;

/**
 * `wait=20`: answer when there is news, at the latest after this number of seconds (at most 20).
 */
export const vPrefer = v.pipe(v.string(), v.maxLength(64));

export const vSessionLookupId = vId;

export const vSessionId = vId;

export const vDelegationId = vId;

export const vOpeningId = vId;

export const vPasskeyId = vId;

export const vPasswordId = vId;

export const vWalletId = vId;

/**
 * The user; for an unclaimed pregenerated wallet its partner.
 */
export const vOwnerId = vId;

export const vPendingTransactionId = vId;

/**
 * Of all partners; for the connect host only.
 */
export const vAll = vBooleanText;

export const vOfPassword = vId;

export const vOfLookupId = vId;

/**
 * The key hash, or the record's id.
 */
export const vEncryptionKeyHash = vId;

export const vTransmissionId = vId;

/**
 * google, twitter, apple, discord, facebook, farcaster or telegram.
 */
export const vMethod = v.pipe(v.string(), v.maxLength(32));

export const vPartnerId = vId;

export const vChainId = v.pipe(v.string(), v.maxLength(64));

export const vPurchaseId = vId;

export const vAddress = vIdentityText;

export const vCreateUserRequestBody = vCreateUserBody;

export const vCreateUserRequestHeader = v.object({
    'idempotency-key': v.exactOptional(v.pipe(v.string(), v.maxLength(255)))
});

/**
 * The user. A code was sent.
 */
export const vCreateUserSuccess = vCreateUserAnswer;

export const vCheckUserExistsRequestQuery = v.object({
    email: v.exactOptional(vIdentityText),
    phone: v.exactOptional(vIdentityText),
    countryCode: v.exactOptional(vIdentityText)
});

/**
 * In strict mode always the same.
 */
export const vCheckUserExistsSuccess = vExistsAnswer;

export const vVerifyTelegramRequestBody = vTelegramBody;

/**
 * Valid or not.
 */
export const vVerifyTelegramSuccess = vTelegramAnswer;

export const vGetSupportedAuthMethodsRequestQuery = v.object({
    email: v.exactOptional(vIdentityText),
    phone: v.exactOptional(vIdentityText),
    countryCode: v.exactOptional(vIdentityText),
    farcasterUsername: v.exactOptional(vIdentityText),
    telegramUserId: v.exactOptional(vIdentityText),
    externalWalletAddress: v.exactOptional(vIdentityText),
    userId: v.exactOptional(vIdentityText)
});

/**
 * The methods.
 */
export const vGetSupportedAuthMethodsSuccess = vAuthMethodsAnswer;

export const vLoginExternalWalletRequestBody = vExternalWalletLoginBody;

/**
 * The user, and what the wallet has to sign.
 */
export const vLoginExternalWalletSuccess = vExternalWalletLoginAnswer;

export const vDeleteUserRequestPath = v.object({
    userId: vId
});

/**
 * Done.
 */
export const vDeleteUserSuccess = vEmpty;

export const vGetUserRequestPath = v.object({
    userId: vId
});

/**
 * The user.
 */
export const vGetUserSuccess = vUser;

export const vVerifyEmailRequestBody = vCodeBody;

export const vVerifyEmailRequestPath = v.object({
    userId: vId
});

/**
 * Done.
 */
export const vVerifyEmailSuccess = vEmpty;

export const vVerifyIdentifierRequestBody = vCodeBody;

export const vVerifyIdentifierRequestPath = v.object({
    userId: vId
});

/**
 * Done.
 */
export const vVerifyIdentifierSuccess = vEmpty;

export const vVerifyExternalWalletRequestBody = vExternalWalletProof;

export const vVerifyExternalWalletRequestPath = v.object({
    userId: vId
});

/**
 * Done.
 */
export const vVerifyExternalWalletSuccess = vEmpty;

export const vListOAuthAccountsRequestPath = v.object({
    userId: vId
});

export const vListOAuthAccountsRequestQuery = v.object({
    partnerId: v.exactOptional(vId)
});

/**
 * The accounts.
 */
export const vListOAuthAccountsSuccess = vOAuthAccounts;

export const vResendVerificationCodeRequestBody = vMailLook;

export const vResendVerificationCodeRequestPath = v.object({
    userId: vId
});

/**
 * Done.
 */
export const vResendVerificationCodeSuccess = vEmpty;

export const vResendVerificationCodeByPhoneRequestBody = vMailLook;

export const vResendVerificationCodeByPhoneRequestPath = v.object({
    userId: vId
});

/**
 * Done.
 */
export const vResendVerificationCodeByPhoneSuccess = vEmpty;

export const vLoginRequestBody = vLoginBody;

/**
 * Done.
 */
export const vLoginSuccess = vEmpty;

export const vVerifyLoginEmailRequestBody = vCodeBody;

/**
 * Done.
 */
export const vVerifyLoginEmailSuccess = vEmpty;

export const vTouchSessionRequestHeader = v.object({
    prefer: v.exactOptional(v.pipe(v.string(), v.maxLength(64)))
});

export const vTouchSessionRequestQuery = v.object({
    regenerate: v.exactOptional(vBooleanText)
});

/**
 * The session. Its token is in the header when it is new.
 */
export const vTouchSessionSuccess = vSessionTouch;

export const vGetSessionOriginRequestPath = v.object({
    sessionLookupId: vId
});

/**
 * The origin.
 */
export const vGetSessionOriginSuccess = vSessionOrigin;

export const vRegisterSessionKeysRequestBody = vSessionKeysBody;

export const vRegisterSessionKeysRequestPath = v.object({
    sessionId: vId
});

/**
 * Registered; the same body again has the same answer.
 */
export const vRegisterSessionKeysSuccess = vSessionKeysAnswer;

export const vKeepSessionAliveRequestPath = v.object({
    userId: vId
});

/**
 * Done.
 */
export const vKeepSessionAliveSuccess = vEmpty;

export const vCreateSessionJwtRequestPath = v.object({
    userId: vId
});

/**
 * The JWT; it is valid for five minutes.
 */
export const vCreateSessionJwtSuccess = vSessionJwt;

export const vVerifySessionJwtRequestBody = vSessionJwt;

/**
 * The session, as it is now.
 */
export const vVerifySessionJwtSuccess = vVerifiedSession;

/**
 * The keys; one stands here for a day before it signs, and until its last JWT is over.
 */
export const vGetJwksSuccess = vJwks;

/**
 * Done.
 */
export const vLogoutSuccess = vEmpty;

export const vListDelegationsRequestPath = v.object({
    userId: vId
});

/**
 * Always a list, the oldest first.
 */
export const vListDelegationsSuccess = vDelegationsAnswer;

export const vCreateDelegationRequestBody = vCreateDelegationBody;

export const vCreateDelegationRequestPath = v.object({
    userId: vId
});

/**
 * The delegated session with its token, which is told here alone.
 */
export const vCreateDelegationSuccess = vCreateDelegationAnswer;

export const vEndDelegationRequestPath = v.object({
    userId: vId,
    delegationId: vId
});

/**
 * Done.
 */
export const vEndDelegationSuccess = vEmpty;

export const vCreateOpeningRequestBody = vCreateOpeningBody;

/**
 * What the page needs to reach its opener.
 */
export const vCreateOpeningSuccess = vCreateOpeningAnswer;

export const vGetOpeningRequestHeader = v.object({
    prefer: v.exactOptional(v.pipe(v.string(), v.maxLength(64)))
});

export const vGetOpeningRequestPath = v.object({
    openingId: vId
});

/**
 * Its state.
 */
export const vGetOpeningSuccess = vOpeningState;

export const vCreateOpeningTicketRequestBody = vTicketBody;

export const vCreateOpeningTicketRequestPath = v.object({
    openingId: vId
});

/**
 * Single use, 60 s; the same one until it is used.
 */
export const vCreateOpeningTicketSuccess = vTicketAnswer;

export const vCreateOpeningTokenRequestBody = vTokenBody;

export const vCreateOpeningTokenRequestPath = v.object({
    openingId: vId
});

/**
 * The token is in the header, 10 min.
 */
export const vCreateOpeningTokenSuccess = vTokenAnswer;

export const vBeatOpeningRequestBody = vOpeningSecretBody;

export const vBeatOpeningRequestPath = v.object({
    openingId: vId
});

/**
 * Done.
 */
export const vBeatOpeningSuccess = vEmpty;

export const vCloseOpeningRequestBody = vCloseBody;

export const vCloseOpeningRequestPath = v.object({
    openingId: vId
});

/**
 * Done.
 */
export const vCloseOpeningSuccess = vEmpty;

export const vRedeemOpeningRequestBody = vRedeemBody;

export const vRedeemOpeningRequestPath = v.object({
    openingId: vId
});

/**
 * Done.
 */
export const vRedeemOpeningSuccess = vEmpty;

export const vCreatePasskeyRequestBody = vCreatePasskeyBody;

export const vCreatePasskeyRequestHeader = v.object({
    'idempotency-key': v.exactOptional(v.pipe(v.string(), v.maxLength(255)))
});

export const vCreatePasskeyRequestPath = v.object({
    userId: vId
});

/**
 * The record, pending for 10 min.
 */
export const vCreatePasskeySuccess = vCredentialAnswer;

export const vListPasskeysRequestPath = v.object({
    userId: vId
});

/**
 * Always a list.
 */
export const vListPasskeysSuccess = vPasskeysAnswer;

export const vGetUserPasskeyChallengeRequestPath = v.object({
    userId: vId
});

/**
 * Single use, 5 min.
 */
export const vGetUserPasskeyChallengeSuccess = vPasskeyChallenge;

export const vVerifyUserPasskeyRequestBody = vVerifyUserPasskeyBody;

export const vVerifyUserPasskeyRequestPath = v.object({
    userId: vId
});

/**
 * Done.
 */
export const vVerifyUserPasskeySuccess = vEmpty;

export const vGetPasskeyRequestPath = v.object({
    userId: vId,
    passkeyId: vId
});

/**
 * The passkey.
 */
export const vGetPasskeySuccess = vPasskey;

export const vUpdatePasskeyRequestBody = vUpdatePasskeyBody;

export const vUpdatePasskeyRequestPath = v.object({
    userId: vId,
    passkeyId: vId
});

/**
 * Done.
 */
export const vUpdatePasskeySuccess = vEmpty;

export const vGetPasskeyLocationHintsRequestQuery = v.object({
    email: v.exactOptional(vIdentityText),
    phone: v.exactOptional(vIdentityText),
    countryCode: v.exactOptional(vIdentityText),
    farcasterUsername: v.exactOptional(vIdentityText),
    telegramUserId: v.exactOptional(vIdentityText),
    externalWalletAddress: v.exactOptional(vIdentityText),
    userId: v.exactOptional(vIdentityText)
});

/**
 * Hints; in strict mode the same for everybody.
 */
export const vGetPasskeyLocationHintsSuccess = vLocationHintsAnswer;

export const vGetPasskeyChallengeRequestQuery = v.object({
    email: v.exactOptional(vIdentityText),
    phone: v.exactOptional(vIdentityText),
    countryCode: v.exactOptional(vIdentityText),
    farcasterUsername: v.exactOptional(vIdentityText),
    telegramUserId: v.exactOptional(vIdentityText),
    externalWalletAddress: v.exactOptional(vIdentityText),
    userId: v.exactOptional(vIdentityText)
});

/**
 * Single use, 5 min.
 */
export const vGetPasskeyChallengeSuccess = vPasskeyChallenge;

export const vVerifyPasskeyRequestBody = vVerifyPasskeyBody;

/**
 * The user is verified; the session is not authenticated yet.
 */
export const vVerifyPasskeySuccess = vVerifiedCredential;

export const vListPasswordsRequestQuery = v.object({
    email: v.exactOptional(vIdentityText),
    phone: v.exactOptional(vIdentityText),
    countryCode: v.exactOptional(vIdentityText),
    farcasterUsername: v.exactOptional(vIdentityText),
    telegramUserId: v.exactOptional(vIdentityText),
    externalWalletAddress: v.exactOptional(vIdentityText),
    userId: v.exactOptional(vIdentityText)
});

/**
 * Always a list. Before login an unknown identity has one as well.
 */
export const vListPasswordsSuccess = vPasswordsAnswer;

export const vCreatePasswordRequestBody = vCreatePasswordBody;

export const vCreatePasswordRequestHeader = v.object({
    'idempotency-key': v.exactOptional(v.pipe(v.string(), v.maxLength(255)))
});

export const vCreatePasswordRequestPath = v.object({
    userId: vId
});

/**
 * The record, pending for 10 min.
 */
export const vCreatePasswordSuccess = vCredentialAnswer;

export const vUpdatePasswordRequestBody = vUpdatePasswordBody;

export const vUpdatePasswordRequestPath = v.object({
    userId: vId,
    passwordId: vId
});

/**
 * Done.
 */
export const vUpdatePasswordSuccess = vEmpty;

export const vVerifyPasswordRequestBody = vVerifyPasswordBody;

/**
 * The user is verified; the session is not authenticated yet.
 */
export const vVerifyPasswordSuccess = vVerifiedCredential;

export const vListWalletsRequestHeader = v.object({
    prefer: v.exactOptional(v.pipe(v.string(), v.maxLength(64)))
});

export const vListWalletsRequestPath = v.object({
    userId: vId
});

export const vListWalletsRequestQuery = v.object({
    includePartnerData: v.exactOptional(vBooleanText)
});

/**
 * Always a list.
 */
export const vListWalletsSuccess = vWalletsAnswer;

export const vCreateWalletRequestBody = vCreateWalletBody;

export const vCreateWalletRequestHeader = v.object({
    'idempotency-key': v.exactOptional(v.pipe(v.string(), v.maxLength(255)))
});

export const vCreateWalletRequestPath = v.object({
    userId: vId
});

/**
 * The wallet; it is listed from now on, at first without an address.
 */
export const vCreateWalletSuccess = vCreateWalletAnswer;

export const vListAllWalletsRequestPath = v.object({
    userId: vId
});

/**
 * Always a list.
 */
export const vListAllWalletsSuccess = vWalletsAnswer;

export const vSetWalletsRequestBody = vSetWalletsBody;

export const vSetWalletsRequestPath = v.object({
    userId: vId
});

/**
 * Done.
 */
export const vSetWalletsSuccess = vEmpty;

export const vGetWalletBalanceRequestPath = v.object({
    userId: vId,
    walletId: vId
});

export const vGetWalletBalanceRequestQuery = v.object({
    rpcUrl: v.exactOptional(vUrl)
});

/**
 * The balance.
 */
export const vGetWalletBalanceSuccess = vBalanceAnswer;

export const vGetCapsuleShareRequestPath = v.object({
    userId: vId,
    walletId: vId
});

/**
 * The scalar, sealed by HPKE to the key that the page registered with its token.
 */
export const vGetCapsuleShareSuccess = vCapsuleShareAnswer;

export const vDistributeCapsuleShareRequestBody = vDistributeBody;

export const vDistributeCapsuleShareRequestPath = v.object({
    userId: vId,
    walletId: vId
});

/**
 * Done.
 */
export const vDistributeCapsuleShareSuccess = vEmpty;

export const vDownloadBackupKitRequestPath = v.object({
    userId: vId,
    walletId: vId
});

/**
 * The kit as a file.
 */
export const vDownloadBackupKitSuccess = v.string();

export const vAcceptScopesRequestBody = vAcceptScopesBody;

export const vAcceptScopesRequestPath = v.object({
    userId: vId,
    walletId: vId
});

/**
 * Done.
 */
export const vAcceptScopesSuccess = vEmpty;

export const vListPregenWalletsRequestQuery = v.object({
    ids: v.exactOptional(v.record(v.string(), v.pipe(v.array(vIdentityText), v.maxLength(100)))),
    expand: v.exactOptional(vBooleanText),
    userId: v.exactOptional(vIdentityText)
});

/**
 * Always a list.
 */
export const vListPregenWalletsSuccess = vWalletsAnswer;

export const vCreatePregenWalletRequestBody = vCreatePregenWalletBody;

export const vCreatePregenWalletRequestHeader = v.object({
    'idempotency-key': v.exactOptional(v.pipe(v.string(), v.maxLength(255)))
});

/**
 * The wallet.
 */
export const vCreatePregenWalletSuccess = vCreateWalletAnswer;

export const vClaimPregenWalletsRequestBody = vClaimBody;

export const vClaimPregenWalletsRequestHeader = v.object({
    'idempotency-key': v.exactOptional(v.pipe(v.string(), v.maxLength(255)))
});

/**
 * The wallets that the caller is claiming now; each is owned after its refresh.
 */
export const vClaimPregenWalletsSuccess = vClaimAnswer;

export const vUpdatePregenWalletRequestBody = vPregenIdentifier;

export const vUpdatePregenWalletRequestPath = v.object({
    walletId: vId
});

/**
 * Done.
 */
export const vUpdatePregenWalletSuccess = vEmpty;

export const vSendTransactionRequestBody = vSendTransactionBody;

export const vSendTransactionRequestHeader = v.object({
    'idempotency-key': v.exactOptional(v.pipe(v.string(), v.maxLength(255)))
});

export const vSendTransactionRequestPath = v.object({
    userId: vId,
    walletId: vId
});

/**
 * Approved, held for review, or passed on.
 */
export const vSendTransactionSuccess = vSendAnswer;

export const vSignTransactionRequestBody = vTransactionBody;

export const vSignTransactionRequestHeader = v.object({
    'idempotency-key': v.exactOptional(v.pipe(v.string(), v.maxLength(255)))
});

export const vSignTransactionRequestPath = v.object({
    userId: vId,
    walletId: vId
});

/**
 * Approved, or held for review.
 */
export const vSignTransactionSuccess = vSigningAnswer;

export const vSignMessageRequestBody = vSignMessageBody;

export const vSignMessageRequestHeader = v.object({
    'idempotency-key': v.exactOptional(v.pipe(v.string(), v.maxLength(255)))
});

export const vSignMessageRequestPath = v.object({
    userId: vId,
    walletId: vId
});

/**
 * Approved, or held for review.
 */
export const vSignMessageSuccess = vSigningAnswer;

export const vRefreshKeysRequestBody = vRefreshBody;

export const vRefreshKeysRequestHeader = v.object({
    'idempotency-key': v.exactOptional(v.pipe(v.string(), v.maxLength(255)))
});

export const vRefreshKeysRequestPath = v.object({
    userId: vId,
    walletId: vId
});

/**
 * The run's id.
 */
export const vRefreshKeysSuccess = vRefreshAnswer;

export const vGetRefreshDoneRequestHeader = v.object({
    prefer: v.exactOptional(v.pipe(v.string(), v.maxLength(64)))
});

export const vGetRefreshDoneRequestPath = v.object({
    userId: vId,
    walletId: vId
});

export const vGetRefreshDoneRequestQuery = v.object({
    partnerId: v.exactOptional(vId),
    protocolId: v.exactOptional(vId)
});

/**
 * Committed or not yet.
 */
export const vGetRefreshDoneSuccess = vRefreshDoneAnswer;

export const vDenyPendingTransactionRequestPath = v.object({
    userId: vId,
    pendingTransactionId: vId
});

/**
 * Done.
 */
export const vDenyPendingTransactionSuccess = vEmpty;

export const vGetPendingTransactionRequestHeader = v.object({
    prefer: v.exactOptional(v.pipe(v.string(), v.maxLength(64)))
});

export const vGetPendingTransactionRequestPath = v.object({
    userId: vId,
    pendingTransactionId: vId
});

/**
 * The pending transaction or message.
 */
export const vGetPendingTransactionSuccess = vPendingTransaction;

export const vAcceptPendingTransactionRequestBody = vAcceptBody;

export const vAcceptPendingTransactionRequestPath = v.object({
    userId: vId,
    pendingTransactionId: vId
});

/**
 * Done.
 */
export const vAcceptPendingTransactionSuccess = vEmpty;

export const vGetPendingTransactionToDecideRequestHeader = v.object({
    prefer: v.exactOptional(v.pipe(v.string(), v.maxLength(64)))
});

export const vGetPendingTransactionToDecideRequestPath = v.object({
    pendingTransactionId: vId
});

/**
 * The pending transaction or message.
 */
export const vGetPendingTransactionToDecideSuccess = vPendingTransaction;

export const vDecidePendingTransactionRequestBody = vDecisionBody;

export const vDecidePendingTransactionRequestPath = v.object({
    pendingTransactionId: vId
});

/**
 * Done.
 */
export const vDecidePendingTransactionSuccess = vEmpty;

export const vListWalletKeySharesRequestPath = v.object({
    userId: vId,
    walletId: vId
});

export const vListWalletKeySharesRequestQuery = v.object({
    type: v.pipe(v.string(), v.maxLength(32)),
    encryptor: v.exactOptional(v.pipe(v.string(), v.maxLength(32)))
});

/**
 * The backups.
 */
export const vListWalletKeySharesSuccess = vWalletKeySharesAnswer;

export const vCreateWalletKeySharesRequestBody = vWalletKeySharesBody;

export const vCreateWalletKeySharesRequestPath = v.object({
    userId: vId,
    walletId: vId
});

/**
 * Done.
 */
export const vCreateWalletKeySharesSuccess = vEmpty;

export const vCreateKeySharesRequestBody = vKeySharesBody;

export const vCreateKeySharesRequestPath = v.object({
    userId: vId
});

/**
 * Done.
 */
export const vCreateKeySharesSuccess = vEmpty;

export const vListPasskeyKeySharesRequestPath = v.object({
    userId: vId
});

export const vListPasskeyKeySharesRequestQuery = v.object({
    publicKey: vPemHex,
    all: v.exactOptional(vBooleanText)
});

/**
 * The newest of each wallet of the session's partner.
 */
export const vListPasskeyKeySharesSuccess = vKeySharesAnswer;

export const vListPasswordKeySharesRequestPath = v.object({
    userId: vId
});

export const vListPasswordKeySharesRequestQuery = v.object({
    passwordId: vId,
    all: v.exactOptional(vBooleanText)
});

/**
 * The newest of each wallet of the session's partner.
 */
export const vListPasswordKeySharesSuccess = vKeySharesAnswer;

export const vDeleteTemporarySharesRequestPath = v.object({
    userId: vId
});

export const vDeleteTemporarySharesRequestQuery = v.object({
    sessionLookupId: vId
});

/**
 * Done.
 */
export const vDeleteTemporarySharesSuccess = vEmpty;

export const vListTemporarySharesRequestHeader = v.object({
    prefer: v.exactOptional(v.pipe(v.string(), v.maxLength(64)))
});

export const vListTemporarySharesRequestPath = v.object({
    userId: vId
});

export const vListTemporarySharesRequestQuery = v.object({
    sessionLookupId: vId
});

/**
 * Always a list.
 */
export const vListTemporarySharesSuccess = vTemporarySharesAnswer;

export const vCreateTemporarySharesRequestBody = vTemporarySharesBody;

export const vCreateTemporarySharesRequestPath = v.object({
    userId: vId
});

/**
 * Done.
 */
export const vCreateTemporarySharesSuccess = vEmpty;

export const vListRecoveryPublicKeysRequestPath = v.object({
    userId: vId
});

/**
 * The user's recovery keys, always a list.
 */
export const vListRecoveryPublicKeysSuccess = vRecoveryPublicKeysAnswer;

export const vCreateRecoveryPublicKeysRequestBody = vRecoveryPublicKeysBody;

export const vCreateRecoveryPublicKeysRequestPath = v.object({
    userId: vId
});

/**
 * The user's recovery keys, always a list.
 */
export const vCreateRecoveryPublicKeysSuccess = vRecoveryPublicKeysAnswer;

export const vCreateEncryptedWalletPrivateKeyRequestBody = vEncryptedWalletPrivateKeyBody;

export const vCreateEncryptedWalletPrivateKeyRequestHeader = v.object({
    'idempotency-key': v.exactOptional(v.pipe(v.string(), v.maxLength(255)))
});

export const vCreateEncryptedWalletPrivateKeyRequestPath = v.object({
    userId: vId
});

/**
 * The record.
 */
export const vCreateEncryptedWalletPrivateKeySuccess = vEncryptedWalletPrivateKeyAnswer;

export const vListEncryptedWalletPrivateKeysRequestPath = v.object({
    userId: vId,
    encryptionKeyHash: vId
});

/**
 * Always a list.
 */
export const vListEncryptedWalletPrivateKeysSuccess = vEncryptedWalletPrivateKeysAnswer;

export const vGetEncryptedWalletPrivateKeyRequestQuery = v.object({
    passwordId: vId
});

/**
 * The record.
 */
export const vGetEncryptedWalletPrivateKeySuccess = vEncryptedWalletPrivateKeyAnswer;

export const vCreateTemporaryTransmissionRequestBody = vTransmissionBody;

/**
 * Its id.
 */
export const vCreateTemporaryTransmissionSuccess = vTransmissionAnswer;

export const vGetTemporaryTransmissionRequestPath = v.object({
    transmissionId: vId
});

/**
 * The message.
 */
export const vGetTemporaryTransmissionSuccess = vTransmission;

export const vStartRecoveryRequestBody = vEmailBody;

/**
 * Done.
 */
export const vStartRecoverySuccess = vEmpty;

export const vVerifyRecoveryRequestBody = vEmailCodeBody;

/**
 * What there is to recover. The session's token is in the header again; for 15 min it is a recovery's.
 */
export const vVerifyRecoverySuccess = vRecoveryAnswer;

export const vCancelRecoveryRequestBody = vEmailBody;

/**
 * Done.
 */
export const vCancelRecoverySuccess = vEmpty;

export const vInitRecoveryRequestBody = vInitBody;

/**
 * Done.
 */
export const vInitRecoverySuccess = vEmpty;

export const vVerifyRecoveryEmailRequestBody = vEmailCodeBody;

/**
 * What there is to recover. The session's token is in the header again; for 15 min it is a recovery's.
 */
export const vVerifyRecoveryEmailSuccess = vRecoveryAnswer;

export const vVerifyRecoveryIdentifierRequestBody = vPhoneCodeBody;

/**
 * What there is to recover. The session's token is in the header again; for 15 min it is a recovery's.
 */
export const vVerifyRecoveryIdentifierSuccess = vRecoveryAnswer;

export const vCompleteRecoveryRequestBody = vCompletionBody;

export const vCompleteRecoveryRequestPath = v.object({
    userId: vId
});

/**
 * Done.
 */
export const vCompleteRecoverySuccess = vEmpty;

export const vFinishRecoveryRequestHeader = v.object({
    'idempotency-key': v.exactOptional(v.pipe(v.string(), v.maxLength(255)))
});

export const vFinishRecoveryRequestPath = v.object({
    userId: vId,
    walletId: vId
});

/**
 * Done.
 */
export const vFinishRecoverySuccess = vEmpty;

export const vListRecoveryKeySharesRequestPath = v.object({
    userId: vId,
    walletId: vId
});

export const vListRecoveryKeySharesRequestQuery = v.object({
    type: v.pipe(v.string(), v.maxLength(32)),
    encryptor: v.pipe(v.string(), v.maxLength(32))
});

/**
 * The backups.
 */
export const vListRecoveryKeySharesSuccess = vWalletKeySharesAnswer;

export const vGetTwoFactorStatusRequestPath = v.object({
    userId: vId
});

/**
 * Set up or not.
 */
export const vGetTwoFactorStatusSuccess = vTwoFactorStatus;

export const vSetupTwoFactorRequestPath = v.object({
    userId: vId
});

/**
 * The secret, once.
 */
export const vSetupTwoFactorSuccess = vTwoFactorSetup;

export const vEnableTwoFactorRequestBody = vCodeBody;

export const vEnableTwoFactorRequestPath = v.object({
    userId: vId
});

/**
 * Done.
 */
export const vEnableTwoFactorSuccess = vEmpty;

export const vVerifyTwoFactorRequestBody = vTwoFactorBody;

/**
 * The state of the recovery.
 */
export const vVerifyTwoFactorSuccess = vTwoFactorAnswer;

export const vInitFarcasterRequestBody = vFarcasterInitBody;

/**
 * The address that the user opens.
 */
export const vInitFarcasterSuccess = vFarcasterInitAnswer;

export const vGetFarcasterStatusRequestHeader = v.object({
    prefer: v.exactOptional(v.pipe(v.string(), v.maxLength(64)))
});

/**
 * The state.
 */
export const vGetFarcasterStatusSuccess = vFarcasterStatus;

export const vStartOAuthRequestPath = v.object({
    method: v.pipe(v.string(), v.maxLength(32))
});

export const vStartOAuthRequestQuery = v.object({
    apiKey: vText,
    sessionLookupId: vId,
    deeplinkUrl: v.exactOptional(vUrl)
});

/**
 * The page.
 */
export const vStartOAuthSuccess = v.string();

export const vGetPartnerRequestPath = v.object({
    partnerId: vId
});

/**
 * The partner.
 */
export const vGetPartnerSuccess = vPartnerAnswer;

export const vGetConversionRateRequestPath = v.object({
    chainId: v.pipe(v.string(), v.maxLength(64))
});

export const vGetConversionRateRequestQuery = v.object({
    symbol: v.pipe(v.string(), v.maxLength(32)),
    currency: v.pipe(v.string(), v.maxLength(32))
});

/**
 * The rate.
 */
export const vGetConversionRateSuccess = vConversionRate;

export const vGetGasEstimateRequestPath = v.object({
    chainId: v.pipe(v.string(), v.maxLength(64))
});

export const vGetGasEstimateRequestQuery = v.object({
    totalGasPrice: v.pipe(v.string(), v.maxLength(128))
});

/**
 * The estimate.
 */
export const vGetGasEstimateSuccess = vGasEstimate;

export const vGetGasOracleRequestPath = v.object({
    chainId: v.pipe(v.string(), v.maxLength(64))
});

/**
 * Prices.
 */
export const vGetGasOracleSuccess = vGasOracle;

/**
 * The configuration.
 */
export const vGetOnRampConfigSuccess = vOnRampConfig;

export const vCreateWalletPurchaseRequestBody = vCreatePurchaseBody;

export const vCreateWalletPurchaseRequestHeader = v.object({
    'idempotency-key': v.exactOptional(v.pipe(v.string(), v.maxLength(255)))
});

export const vCreateWalletPurchaseRequestPath = v.object({
    userId: vId,
    walletId: vId
});

/**
 * The purchase.
 */
export const vCreateWalletPurchaseSuccess = vPurchase;

export const vGetWalletPurchaseRequestHeader = v.object({
    prefer: v.exactOptional(v.pipe(v.string(), v.maxLength(64)))
});

export const vGetWalletPurchaseRequestPath = v.object({
    userId: vId,
    walletId: vId,
    purchaseId: vId
});

/**
 * The purchase.
 */
export const vGetWalletPurchaseSuccess = vPurchase;

export const vUpdateWalletPurchaseRequestBody = vPurchaseFields;

export const vUpdateWalletPurchaseRequestPath = v.object({
    userId: vId,
    walletId: vId,
    purchaseId: vId
});

/**
 * The purchase.
 */
export const vUpdateWalletPurchaseSuccess = vPurchase;

export const vCreateExternalWalletPurchaseRequestBody = vCreatePurchaseBody;

export const vCreateExternalWalletPurchaseRequestHeader = v.object({
    'idempotency-key': v.exactOptional(v.pipe(v.string(), v.maxLength(255)))
});

export const vCreateExternalWalletPurchaseRequestPath = v.object({
    userId: vId,
    address: vIdentityText
});

/**
 * The purchase.
 */
export const vCreateExternalWalletPurchaseSuccess = vPurchase;

export const vGetExternalWalletPurchaseRequestHeader = v.object({
    prefer: v.exactOptional(v.pipe(v.string(), v.maxLength(64)))
});

export const vGetExternalWalletPurchaseRequestPath = v.object({
    userId: vId,
    address: vIdentityText,
    purchaseId: vId
});

/**
 * The purchase.
 */
export const vGetExternalWalletPurchaseSuccess = vPurchase;

export const vUpdateExternalWalletPurchaseRequestBody = vPurchaseFields;

export const vUpdateExternalWalletPurchaseRequestPath = v.object({
    userId: vId,
    address: vIdentityText,
    purchaseId: vId
});

/**
 * The purchase.
 */
export const vUpdateExternalWalletPurchaseSuccess = vPurchase;

export const vSignWalletMoonpayUrlRequestBody = vMoonpayBody;

export const vSignWalletMoonpayUrlRequestPath = v.object({
    userId: vId,
    walletId: vId
});

/**
 * The signature.
 */
export const vSignWalletMoonpayUrlSuccess = vMoonpayAnswer;

export const vSignExternalWalletMoonpayUrlRequestBody = vMoonpayBody;

export const vSignExternalWalletMoonpayUrlRequestPath = v.object({
    userId: vId,
    address: vIdentityText
});

/**
 * The signature.
 */
export const vSignExternalWalletMoonpayUrlSuccess = vMoonpayAnswer;

export const vGenerateOffRampRequestBody = vGenerateOffRampBody;

export const vGenerateOffRampRequestHeader = v.object({
    'idempotency-key': v.exactOptional(v.pipe(v.string(), v.maxLength(255)))
});

export const vGenerateOffRampRequestPath = v.object({
    userId: vId,
    walletId: vId
});

/**
 * The transaction.
 */
export const vGenerateOffRampSuccess = vGenerateOffRampAnswer;

export const vSendOffRampRequestBody = vSendOffRampBody;

export const vSendOffRampRequestHeader = v.object({
    'idempotency-key': v.exactOptional(v.pipe(v.string(), v.maxLength(255)))
});

export const vSendOffRampRequestPath = v.object({
    userId: vId,
    walletId: vId
});

/**
 * The transaction's hash.
 */
export const vSendOffRampSuccess = vSendOffRampAnswer;

/**
 * At most 256 KiB.
 */
export const vExchangeFrameRequestBody = v.pipe(v.string(), v.maxLength(262144));

/**
 * OK, HELD, ABORT or BAN.
 */
export const vExchangeFrameSuccess = v.string();

/**
 * The links, oldest first; none before the first rotation.
 */
export const vGetCosignerKeysSuccess = vCosignerKeys;

export const vReportSdkErrorRequestBody = vSdkErrorBody;

/**
 * Done.
 */
export const vReportSdkErrorSuccess = vEmpty;

export const vReportReactSdkUseRequestBody = vReactSdkBody;

/**
 * Done.
 */
export const vReportReactSdkUseSuccess = vEmpty;

/**
 * The script.
 */
export const vGetPrimeWorkerSuccess = v.string();

/**
 * The module.
 */
export const vGetMpcModuleSuccess = v.string();

/**
 * The script.
 */
export const vGetMpcWorkerBundleSuccess = v.string();
