import * as fc from 'fast-check'
import * as Result from 'effect/Result'
import { describe, expect, it } from 'vitest'
import * as AccountMetadata from '../../../domain/model/AccountMetadata.ts'
import * as Diagnostics from '../../../domain/model/Diagnostics.ts'
import { environments } from '../../../domain/model/Environment.ts'
import * as ExternalWallet from '../../../domain/model/ExternalWallet.ts'
import * as Farcaster from '../../../domain/model/Farcaster.ts'
import * as MpcWorker from '../../../domain/model/MpcWorker.ts'
import * as Network from '../../../domain/model/Network.ts'
import * as OAuth from '../../../domain/model/OAuth.ts'
import * as Partner from '../../../domain/model/Partner.ts'
import { hasFullAuth } from '../../../domain/model/Provider.ts'
import * as Purchase from '../../../domain/model/Purchase.ts'
import * as Ramp from '../../../domain/model/Ramp.ts'
import * as Recovery from '../../../domain/model/Recovery.ts'
import * as Theme from '../../../domain/model/Theme.ts'
import { phoneOf } from '../../../domain/model/User.ts'
import * as WalletReference from '../../../domain/model/WalletReference.ts'
import { absentText, presentText } from './arbitrary.ts'

const failed = (result: Result.Result<unknown, Error>) => Result.getOrThrow(Result.flip(result)).name

describe('a wallet reference has exactly one of walletId or an external wallet address', () => {
  it('by id or by address', () => {
    fc.assert(
      fc.property(presentText, absentText, (text, absent) => {
        expect(Result.getOrThrow(WalletReference.parse({ walletId: text, externalWalletAddress: absent }))).toEqual({
          walletId: text,
        })
        expect(Result.getOrThrow(WalletReference.parse({ walletId: absent, externalWalletAddress: text }))).toEqual({
          externalWalletAddress: text,
        })
      }),
    )
  })

  it("otherwise 'invalid wallet params'", () => {
    fc.assert(
      fc.property(presentText, presentText, absentText, (id, address, absent) => {
        expect(failed(WalletReference.parse({ walletId: id, externalWalletAddress: address }))).toBe(
          'InvalidWalletParams',
        )
        expect(failed(WalletReference.parse({ walletId: absent, externalWalletAddress: absent }))).toBe(
          'InvalidWalletParams',
        )
      }),
    )
  })
})

describe('partners', () => {
  it('an API key is required to create a user or wallet', () => {
    expect(Result.getOrThrow(Partner.requireApiKey('key'))).toBe('key')
    expect([undefined, null, '', 'null', 'undefined'].map((key) => failed(Partner.requireApiKey(key)))).toEqual(
      Array.from({ length: 5 }, () => 'ApiKeyRequired'),
    )
  })

  it('their settings are a theme, and what the app says goes before it', () => {
    const partner = { id: 'p', font: 'Inter', themeMode: 'dark', accentColor: '#111' }

    expect(Theme.merged({ font: 'Mono', mode: undefined, textColor: '#222' }, Partner.theme(partner))).toMatchObject({
      font: 'Mono',
      mode: 'dark',
      accentColor: '#111',
      textColor: '#222',
    })
  })
})

describe('a user', () => {
  it('has a phone when both of its parts are known', () => {
    expect(phoneOf({ phone: '5550001', countryCode: '+1' })).toBe('+15550001')
    expect([{ phone: '5550001' }, { countryCode: '+1' }, {}].map(phoneOf)).toEqual([undefined, undefined, undefined])
  })
})

describe('external wallets', () => {
  it("external-wallet-connection-only mode has the fixed user id 'EXTERNAL_WALLET_CONNECTION_ONLY'", () => {
    expect(ExternalWallet.connectionOnlyUserId).toBe('EXTERNAL_WALLET_CONNECTION_ONLY')
    expect(ExternalWallet.isConnectionOnly('EXTERNAL_WALLET_CONNECTION_ONLY')).toBe(true)
    expect(['user-1', '', null, undefined].some(ExternalWallet.isConnectionOnly)).toBe(false)
  })

  it('with or without full authentication', () => {
    expect([{ isExternalWithParaAuth: true }, { isExternalWithParaAuth: false }, {}].map(hasFullAuth)).toEqual([
      true,
      false,
      false,
    ])
  })
})

describe('Farcaster', () => {
  it("polls for state 'completed' (userId, userExists, username, pfpUrl)", () => {
    const answer = { state: 'completed', userId: 'u', userExists: true, username: 'ada', pfpUrl: 'https://img' }
    const { state: _, ...found } = answer

    expect(Farcaster.completed(answer)).toEqual(found)
    expect(Farcaster.completed({ ...answer, pfpUrl: null, userExists: null })).toEqual({
      userId: 'u',
      userExists: false,
      username: 'ada',
    })
    expect(Farcaster.completed({ ...answer, state: 'pending' })).toBeUndefined()
    expect(Farcaster.completed({ ...answer, userId: null })).toBeUndefined()
  })
})

describe('OAuth', () => {
  it('a method is in a path in lower case', () => {
    expect(OAuth.methods.map(OAuth.inPath).join()).toBe('google,twitter,apple,discord,facebook,farcaster,telegram')
  })

  it('account metadata is a map keyed by account, each entry with a date', () => {
    const read = AccountMetadata.fromWire({
      google: { date: '2026-01-02T03:04:05.000Z', metadata: { email: 'a@b.co' } },
      x: { date: 'not a date' },
      myspace: { date: '2026-01-02T03:04:05.000Z' },
    })

    expect(read).toEqual({ google: { date: new Date(Date.UTC(2026, 0, 2, 3, 4, 5)), metadata: { email: 'a@b.co' } } })
    expect(AccountMetadata.fromWire(undefined)).toEqual({})
    expect(AccountMetadata.fromWire(null)).toEqual({})
  })

  it('every method has its account', () => {
    expect(OAuth.methods.map(AccountMetadata.accountOf)).toEqual([
      'google',
      'x',
      'apple',
      'discord',
      'facebook',
      'farcaster',
      'telegram',
    ])
  })
})

describe('networks, ramps and purchases', () => {
  it('each network belongs to one wallet type', () => {
    const byType = (type: string) => Network.networks.filter((network) => Network.walletTypeOf(network) === type)

    expect(byType('SOLANA')).toEqual(['SOLANA', 'SOLANA_DEVNET'])
    expect(byType('COSMOS')).toEqual(['COSMOS', 'NOBLE'])
    expect(byType('EVM')).toEqual(['ETHEREUM', 'SEPOLIA', 'ARBITRUM', 'BASE', 'OPTIMISM', 'POLYGON', 'CELO'])
  })

  it('flows are switched on one by one', () => {
    const off = { isBuyEnabled: false, isReceiveEnabled: false, isWithdrawEnabled: false }

    expect(Ramp.enabledFlows(off)).toEqual([])
    expect(Ramp.enabledFlows({ ...off, isBuyEnabled: true })).toEqual(['BUY'])
    expect(Ramp.enabledFlows({ ...off, isReceiveEnabled: true })).toEqual(['RECEIVE'])
    expect(Ramp.enabledFlows({ ...off, isWithdrawEnabled: true })).toEqual(['WITHDRAW'])
  })

  it('a purchase reaches its final status once', () => {
    const moves = Purchase.statuses.map((from) => Purchase.statuses.filter((to) => Purchase.mayBecome(from, to)))

    expect(moves).toEqual([['FINISHED', 'CANCELLED'], [], []])
  })

  it('a recovery is over when it is finished, cancelled or expired', () => {
    expect(Recovery.statuses.filter(Recovery.isOver)).toEqual(['EXPIRED', 'FINISHED', 'CANCELLED'])
  })
})

describe('the worker', () => {
  it('knows its function types and no other', () => {
    expect(MpcWorker.functionTypes.map((type) => Result.getOrThrow(MpcWorker.parseFunctionType(type)))).toEqual(
      MpcWorker.functionTypes,
    )
    expect(failed(MpcWorker.parseFunctionType('DANCE'))).toBe('FunctionTypeNotSupported')
  })

  it('fetches its kernel from the portal unless that is disabled; local files are for DEV', () => {
    expect(Result.getOrThrow(MpcWorker.kernelSource({}, 'PROD'))).toBe('portal')
    expect(failed(MpcWorker.kernelSource({ disableWasmFetch: true }, 'DEV'))).toBe('WasmFetchDisabled')
    const local = environments.map((environment) => MpcWorker.kernelSource({ useLocalFiles: true }, environment))
    expect(local.map(Result.isSuccess)).toEqual([true, false, false, false])
    expect(failed(MpcWorker.kernelSource({ useLocalFiles: true }, 'PROD'))).toBe('LocalFilesOnlyLocally')
  })
})

describe('diagnostics', () => {
  it('outside production, failures of key methods are sent', () => {
    expect(environments.map(Diagnostics.reportsFailures)).toEqual([true, true, true, false])
  })

  it('with method name, SDK type, user id, and error name and message', () => {
    const failure = { methodName: 'signMessage', sdkType: 'WEB', error: new TypeError('no share') } as const

    expect(Diagnostics.report({ ...failure, userId: 'u' })).toEqual({
      methodName: 'signMessage',
      sdkType: 'WEB',
      userId: 'u',
      error: { name: 'TypeError', message: 'no share' },
    })
    expect(Diagnostics.report(failure)).not.toHaveProperty('userId')
  })
})
