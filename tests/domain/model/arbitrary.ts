/** Random users, wallets and configurations for the properties of this folder. */
import * as fc from 'fast-check'
import { isPresent, type Identity } from '../../../domain/model/Identity.ts'
import type { User } from '../../../domain/model/User.ts'
import { pregenIdentifierTypes, schemes, walletTypes, type Wallet } from '../../../domain/model/Wallet.ts'
import type { SupportedWalletTypes, WalletType } from '../../../domain/model/WalletTypes.ts'

/** Texts that count as a value: any but the empty one, 'null' and 'undefined'. */
export const presentText = fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }).filter(isPresent)

/** What counts as absent. */
export const absentText = fc.constantFrom('', 'null', 'undefined', null, undefined)

export const digits = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...Array.from('0123456789')), minLength, maxLength })

export const callingCode = fc.constantFrom('1', '44', '49', '353')
export const handle = fc.stringMatching(/^[a-z0-9_]{1,15}$/).filter(isPresent)
export const email = fc.stringMatching(/^[a-z0-9.+]{1,12}@[a-z0-9]{1,8}\.[a-z]{2,4}$/)

export const identity: fc.Arbitrary<Identity> = fc.oneof(
  fc.record({ kind: fc.constant('email' as const), email: presentText }),
  fc.record({ kind: fc.constant('phone' as const), phone: presentText, countryCode: presentText }),
  fc.record({ kind: fc.constant('farcasterUsername' as const), farcasterUsername: presentText }),
  fc.record({ kind: fc.constant('telegramUserId' as const), telegramUserId: presentText }),
  fc.record({ kind: fc.constant('externalWalletAddress' as const), externalWalletAddress: presentText }),
  fc.record({ kind: fc.constant('userId' as const), userId: presentText }),
)

/** Few ids, so that wallets and users meet. */
export const userId = fc.constantFrom('user-1', 'user-2', 'user-3')

export const user: fc.Arbitrary<User> = fc.record({
  userId: fc.option(userId),
  email: fc.option(fc.constantFrom('ada@x.io', 'bob@x.io')),
  phone: fc.option(fc.constantFrom('5550001', '5550002')),
  countryCode: fc.option(fc.constantFrom('+1', '+44')),
  telegramUserId: fc.option(fc.constantFrom('ada', 'bob')),
})

const orNull = <A>(value: fc.Arbitrary<A>) => fc.option(value, { nil: null })

export const wallet: fc.Arbitrary<Wallet> = fc.record({
  id: fc.uuid(),
  scheme: fc.constantFrom(...schemes),
  type: orNull(fc.constantFrom(...walletTypes)),
  address: orNull(fc.string({ minLength: 1 })),
  userId: orNull(userId),
  partnerId: orNull(fc.constantFrom('partner-1', 'partner-2')),
  signer: orNull(fc.constant('share')),
  isPregen: orNull(fc.boolean()),
  pregenIdentifier: orNull(
    fc.constantFrom('ada@x.io', 'ADA@X.IO', 'bob@x.io', '+15550001', '+1 555 0001', '@ada', 'bob'),
  ),
  pregenIdentifierType: orNull(fc.constantFrom(...pregenIdentifierTypes)),
})

export const wallets = fc.uniqueArray(wallet, { selector: ({ id }) => id, maxLength: 6 })

/** At least one type that is not optional. */
export const supported: fc.Arbitrary<SupportedWalletTypes> = fc
  .uniqueArray(
    fc.record(
      { type: fc.constantFrom<WalletType>(...walletTypes), optional: fc.boolean() },
      { requiredKeys: ['type'] },
    ),
    { selector: ({ type }) => type, minLength: 1 },
  )
  .filter((types) => types.some(({ optional }) => !optional))
