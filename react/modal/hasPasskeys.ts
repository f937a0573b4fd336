/** Whether this browser has passkeys at all. Where it has none, only a password is offered. */
export const hasPasskeys = (): boolean => 'PublicKeyCredential' in window
