// Generated from the contract by `npm run generate`, never edited.

/**
 * Every operation by its id. Who may call: S, P, R and SK in `principals` are alternatives, K beside S, P or R is
 * needed as well; without a token K or pub suffices. D is a delegated session, which is let in where it is named.
 * `session` is the earliest state of S, `recovery` has the states of R, `delegation` the scope of D. `device`: whether
 * a session with a device key signs the request; 'optional': it does so, but is answered without.
 * `rate`: by which limits it is counted (domain/service/README.md#rate-limits).
 */
export const operations = {
  createWallet: { method: 'POST', path: '/wallets', tag: 'offload', listener: 'api', principals: ['pub'], device: false, rate: 'R4', success: 'application/json' },
  sendTransaction: { method: 'POST', path: '/wallets/{walletId}/transactions/send', tag: 'offload', listener: 'api', principals: ['pub'], device: false, rate: 'R4', success: 'application/json' },
  signMessage: { method: 'POST', path: '/wallets/{walletId}/messages/sign', tag: 'offload', listener: 'api', principals: ['pub'], device: false, rate: 'R4', success: 'application/json' },
} as const satisfies Readonly<Record<string, Operation>>

export type OperationId = keyof typeof operations

export type Operation = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly tag: string
  readonly listener: 'api' | 'cosigner' | 'portal'
  readonly principals: readonly Principal[]
  readonly session?: 'NEW' | 'IDENTIFIED' | 'VERIFIED' | 'AUTHENTICATED'
  readonly recovery?: readonly ('READY' | 'FINISHED')[]
  readonly delegation?: 'READ' | 'SIGN'
  readonly device: boolean | 'optional'
  readonly rate: 'R1' | 'R2' | 'R3' | 'R4' | 'R5' | 'R6' | 'R7' | 'R8' | 'R9' | 'R10' | 'none'
  /** For how long every cache may keep the answer; otherwise none may. */
  readonly cacheSeconds?: number
  /** Request or answer are bytes. */
  readonly binary?: true
  /** The media type of the answer. */
  readonly success: string
}

export type Principal = 'K' | 'S' | 'P' | 'R' | 'D' | 'SK' | 'pub'
