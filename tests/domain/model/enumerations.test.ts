import { describe, expect, it } from 'vitest'
import * as AccountMetadata from '../../../domain/model/AccountMetadata.ts'
import * as Credential from '../../../domain/model/Credential.ts'
import * as Diagnostics from '../../../domain/model/Diagnostics.ts'
import * as Environment from '../../../domain/model/Environment.ts'
import * as Events from '../../../domain/model/Events.ts'
import * as Header from '../../../domain/model/Header.ts'
import * as KeyShare from '../../../domain/model/KeyShare.ts'
import * as Limits from '../../../domain/model/Limits.ts'
import * as MpcWorker from '../../../domain/model/MpcWorker.ts'
import * as Network from '../../../domain/model/Network.ts'
import * as OAuth from '../../../domain/model/OAuth.ts'
import * as Phone from '../../../domain/model/Phone.ts'
import * as Popup from '../../../domain/model/Popup.ts'
import * as Pregen from '../../../domain/model/Pregen.ts'
import * as Purchase from '../../../domain/model/Purchase.ts'
import * as Ramp from '../../../domain/model/Ramp.ts'
import * as Recovery from '../../../domain/model/Recovery.ts'
import * as StorageKeys from '../../../domain/model/StorageKeys.ts'
import * as Theme from '../../../domain/model/Theme.ts'
import * as Wallet from '../../../domain/model/Wallet.ts'

const words = (text: string) => text.split(', ')

describe('enumerations', () => {
  it.each([
    [
      'networks',
      Network.networks,
      'ETHEREUM, SEPOLIA, ARBITRUM, BASE, OPTIMISM, POLYGON, SOLANA, COSMOS, CELO, NOBLE, SOLANA_DEVNET',
    ],
    ['currencies', Network.currencies, 'ETH, CELO, MATIC'],
    ['auth methods', Credential.authMethods, 'PASSWORD, PASSKEY'],
    ['flow kinds', Ramp.flows, 'BUY, RECEIVE, WITHDRAW'],
    ['wallet types', Wallet.walletTypes, 'EVM, SOLANA, COSMOS'],
    ['wallet origins', Wallet.origins, 'USER, PREGEN'],
    ['schemes', Wallet.schemes, 'DKLS, CGGMP, ED25519'],
    ['pregen identifier types', Pregen.identifierTypes, 'EMAIL, PHONE, TELEGRAM'],
    ['record statuses', Credential.statuses, 'PENDING, COMPLETE'],
    ['platforms', Credential.platforms, 'MOBILE, WEB'],
    ['encryptors', KeyShare.encryptors, 'RECOVERY, BIOMETRICS, PASSWORD'],
    ['key share owners', KeyShare.owners, 'USER, RECOVERY'],
    ['OAuth methods', OAuth.methods, 'GOOGLE, TWITTER, APPLE, DISCORD, FACEBOOK, FARCASTER, TELEGRAM'],
    ['environments', Environment.environments, 'DEV, SANDBOX, BETA, PROD'],
    ['phone parsing codes', Phone.codes, 'NOT_A_NUMBER, TOO_SHORT, TOO_LONG, INVALID_COUNTRY'],
    [
      'popup event types',
      Popup.kinds,
      'SIGN_TRANSACTION_REVIEW, SIGN_MESSAGE_REVIEW, LOGIN_PASSKEY, CREATE_PASSKEY, OAUTH, ' + 'ON_RAMP_TRANSACTION',
    ],
  ])('%s', (_, values, expected) => {
    expect(values).toEqual(words(expected))
  })
})

describe('enumerations that only the wire shows', () => {
  it.each([
    ['auth methods', Credential.wireAuthMethods, 'PASSWORD, BIOMETRIC'],
    ['encryptors', KeyShare.wireEncryptors, 'USER, RECOVERY, BIOMETRICS, PASSWORD'],
    ['pregen identifier types that are refused', Pregen.foreignIdentifierTypes, 'CUSTOM_ID, DISCORD, TWITTER'],
    ['themes', Theme.modes, 'light, dark'],
    ['border radii', Theme.borderRadii, 'none, xs, sm, md, lg, xl, full'],
    ['on-ramp providers', Ramp.providers, 'RAMP, STRIPE, MOONPAY'],
    ['on-ramp assets', Ramp.assets, 'ETHEREUM, USDC, TETHER, POLYGON, SOLANA, ATOM, CELO, CUSD, CEUR, CREAL'],
    ['on-ramp methods', Ramp.methods, 'ACH, Debit, Credit, Apple Pay'],
    ['purchase types', Purchase.types, 'BUY, SELL'],
    ['purchase statuses', Purchase.statuses, 'INITIATED, FINISHED, CANCELLED'],
    ['recovery statuses', Recovery.statuses, 'INITIATED, READY, EXPIRED, FINISHED, CANCELLED'],
    ['SDK types', Diagnostics.sdkTypes, 'WEB, SERVER, BRIDGE, REACT_NATIVE'],
    ['accounts', AccountMetadata.accounts, 'google, apple, discord, facebook, farcaster, telegram, x'],
    [
      'worker function types',
      MpcWorker.functionTypes,
      'KEYGEN, PREKEYGEN, ED25519_KEYGEN, ED25519_PREKEYGEN, SIGN_MESSAGE, SIGN_TRANSACTION, ' +
        'SEND_TRANSACTION, ED25519_SIGN, REFRESH, GET_PRIVATE_KEY',
    ],
    [
      'key methods',
      Diagnostics.trackedMethods,
      'createUser, initiateUserLoginV2, waitForPasskeyAndCreateWallet, waitForOAuth, waitForLoginAndSetup, ' +
        'createPregenWallet, claimPregenWallets, signMessage, signTransaction',
    ],
  ])('%s', (_, values, expected) => {
    expect(values).toEqual(words(expected))
  })
})

describe('names', () => {
  it("events are prefixed with the provider's short name", () => {
    expect(Events.all).toEqual([
      'paraLogin',
      'paraAccountCreation',
      'paraAccountSetup',
      'paraLogout',
      'paraSignMessage',
      'paraSignTransaction',
      'paraWalletsChange',
      'paraWalletCreated',
      'paraExternalWalletChange',
      'paraPregenWalletClaimed',
    ])
  })

  it('storage keys share a prefix; the login key pair alone is in session storage', () => {
    expect(StorageKeys.local).toEqual([
      '@CAPSULE/e-mail',
      '@CAPSULE/phone',
      '@CAPSULE/countryCode',
      '@CAPSULE/farcasterUsername',
      '@CAPSULE/telegramUserId',
      '@CAPSULE/externalWalletUserId',
      '@CAPSULE/userId',
      '@CAPSULE/ed25519Wallets',
      '@CAPSULE/wallets',
      '@CAPSULE/externalWallets',
      '@CAPSULE/currentWalletIds',
      '@CAPSULE/sessionCookie',
    ])
    expect(StorageKeys.loginEncryptionKeyPair).toBe('@CAPSULE/loginEncryptionKeyPair')
    expect(StorageKeys.local).not.toContain(StorageKeys.loginEncryptionKeyPair)
  })

  it('shares have a storage key of their own', () => {
    expect(StorageKeys.keyShares).toBe('@CAPSULE/keyShares')
  })

  it('headers are in lower case', () => {
    expect({ ...Header }).toEqual({
      session: 'x-capsule-sid',
      partner: 'x-partner-id',
      apiKey: 'x-external-api-key',
      version: 'x-para-version',
      device: 'x-tandem-device',
      errorCode: 'x-error-code',
      idempotencyKey: 'idempotency-key',
      prefer: 'prefer',
    })
  })
})

it('constants and limits', () => {
  expect({ ...Limits }).toEqual({
    pollIntervalMs: 2000,
    reviewTimeoutMs: 30000,
    addressTries: 10,
    addressTryIntervalMs: 1000,
    addressWaitMs: 15000,
    addressWaitIntervalMs: 1000,
    capsuleLifeMs: 604_800_000,
    cosignerKeyOverlapMs: 60_000,
    doneWaitMs: 15000,
    doneIntervalMs: 1000,
    workerJobExpiryMs: 90000,
    retries: 2,
    retryTimeoutMs: 10000,
    backupDecryptionKeyBytes: 32,
    shortLinkKeyBytes: 32,
    rsaModulusBits: 2048,
    rsaPublicExponent: 65537,
    messageKeyBytes: 16,
    primeWorkerWorkload: 100,
    seededPrimeWorkers: 1,
    defaultCosmosPrefix: 'cosmos',
    truncatedSideLength: 4,
    phoneInputLength: 250,
    nationalNumberMinDigits: 2,
    nationalNumberMaxDigits: 17,
    signatureScalarBytes: 32,
  })
})
