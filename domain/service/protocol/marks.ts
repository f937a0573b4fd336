/** Names of the marks that the co-signer keeps outside the database (mpc-review 2; design 8.20). */

/** The epoch in which the wallet's OT records are burned. */
export const burnedMark = (walletId: string): string => `burned/${walletId}`

/** When that was, in milliseconds: a login from before does not lead out of it (design 8.17). */
export const burnedAtMark = (walletId: string): string => `burned-at/${walletId}`

/** The epoch whose sharing came back from a capsule: nothing signs in it. */
export const reattachedMark = (walletId: string): string => `reattached/${walletId}`

/** The wallet's highest epoch. */
export const epochMark = (walletId: string): string => `epoch/${walletId}`
