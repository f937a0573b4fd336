/** Roles of a process, each with its own listener. Roles share nothing but the database and the contract. */
export const roles = ['api', 'cosigner', 'portal', 'connect', 'admin'] as const
export type Role = (typeof roles)[number]
