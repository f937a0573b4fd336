/** Whether it can begin Cosmos addresses, as chains use it: an address has at most 90 characters (BIP 173). */
export const isCosmosPrefix = (text: string): boolean => /^[a-z][a-z0-9]{0,50}$/.test(text)
