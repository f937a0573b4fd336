/** Users as the service meets them: devices that run the public SDK, and a person in front of the portal's pages. */
import { randomUUID } from 'node:crypto'
import * as Layer from 'effect/Layer'
import { ApiHttp } from '../../adapters/browser/Api.ts'
import { DeviceKeysWebCrypto } from '../../adapters/browser/DeviceKeys.ts'
import { RandomWebCrypto } from '../../adapters/browser/Random.ts'
import { RsaWebCrypto } from '../../adapters/browser/Rsa.ts'
import { Para, type ParaOptions, type StorageOverride } from '../../adapters/browser/sdk.ts'
import { SeededRsaForge } from '../../adapters/browser/SeededRsa.ts'
import { StorageMemory } from '../../adapters/browser/Storage.ts'
import { originOf } from '../../domain/model/Url.ts'
import type { Popup } from '../../domain/client/ports/Popup.ts'
import { Settings } from '../../domain/client/ports/Settings.ts'
import { SessionStateMemory } from '../../domain/client/SessionState.ts'
import type { Hosts } from '../../domain/model/Environment.ts'
import { accountSetup } from '../../domain/model/Events.ts'
import { noPasskeys, type PasskeyDevice } from '../kit/passkeyDevice.ts'
import { PasswordHashOnce } from '../kit/passwordHash.ts'
import { personWith, playedPopups, type Browser, type Play } from '../kit/portalPlayer.ts'
import type { TestService } from '../kit/service.ts'

/** The page that embeds the SDK: one of every test partner's origins. */
export const shop = 'http://localhost:3010'

/** The configuration's own origin of the portal. */
export const portal = 'http://localhost:3003'

/** A browser's storage of one origin, open to tests. `written` has every value that was ever kept in it. */
export type BrowserStorage = {
  readonly local: Map<string, string>
  readonly session: Map<string, string>
  readonly written: string[]
  readonly override: StorageOverride
}

export const makeStorage = (from?: Pick<BrowserStorage, 'local'>): BrowserStorage => {
  const written: string[] = []
  const areaOf = (entries: Map<string, string>) => ({
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => {
      written.push(value)
      entries.set(key, value)
    },
    removeItem: (key: string) => void entries.delete(key),
  })
  const local = new Map(from?.local)
  const session = new Map<string, string>()
  return { local, session, written, override: { local: areaOf(local), session: areaOf(session) } }
}

type Addresses = Pick<TestService['addresses'], 'api' | 'cosigner' | 'connect'>

export const hostsOf = ({ api, cosigner, connect }: Addresses): Hosts => ({
  api,
  cosigner,
  connect,
  portal,
  oauth: api,
})

export type DeviceOptions = {
  readonly apiKey: string
  readonly addresses: Addresses
  readonly password?: string
  readonly storage?: BrowserStorage
  /** Where the person keeps passkeys; otherwise nowhere. */
  readonly passkeys?: PasskeyDevice | undefined
  /** The person's actions at the portal's pages; by default they give the password to each. */
  readonly play?: Play
  /** Where a page goes that has lost its opener; otherwise pages have theirs. */
  readonly returns?: Browser['returns']
  readonly types?: ParaOptions['supportedWalletTypes']
  readonly logLevel?: ParaOptions['logLevel']
}

export class Device extends Para {
  readonly storage: BrowserStorage
  protected override readonly popups: Layer.Layer<Popup>

  constructor(options: DeviceOptions) {
    const {
      apiKey,
      addresses,
      password = '',
      storage = makeStorage(),
      play,
      returns,
      types,
      logLevel,
      passkeys,
    } = options
    const hosts = hostsOf(addresses)
    super('DEV', apiKey, {
      hosts,
      origin: shop,
      storage: storage.override,
      logLevel: logLevel ?? 'None',
      ...(types === undefined ? {} : { supportedWalletTypes: types }),
    })
    this.storage = storage
    const page = pageAt(hosts, passkeys)
    this.popups = playedPopups({ hostOrigin: shop, play: play ?? personWith(password), returns, page })
  }
}

/** The ports of a portal's page, against the service itself. */
const pageAt = (hosts: Hosts, passkeys: PasskeyDevice | undefined) => (url: string) => {
  const settings = Layer.succeed(Settings, {
    environment: 'DEV',
    hosts,
    apiKey: new URL(url).searchParams.get('apiKey') ?? undefined,
    origin: originOf(url),
    theme: {},
    mailLook: {},
    supportedWalletTypes: undefined,
  })
  const memory = Layer.provideMerge(DeviceKeysWebCrypto, Layer.mergeAll(StorageMemory, SessionStateMemory, settings))
  const credentials = passkeys === undefined ? noPasskeys : Layer.merge(passkeys.at(originOf(url)), SeededRsaForge())
  const api = Layer.provide(ApiHttp(), memory)
  return Layer.mergeAll(RsaWebCrypto, PasswordHashOnce, RandomWebCrypto, credentials, settings, api)
}

/** A person who has signed up, with the device on which they did it. */
export type Person = {
  readonly email: string
  readonly password: string
  readonly userId: string
  readonly walletIds: readonly string[]
  readonly recoverySecret: string | null
  readonly device: Device
}

export const newEmail = (name = 'ada') => `${name}.${randomUUID().slice(0, 8)}@example.org`

export const newPassword = () => `${randomUUID()} correct horse`

/** The code of the newest letter to this address. */
export const mailedCode = async (service: Pick<TestService, 'mailbox'>, email: string): Promise<string> => {
  const code = (await service.mailbox(email)).at(-1)?.code
  if (code === undefined) throw new Error(`no code was mailed to ${email}`)
  return code
}

/** The parts of a service that people need. */
export type Place = Pick<TestService, 'partner' | 'mailbox'> & { readonly addresses: Addresses }

/** A sign-up from the first click to the last backup. */
export const signUp = async (
  service: Place,
  options: Partial<DeviceOptions> & { readonly email?: string } = {},
): Promise<Person> => {
  const { email = newEmail(), password = newPassword() } = options
  const { partner, addresses } = service
  const device = new Device({ apiKey: partner.apiKey, addresses, ...options, password })
  let announced: unknown
  device.on(accountSetup, ({ data }) => {
    announced = data
  })
  const userId = await device.createUser({ email })
  await device.verifyEmail(await mailedCode(service, email))
  const setUp = options.passkeys === undefined ? device.setUpPassword() : device.setUpPasskey()
  const { walletIds, recoverySecret } = await setUp
  if (JSON.stringify(announced) !== JSON.stringify({ walletIds, recoverySecret })) {
    throw new Error('the account-setup event says something else than the call')
  }
  return { email, password, userId, walletIds, recoverySecret, device }
}

/** A sign-up whose device was lost before it made the key of a SOLANA wallet: the account has a password alone. */
export const signUpWithoutWallets = async (service: Place, email: string): Promise<void> => {
  const { partner, addresses } = service
  const unreachable = { ...addresses, cosigner: 'http://127.0.0.1:9' }
  const options = { addresses: unreachable, password: newPassword(), types: { SOLANA: true } } as const
  const device = new Device({ apiKey: partner.apiKey, ...options })
  await device.createUser({ email })
  await device.verifyEmail(await mailedCode(service, email))
  const words = await device.setUpPassword().then(
    () => 'keys were made',
    (error: unknown) => String(error),
  )
  if (!words.includes('error creating account')) throw new Error(words)
  await device.dispose()
}

/** Another device of the same person, which has logged in. */
export const logIn = async (
  service: Place,
  { email, password }: Pick<Person, 'email' | 'password'>,
  options: Partial<DeviceOptions> = {},
): Promise<Device> => {
  const { partner, addresses } = service
  const device = new Device({ apiKey: partner.apiKey, addresses, password, ...options })
  await device.login({ email })
  return device
}
