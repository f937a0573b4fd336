/**
 * The host's side of the kernel's memory (assembly/memory.ts): an operation reserves what it needs in the arena, and
 * all of that is overwritten when it ends, however it ends. wasm/README.md#memory
 */

/** The module's exports for the arena. */
export type MemoryExports = {
  readonly memory: WebAssembly.Memory
  readonly reserve: (size: number) => number
  readonly wipe: () => void
}

export type Arena = {
  /** The address of so many bytes, all zero. */
  readonly reserve: (length: number) => number
  /** The address of a copy of the bytes. */
  readonly put: (bytes: Uint8Array) => number
  /** A copy of the bytes at an address. */
  readonly take: (address: number, length: number) => Uint8Array
}

/** Runs an operation on the arena. */
export type Operate = <A>(operation: (arena: Arena) => A) => A

/** Callers check lengths: the kernel would read past the end of a shorter operand. */
export const exactly = (length: number, bytes: Uint8Array): Uint8Array => {
  if (bytes.length !== length) throw new RangeError(`an operand of ${length} bytes has ${bytes.length}`)
  return bytes
}

export const operateOn = ({ memory, reserve, wipe }: MemoryExports): Operate => {
  // When memory grows, its buffer is replaced.
  const view = (address: number, length: number) => new Uint8Array(memory.buffer, address, length)
  const arena: Arena = {
    reserve,
    put: (bytes) => {
      const address = reserve(bytes.length)
      view(address, bytes.length).set(bytes)
      return address
    },
    take: (address, length) => view(address, length).slice(),
  }
  return (operation) => {
    try {
      return operation(arena)
    } finally {
      wipe()
    }
  }
}
