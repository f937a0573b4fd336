/** A file of keys that this process cannot take. A file of its own, because the co-signer's threads load no Effect. */
export class KeyFileRefused extends Error {
  /** `what` is the rest of a sentence that begins with the file's name. */
  constructor(setting: string, file: string, what: string) {
    super(`${setting}: ${file} ${what}.`)
  }
}
