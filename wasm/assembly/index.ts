/** The kernel's exports. Addresses are of the arena, through which bytes go in and out (memory.ts). */
export { reserve, wipe } from './memory'
export {
  isSignature,
  pointsAdd,
  pointsAreValid,
  pointsMultiply,
  pointsMultiplyBase,
  transferChoose,
  transferKeys,
} from './curve'
export { scalarIsHigh } from './scalarInvert'
export {
  scalarsAdd,
  scalarsAreCanonical,
  scalarsInvert,
  scalarsMultiply,
  scalarsReduce,
  scalarsSubtract,
} from './scalars'
export { blake3 } from './blake3'
export { sha256 } from './sha256'
export { chacha20 } from './chacha20'
export { hashRows } from './galois'
export { transpose } from './transpose'
export { expandRows, extensionReceive, extensionSend } from './extension'
export {
  multiplicationChoice,
  multiplicationGadget,
  multiplicationReceive,
  multiplicationSend,
  pads,
} from './multiplication'
export {
  edHolds,
  edMultiplyBase,
  edPointsAdd,
  edPointsAddMultiple,
  edPointsAreValid,
  edScalarPositive,
  edScalarsAdd,
  edScalarsAreCanonical,
  edScalarsMultiply,
  edScalarsReduce,
  edScalarsSubtract,
} from './edCurve'
export { x25519 } from './x25519'
// What the tests compare with noble piece by piece.
export { edFieldLoad, edFieldMultiply, edFieldSquare, edFieldStore } from './edField'
export { edFieldInvert, edFieldRoot } from './edPower'
export {
  fieldAddTriple,
  fieldCarry,
  fieldCross,
  fieldCrossSquare,
  fieldMultiply,
  fieldMultiplyPlus,
  fieldProducts,
  fieldProductsDifference,
  fieldScale,
  fieldSquare,
  fieldSquares,
} from './field'
export { fieldIsZero, fieldLoad, fieldStore } from './fieldBytes'
export { fieldInvert, fieldRoot } from './fieldPower'
export { scalarLoad, scalarStore, wideAdd, wideAddProduct, wideReduce } from './scalar'
