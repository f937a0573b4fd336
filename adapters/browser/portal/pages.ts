/** The pages that exist; review and purchase have addresses, and no page yet. */
export const pages = ['create-password', 'create-passkey', 'login-password', 'login-passkey', 'export'] as const
export type PortalPage = (typeof pages)[number]
