/**
 * The OT side of the kernel: extension and multiplication as the port has them. What is hashed is encoded here, with
 * the tags and the encoding of the domain; the kernel fills in the last fields and does the rest.
 */
import { encode, u32 } from '../domain/crypto/Transcript.ts'
import type { Extension, Multiplication } from '../domain/mpc/dkls/Arithmetic.ts'
import {
  choicesLength,
  columnsLength,
  deltaLength,
  directionField,
  kappa,
  keyLength,
  rowsLength,
  scalarLength,
  tags,
  tauLength,
  xi,
  type Direction,
} from '../domain/mpc/dkls/Parameters.ts'
import { exactly, type Arena, type Operate } from './Arena.ts'

export type OtExports = {
  /** rows, key input, its bits, seeds */
  readonly expandRows: (rows: number, keyInput: number, bits: number, seeds: number) => void
  /** columns, rows */
  readonly transpose: (columns: number, rows: number) => void
  readonly extensionReceive: (
    rows: number,
    choices: number,
    challengeInput: number,
    challengeInputLength: number,
    choiceHash: number,
    rowHashes: number,
  ) => void
  /** 0 when the check holds. */
  readonly extensionSend: (
    rows: number,
    delta: number,
    challengeInput: number,
    challengeInputLength: number,
    choiceHash: number,
    rowHashes: number,
  ) => number
  readonly multiplicationGadget: (gadget: number, input: number, inputLength: number) => void
  readonly multiplicationChoice: (chi: number, gadget: number, choices: number) => void
  readonly multiplicationSend: (
    padInput: number,
    padInputLength: number,
    gadget: number,
    columns: number,
    delta: number,
    inputs: number,
    check: number,
    thetaInput: number,
    thetaInputLength: number,
    muInput: number,
    muInputLength: number,
    eta: number,
    mu: number,
    outputs: number,
  ) => void
  /** 0 when the check holds. */
  readonly multiplicationReceive: (
    padInput: number,
    padInputLength: number,
    gadget: number,
    columns: number,
    choices: number,
    thetaInput: number,
    thetaInputLength: number,
    muInput: number,
    muInputLength: number,
    eta: number,
    mu: number,
    outputs: number,
  ) => number
}

const hashLength = 16
const digestLength = 32
const noBits = new Uint8Array(deltaLength)
const allBits = new Uint8Array(deltaLength).fill(255)

type Session = { readonly session: Uint8Array; readonly direction: Direction }

/** An encoding in the arena, and where its last field begins there. */
const putEncoded = (arena: Arena, tag: string, { session, direction }: Session, fields: readonly Uint8Array[]) => {
  const encoded = encode(tag, [exactly(32, session), directionField(direction), ...fields])
  const address = arena.put(encoded)
  return { address, length: encoded.length, last: address + encoded.length - (fields.at(-1)?.length ?? 0) }
}

export const extensionOf = (exports: OtExports, operate: Operate): Extension => {
  /** The rows under seeds; bit i of `bits` says whether seed i is the zero or the one seed. */
  const expand = (arena: Arena, rows: number, session: Session, bits: Uint8Array, seeds: Uint8Array) => {
    const fields = [u32(0), new Uint8Array(1), new Uint8Array(keyLength)]
    const { address } = putEncoded(arena, tags.rows, session, fields)
    exports.expandRows(rows, address, arena.put(bits), arena.put(exactly(kappa * keyLength, seeds)))
  }
  const columnsOf = (arena: Arena, rows: number): Uint8Array => {
    const columns = arena.reserve(columnsLength)
    exports.transpose(columns, rows)
    return arena.take(columns, columnsLength)
  }
  return {
    receive: (input) =>
      operate((arena) => {
        const rows = arena.reserve(rowsLength)
        const challenge = putEncoded(arena, tags.consistency, input, [new Uint8Array(rowsLength)])
        const choices = arena.put(exactly(choicesLength, input.choices))
        const choiceHash = arena.reserve(hashLength)
        const rowHashes = arena.reserve(kappa * hashLength)
        expand(arena, rows, input, noBits, input.zeroSeeds)
        expand(arena, challenge.last, input, allBits, input.oneSeeds)
        exports.extensionReceive(rows, choices, challenge.address, challenge.length, choiceHash, rowHashes)
        return {
          matrix: arena.take(challenge.last, rowsLength),
          choiceHash: arena.take(choiceHash, hashLength),
          rowHashes: arena.take(rowHashes, kappa * hashLength),
          columns: columnsOf(arena, rows),
        }
      }),
    columns: (input) =>
      operate((arena) => {
        const rows = arena.reserve(rowsLength)
        expand(arena, rows, input, noBits, input.zeroSeeds)
        return columnsOf(arena, rows)
      }),
    send: (input) =>
      operate((arena) => {
        const { matrix, choiceHash, rowHashes } = input.message
        const rows = arena.reserve(rowsLength)
        const delta = exactly(deltaLength, input.delta)
        const challenge = putEncoded(arena, tags.consistency, input, [exactly(rowsLength, matrix)])
        expand(arena, rows, input, delta, input.seeds)
        const difference = exports.extensionSend(
          rows,
          arena.put(delta),
          challenge.address,
          challenge.length,
          arena.put(exactly(hashLength, choiceHash)),
          arena.put(exactly(kappa * hashLength, rowHashes)),
        )
        return difference === 0 ? columnsOf(arena, rows) : undefined
      }),
  }
}

export const multiplicationOf = (exports: OtExports, operate: Operate): Multiplication => {
  /** Encodings that both sides hash: a pad's, θ's over τ, and μ's over the check scalars. */
  const putInputs = (arena: Arena, session: Session, tau: Uint8Array) => {
    const pad = putEncoded(arena, tags.pad, session, [u32(0), new Uint8Array(deltaLength)])
    const theta = putEncoded(arena, tags.theta, session, [u32(0), exactly(tauLength, tau)])
    const mu = putEncoded(arena, tags.mu, session, [new Uint8Array(xi * scalarLength)])
    return { pad, theta, mu }
  }
  return {
    gadget: (seed, direction) =>
      operate((arena) => {
        const gadget = arena.reserve(xi * scalarLength)
        const { address, length } = putEncoded(arena, tags.gadget, { session: seed, direction }, [u32(0)])
        exports.multiplicationGadget(gadget, address, length)
        return arena.take(gadget, xi * scalarLength)
      }),
    choice: (gadget, choices) =>
      operate((arena) => {
        const chi = arena.reserve(scalarLength)
        const gadgetAt = arena.put(exactly(xi * scalarLength, gadget))
        exports.multiplicationChoice(chi, gadgetAt, arena.put(exactly(choicesLength, choices)))
        return arena.take(chi, scalarLength)
      }),
    send: (input) =>
      operate((arena) => {
        const { pad, theta, mu } = putInputs(arena, input, new Uint8Array(tauLength))
        const eta = arena.reserve(scalarLength)
        const digest = arena.reserve(digestLength)
        const outputs = arena.reserve(2 * scalarLength)
        exports.multiplicationSend(
          pad.address,
          pad.length,
          arena.put(exactly(xi * scalarLength, input.gadget)),
          arena.put(exactly(columnsLength, input.columns)),
          arena.put(exactly(deltaLength, input.delta)),
          arena.put(exactly(2 * scalarLength, input.inputs)),
          arena.put(exactly(scalarLength, input.check)),
          theta.address,
          theta.length,
          mu.address,
          mu.length,
          eta,
          digest,
          outputs,
        )
        return {
          tau: arena.take(theta.last, tauLength),
          eta: arena.take(eta, scalarLength),
          mu: arena.take(digest, digestLength),
          outputs: arena.take(outputs, 2 * scalarLength),
        }
      }),
    receive: (input) =>
      operate((arena) => {
        const { pad, theta, mu } = putInputs(arena, input, input.message.tau)
        const outputs = arena.reserve(2 * scalarLength)
        const difference = exports.multiplicationReceive(
          pad.address,
          pad.length,
          arena.put(exactly(xi * scalarLength, input.gadget)),
          arena.put(exactly(columnsLength, input.columns)),
          arena.put(exactly(choicesLength, input.choices)),
          theta.address,
          theta.length,
          mu.address,
          mu.length,
          arena.put(exactly(scalarLength, input.message.eta)),
          arena.put(exactly(digestLength, input.message.mu)),
          outputs,
        )
        return difference === 0 ? arena.take(outputs, 2 * scalarLength) : undefined
      }),
  }
}
