import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as ApiError from '../../../domain/model/ApiError.ts'
import * as Credential from '../../../domain/model/Credential.ts'
import * as Delegation from '../../../domain/model/Delegation.ts'
import * as Environment from '../../../domain/model/Environment.ts'
import * as Identity from '../../../domain/model/Identity.ts'
import * as KeyShare from '../../../domain/model/KeyShare.ts'
import * as MpcWorker from '../../../domain/model/MpcWorker.ts'
import * as Partner from '../../../domain/model/Partner.ts'
import * as Phone from '../../../domain/model/Phone.ts'
import * as Popup from '../../../domain/model/Popup.ts'
import * as PortalUrl from '../../../domain/model/PortalUrl.ts'
import * as Pregen from '../../../domain/model/Pregen.ts'
import * as Session from '../../../domain/model/Session.ts'
import * as Signature from '../../../domain/model/Signature.ts'
import * as Timeout from '../../../domain/model/Timeout.ts'
import * as TransactionReview from '../../../domain/model/TransactionReview.ts'
import * as Wallet from '../../../domain/model/Wallet.ts'
import * as WalletKeyFailures from '../../../domain/model/WalletKeyFailures.ts'
import * as WalletReference from '../../../domain/model/WalletReference.ts'
import * as WalletSelection from '../../../domain/model/WalletSelection.ts'
import * as WalletTypes from '../../../domain/model/WalletTypes.ts'

/** The values that stand where the sentences have a name in braces. */
const values = {
  id: '1d0c1f0e-2f2a-4f43-9d0e-6c2b7b0e8a11',
  type: 'SOLANA',
  scheme: 'ED25519',
  address: 'cosmos1h806c7khnvmjlywdrkdgk2vrayy2mmvf9rxk2r',
  env: 'PROD',
  x: 'DANCE',
  ms: '10000',
} as const

const { id, type, scheme, address, env } = values
const walletId = id
const account = { userId: id, walletId: id }
const transactionReviewUrl = 'https://app.example/web/users/u/transaction-review/t'
const supportedTypes = ['EVM', 'COSMOS'] as const

/**
 * Each sentence that clients and apps rely on, beside the error that has it (openapi/README.md#errors). `{name}` stands for
 * a value, an ellipsis for values or further text.
 */
const catalogue: readonly (readonly [sentence: string, error: Error])[] = [
  // Account and wallet flows
  ['exitted login without setting up user', new Session.ExitedWithoutSetup()],
  ['not implemented', new WalletKeyFailures.RawHashSigningNotImplemented()],
  ['refresh failed', new Wallet.RefreshFailed({ walletId })],
  // Calls of the SDK
  [
    'in order to create a wallet or user with Para, you must provide an API key to the Para instance',
    new Partner.ApiKeyRequired(),
  ],
  ['at least one wallet type must be non-optional', new WalletTypes.AllWalletTypesOptional()],
  ['unsupported wallet type', new WalletTypes.UnsupportedWalletType()],
  ['wallet type {type} is not supported', new WalletTypes.WalletTypeNotSupported({ type })],
  ['wallet with id {id} does not exist', new WalletSelection.WalletDoesNotExist({ walletId })],
  ['... is not owned by the current user', new WalletSelection.WalletNotOwned({ walletId })],
  ['pre-generated wallet with id {id} cannot be selected', new WalletSelection.PregenWalletNotSelectable({ walletId })],
  [
    'wallet with id {id} and type {type} cannot be selected',
    new WalletSelection.WalletTypeNotSelectable({ walletId, type }),
  ],
  ['... and scheme {scheme} cannot be selected', new WalletSelection.WalletSchemeNotSelectable({ walletId, scheme })],
  [
    '... is not supported, supported types are: ...',
    new WalletSelection.WalletNotSupported({ walletId, type, supportedTypes }),
  ],
  ['no valid wallet id found', new WalletSelection.NoValidWalletId()],
  ['wallet with address {address} not found', new WalletSelection.WalletAddressNotFound({ address })],
  ['no valid Para wallet found', new WalletSelection.NoValidWallet()],
  ['Address {address} not found in wallet', new WalletSelection.AddressNotInWallet({ address })],
  [
    'Cannot claim pregen wallets because wallet data is missing. Please call setUserShare first ...',
    new Pregen.PregenWalletDataMissing(),
  ],
  ['a user id is required to get a wallet balance', new Wallet.BalanceNeedsUserId()],
  ['no signed-in user', new Session.NoSignedInUser()],
  [
    'one of email, phone, farcaster username, telegram user id or external wallet with Para auth are required ...',
    new Credential.LocationHintsNeedIdentity(),
  ],
  ['invalid wallet scheme', new WalletSelection.InvalidWalletScheme()],
  ['wallet not found', new WalletSelection.WalletNotFound()],
  ['invalid URL type {type}', new PortalUrl.InvalidUrlType({ type })],
  ['unsupported env', new Environment.UnsupportedEnv()],
  ['invalid wallet params', new WalletReference.InvalidWalletParams()],
  ['invalid auth object', new Identity.InvalidAuthObject()],
  // Answers and connections
  ['Invalid status code', ApiError.fromAnswer({ status: 201, body: 'created' })],
  ['Connection error', ApiError.connectionError()],
  ['Connection canceled', ApiError.connectionCanceled()],
  ['Unknown error', ApiError.fromCause(undefined)],
  ['Error is null', ApiError.fromCause(null)],
  ['NOT_A_NUMBER', new Phone.InvalidPhone({ code: 'NOT_A_NUMBER' })],
  ['TOO_SHORT', new Phone.InvalidPhone({ code: 'TOO_SHORT' })],
  ['TOO_LONG', new Phone.InvalidPhone({ code: 'TOO_LONG' })],
  ['INVALID_COUNTRY', new Phone.InvalidPhone({ code: 'INVALID_COUNTRY' })],
  ['env: {env} not supported', new Environment.EnvNotSupported({ env })],
  ['transaction review error', new TransactionReview.TransactionReviewError({ transactionReviewUrl })],
  ['transaction review has been denied by the user', new TransactionReview.TransactionReviewDenied()],
  [
    'transaction review has timed out',
    new TransactionReview.TransactionReviewTimeout({ transactionReviewUrl, pendingTransactionId: id }),
  ],
  ['timed out waiting for wallet address', new Wallet.WalletAddressTimedOut({ walletId })],
  ['Error encrypting backup', new KeyShare.BackupEncryptionFailed()],
  ['Error decrypting backup', new KeyShare.BackupDecryptionFailed()],
  ['Operation timed out after {ms}ms', new Timeout.OperationTimedOut({ ms: Number(values.ms) })],
  [
    'error creating account of type {type} with userId {id} and walletId {id}',
    new WalletKeyFailures.AccountCreationFailed({ ...account, type }),
  ],
  [
    'error signing transaction for account with userId ... and walletId ...',
    new WalletKeyFailures.TransactionSigningFailed(account),
  ],
  ['error signing for account ...', new WalletKeyFailures.SigningFailed(account)],
  ['error refreshing keys ...', new WalletKeyFailures.KeyRefreshFailed(account)],
  ['error getting private key ...', new WalletKeyFailures.PrivateKeyExportFailed(account)],
  ['functionType: {x} not supported', new MpcWorker.FunctionTypeNotSupported({ functionType: values.x })],
  ['fetching wasm file is disabled', new MpcWorker.WasmFetchDisabled()],
  ['useLocalFiles only supported locally', new MpcWorker.LocalFilesOnlyLocally()],
  ['worker error with workId ...', new MpcWorker.WorkerFailed({ workId: id, reason: 'out of memory' })],
]

/** Sentences of our own, for failures whose words no client relies on. */
const own: readonly (readonly [sentence: string, error: Error])[] = [
  ['popup was closed before it was done', new Popup.PopupClosed({ kind: 'LOGIN_PASSKEY' })],
  ['a delegated session may not do this', new Delegation.NotDelegated()],
  ['invalid signature', new Signature.InvalidSignature()],
  ['transaction review was already used', new TransactionReview.TransactionReviewUsed()],
]

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** The sentence as a pattern: names in braces are filled in, each ellipsis is at least one character of something. */
const pattern = (sentence: string) => {
  const filled = sentence.replace(/\{(\w+)\}/g, (_, name: keyof typeof values) => values[name])
  return new RegExp(`^${filled.split('...').map(escaped).join('.+')}$`, 's')
}

const folder = new URL('../../../domain/model/', import.meta.url)
const files = readdirSync(folder).filter((file) => file.endsWith('.ts'))

describe('the catalogue of sentences is the fixed one', () => {
  it.each(catalogue)('%s', (sentence, error) => {
    expect(error.message).toMatch(pattern(sentence))
  })

  it.each(own)('of this implementation: %s', (sentence, error) => {
    expect(error.message).toBe(sentence)
  })

  it('every error of the model is in it', async () => {
    const said = new Set([...catalogue, ...own].map(([, error]) => error.constructor))
    const modules = await Promise.all(files.map((file) => import(new URL(file, folder).href) as Promise<object>))
    const errors = modules
      .flatMap((module) => Object.values(module) as readonly unknown[])
      .filter((value) => typeof value === 'function' && value.prototype instanceof Error)

    expect(errors.length).toBeGreaterThan(40)
    expect(errors.filter((error) => !said.has(error as ErrorConstructor))).toEqual([])
  })

  it("each error's name is its tag, and it is an Error", () => {
    for (const [, error] of [...catalogue, ...own]) {
      expect(error).toBeInstanceOf(Error)
      expect(error).toMatchObject({ _tag: error.name })
      expect(error.constructor.name).toBe(error.name)
    }
  })

  it('a sentence names its wallet', () => {
    const ofOneWallet = catalogue.filter(([sentence]) => sentence.startsWith('...')).map(([, error]) => error.message)

    expect(ofOneWallet).toHaveLength(3)
    for (const message of ofOneWallet) expect(message.startsWith(`wallet with id ${id} `)).toBe(true)
  })
})

describe('the errors of a review', () => {
  it('TransactionReviewError carries the review URL', () => {
    expect(new TransactionReview.TransactionReviewError({ transactionReviewUrl }).transactionReviewUrl).toBe(
      transactionReviewUrl,
    )
  })

  it('TransactionReviewTimeout carries the review URL and pending id', () => {
    const timeout = new TransactionReview.TransactionReviewTimeout({ transactionReviewUrl, pendingTransactionId: id })

    expect(timeout).toMatchObject({ transactionReviewUrl, pendingTransactionId: id })
  })
})

it("the provider's names occur in Provider.ts and nowhere else", () => {
  const named = files.filter((file) =>
    /\bpara\b|Para(?![a-z])|\bx-para|@CAPSULE/.test(readFileSync(new URL(file, folder), 'utf8')),
  )

  expect(named).toEqual(['Provider.ts'])
})
