/** The partner of tests that are not about partners. */
import type { PartnerRecord } from '../../domain/service/Partner.ts'

export const shopSettings: Omit<PartnerRecord, 'id'> = {
  displayName: 'Shop',
  portalUrl: null,
  origins: [],
  returnUrls: [],
  theme: {},
  supportedAuthMethods: ['PASSWORD', 'PASSKEY'],
  supportedWalletTypes: [{ type: 'EVM' }, { type: 'SOLANA', optional: true }],
  cosmosPrefix: 'cosmos',
  strict: false,
  allowsNoOrigin: false,
  allowsUnprovenClients: false,
}
