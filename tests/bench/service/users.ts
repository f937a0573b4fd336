/** Users of the SDK, each with a device of their own, who sign as fast as they get their signatures. */
import { setTimeout } from 'node:timers/promises'
import { inspect } from 'node:util'
import * as StorageKeys from '../../../domain/model/StorageKeys.ts'
import { Device, newEmail, newPassword } from '../../service/people.ts'
import { serve } from './peer.ts'

type Place = {
  readonly addresses: { readonly [R in 'api' | 'cosigner' | 'connect' | 'admin']: string }
  readonly partner: { readonly apiKey: string }
}

const signingTypes = { DKLS: 'EVM', ED25519: 'SOLANA' } as const
export type SigningScheme = keyof typeof signingTypes

type User = { readonly device: Device; readonly walletIds: { readonly [S in SigningScheme]: string } }

const users: User[] = []

const signUp = async ({ addresses, partner }: Place): Promise<User> => {
  const [email, password] = [newEmail(), newPassword()]
  const types = { EVM: true, SOLANA: true }
  const device = new Device({ apiKey: partner.apiKey, addresses, password, types })
  await device.createUser({ email })
  await device.verifyEmail(await mailedCode(addresses.admin, email))
  await device.setUpPassword()
  const wallets = await device.getWallets()
  const idOf = (scheme: SigningScheme) => wallets.find(({ type }) => type === signingTypes[scheme])?.id ?? ''
  return { device, walletIds: { DKLS: idOf('DKLS'), ED25519: idOf('ED25519') } }
}

const mailedCode = async (admin: string, email: string): Promise<string> => {
  for (;;) {
    const answer = await fetch(`${admin}/dev/mailbox?to=${encodeURIComponent(email)}`)
    const { messages } = (await answer.json()) as { readonly messages: readonly { readonly code: string }[] }
    const code = messages.at(-1)?.code
    if (code !== undefined) return code
    await setTimeout(5)
  }
}

const orders = {
  /** Answers the session token of the first. */
  signUp: async ({ place, count }: { readonly place: Place; readonly count: number }) => {
    while (users.length < count) users.push(await signUp(place))
    return users[0]?.device.storage.local.get(StorageKeys.sessionCookie) ?? ''
  },
  /** All of them for so long, each with these schemes in turn. `cores` is what signing took here. */
  sign: async (asked: { readonly schemes: readonly SigningScheme[]; readonly seconds: number }) => {
    const before = process.cpuUsage()
    const begun = performance.now()
    let count = 0
    const failures: string[] = []
    const signOne = ({ device, walletIds }: User, scheme: SigningScheme) =>
      device.signMessage({ walletId: walletIds[scheme], message: `bench ${count}` }).then(
        () => {
          count++
        },
        (cause: unknown) => {
          failures.push(inspect(cause))
        },
      )
    const signing = users.map(async (user) => {
      while (performance.now() - begun < 1_000 * asked.seconds) {
        for (const scheme of asked.schemes) await signOne(user, scheme)
      }
    })
    await Promise.all(signing)
    const ms = performance.now() - begun
    const { user, system } = process.cpuUsage(before)
    return { count, failures, perSecond: (1_000 * count) / ms, cores: (user + system) / 1_000 / ms }
  },
}

export type Users = typeof orders

serve(orders)
