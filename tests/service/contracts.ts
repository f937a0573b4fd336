/** Two contracts in the EVM's own code, since no compiler of Solidity is at hand. Each step says what is on the stack. */
import { concatHex, keccak256, numberToHex, size, stringToHex, type Hex } from 'viem'

const op = {
  mul: '0x02',
  eq: '0x14',
  byte: '0x1a',
  keccak256: '0x20',
  address: '0x30',
  calldataload: '0x35',
  chainid: '0x46',
  pop: '0x50',
  mload: '0x51',
  mstore: '0x52',
  mstore8: '0x53',
  gas: '0x5a',
  return: '0xf3',
  staticcall: '0xfa',
} as const satisfies Readonly<Record<string, Hex>>

const push = (value: Hex | number): Hex => {
  const bytes = typeof value === 'number' ? numberToHex(value, { size: 1 }) : value
  return concatHex([numberToHex(0x5f + size(bytes)), bytes])
}

/** Puts what the code gives into the word of memory at `at`. */
const store = (at: number, ...code: readonly Hex[]): Hex => concatHex([...code, push(at), op.mstore])
const argument = (at: number): Hex => concatHex([push(at), op.calldataload])
const hash = (at: number, length: number): Hex => concatHex([push(length), push(at), op.keccak256])

/** Recovers from digest, v, r, s in the first four words; whom it finds is the fifth. */
const ecrecover = concatHex([push(32), push(128), push(128), push(0), push(1), op.gas, op.staticcall, op.pop])
const answerWord = (at: number): Hex => concatHex([push(32), push(at), op.return])

const typeHash = (type: string): Hex => push(keccak256(stringToHex(type)))

/** Hashes `Permit(uint256 value)` in the domain of this chain and this contract. Takes value, v, r, s; gives the signer. */
export const permitVerifier = concatHex([
  store(0, typeHash('EIP712Domain(uint256 chainId,address verifyingContract)')),
  store(32, op.chainid),
  store(64, op.address),
  hash(0, 96), // domain
  store(0, typeHash('Permit(uint256 value)')),
  store(32, argument(0)),
  hash(0, 64), // message, domain
  concatHex([push(34), op.mstore]), // domain
  concatHex([push(2), op.mstore]), // nothing: both stand behind two bytes
  concatHex([push(0x19), push(0), op.mstore8, push(0x01), push(1), op.mstore8]),
  store(0, hash(0, 66)),
  store(32, argument(32)),
  store(64, argument(64)),
  store(96, argument(96)),
  ecrecover,
  answerWord(128),
])

/**
 * `isValidSignature(bytes32 hash, bytes signature)` of ERC-1271 for one owner: its selector, left-aligned, if the owner
 * signed, else zeros. After four bytes of the selector come the hash, the offset and the length of the signature, and then r, s,
 * v.
 */
export const smartAccount = (owner: Hex): Hex =>
  concatHex([
    store(0, argument(4)),
    store(32, argument(164), push(0), op.byte),
    store(64, argument(100)),
    store(96, argument(132)),
    ecrecover,
    store(0, push(128), op.mload, push(owner), op.eq, push(`0x1626ba7e${'00'.repeat(28)}`), op.mul),
    answerWord(0),
  ])
