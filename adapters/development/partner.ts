import { authMethods } from '../../domain/model/Credential.ts'
import { defaultCosmosPrefix } from '../../domain/model/Limits.ts'
import { walletTypes } from '../../domain/model/WalletTypes.ts'
import type { PartnerRecord } from '../../domain/service/Partner.ts'

/** The example app's origin by each name that this machine has for it. */
export const originsOf = (origin: string): readonly string[] => {
  const { protocol, port } = new URL(origin)
  const local = ['localhost', '127.0.0.1', 'shop.localhost'].map((host) => `${protocol}//${host}${port && `:${port}`}`)
  return [...new Set([origin, ...local])]
}

/** The partner of a development stack: the example app. Where a redirect ends follows from the origin that asked. */
export const developmentPartner: Omit<PartnerRecord, 'id'> = {
  displayName: 'Corner Coffee',
  portalUrl: null,
  origins: originsOf('http://shop.localhost:3010'),
  returnUrls: [],
  theme: {},
  supportedAuthMethods: authMethods,
  supportedWalletTypes: walletTypes.map((type) => ({ type })),
  cosmosPrefix: defaultCosmosPrefix,
  strict: false,
  allowsNoOrigin: false,
  allowsUnprovenClients: false,
}
