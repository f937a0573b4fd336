/** A place of keys, as a rule a file, that this process cannot take. */
export class KeyFileRefused extends Error {
  /** `what` is the rest of a sentence that begins with the file's name. */
  constructor(setting: string, file: string, what: string) {
    super(`${setting}: ${file} ${what}.`)
  }
}
