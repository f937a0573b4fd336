/** A write to the co-signers' folder for which its disk has no room: it ends what writes, as `appendFileSync` does. */
export class FullDisk extends Error {
  /** What was not written: the name of a mark, `claim` or `share key`. */
  readonly what: string
  /** Of a mark. */
  readonly value: number

  constructor(what: string, value = 0) {
    super(`the disk is full: ${what}`)
    this.what = what
    this.value = value
  }
}

/** Throws `FullDisk` where there is no room. */
export type Room = (what: string, value?: number) => void
