/** For an app's own tests: people with a mailbox, their passkeys, and a client that needs neither a service nor the network. */
export { newUser, type TestUser, type TestUserOptions } from './TestUser.ts'
export { makeVirtualPasskeys, type DevtoolsSession, type VirtualPasskeys } from './VirtualPasskeys.ts'
export type { StandInTransaction } from './plainSignatures.ts'
export { makeStandIn, standInCode, type StandIn, type StandInOptions } from './StandIn.ts'
