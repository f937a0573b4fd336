/** OAuth logins. */
export const methods = ['GOOGLE', 'TWITTER', 'APPLE', 'DISCORD', 'FACEBOOK', 'FARCASTER', 'TELEGRAM'] as const
export type Method = (typeof methods)[number]

/** The method as it stands in a path: in lower case. */
export const inPath = (method: Method): string => method.toLowerCase()
