import { authMethods } from '../../domain/model/Credential.ts'
import { defaultCosmosPrefix } from '../../domain/model/Limits.ts'
import { walletTypes } from '../../domain/model/WalletTypes.ts'
import type { Partner } from '../../domain/service/Partner.ts'

/** Where the example app runs. */
export const exampleOrigin = 'http://localhost:3010'

/** The partner of a development stack: the example app, by each name that this machine has for it. */
export const developmentPartner: Omit<Partner, 'id'> = {
  displayName: 'Example',
  portalUrl: null,
  origins: [exampleOrigin, 'http://127.0.0.1:3010', 'http://shop.localhost:3010'],
  returnUrls: [],
  theme: {},
  supportedAuthMethods: authMethods,
  supportedWalletTypes: walletTypes.map((type) => ({ type })),
  cosmosPrefix: defaultCosmosPrefix,
  policiesEnabled: false,
  strict: false,
  allowsNoOrigin: false,
  allowsUnprovenClients: false,
}
