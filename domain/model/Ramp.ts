/** Buying and selling: the enumerations of on-ramps and off-ramps. */

/** What a user may do with a wallet's funds in the app. */
export const flows = ['BUY', 'RECEIVE', 'WITHDRAW'] as const
export type Flow = (typeof flows)[number]

export const providers = ['RAMP', 'STRIPE', 'MOONPAY'] as const
export type Provider = (typeof providers)[number]

export const assets = [
  'ETHEREUM',
  'USDC',
  'TETHER',
  'POLYGON',
  'SOLANA',
  'ATOM',
  'CELO',
  'CUSD',
  'CEUR',
  'CREAL',
] as const
export type Asset = (typeof assets)[number]

export const methods = ['ACH', 'Debit', 'Credit', 'Apple Pay'] as const
export type Method = (typeof methods)[number]

/** The flows that a configuration switches on. */
export const enabledFlows = (config: {
  readonly isBuyEnabled: boolean
  readonly isReceiveEnabled: boolean
  readonly isWithdrawEnabled: boolean
}): readonly Flow[] => {
  const enabled: { readonly [F in Flow]: boolean } = {
    BUY: config.isBuyEnabled,
    RECEIVE: config.isReceiveEnabled,
    WITHDRAW: config.isWithdrawEnabled,
  }
  return flows.filter((flow) => enabled[flow])
}
