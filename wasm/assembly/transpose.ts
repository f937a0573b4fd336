/** The bits of rows as columns, 16 rows by 8 columns at a time: the top bits of 16 bytes are one half-column. */
import { rowLength } from './galois'

const rowCount: usize = 128
const columnCount: usize = 416
const columnLength: usize = rowCount / 8

/** Byte `at` of 16 rows. */
@inline
function bytesOf(row: usize): v128 {
  let bytes = v128.load8_splat(row)
  bytes = v128.load8_lane(row, bytes, 1, rowLength)
  bytes = v128.load8_lane(row, bytes, 2, 2 * rowLength)
  bytes = v128.load8_lane(row, bytes, 3, 3 * rowLength)
  bytes = v128.load8_lane(row, bytes, 4, 4 * rowLength)
  bytes = v128.load8_lane(row, bytes, 5, 5 * rowLength)
  bytes = v128.load8_lane(row, bytes, 6, 6 * rowLength)
  bytes = v128.load8_lane(row, bytes, 7, 7 * rowLength)
  bytes = v128.load8_lane(row, bytes, 8, 8 * rowLength)
  bytes = v128.load8_lane(row, bytes, 9, 9 * rowLength)
  bytes = v128.load8_lane(row, bytes, 10, 10 * rowLength)
  bytes = v128.load8_lane(row, bytes, 11, 11 * rowLength)
  bytes = v128.load8_lane(row, bytes, 12, 12 * rowLength)
  bytes = v128.load8_lane(row, bytes, 13, 13 * rowLength)
  bytes = v128.load8_lane(row, bytes, 14, 14 * rowLength)
  return v128.load8_lane(row, bytes, 15, 15 * rowLength)
}

/** κ rows to ξ columns of κ bits; the mask block of a row has no column. */
export function transpose(columns: usize, rows: usize): void {
  for (let group: usize = 0; group < rowCount / 16; group++) {
    for (let byte: usize = 0; byte < columnCount / 8; byte++) {
      let bytes = bytesOf(rows + 16 * group * rowLength + byte)
      const column = columns + 8 * byte * columnLength + 2 * group
      for (let at = column + 7 * columnLength; at >= column; at -= columnLength) {
        store<u16>(at, <u16>i8x16.bitmask(bytes))
        bytes = i8x16.add(bytes, bytes)
      }
    }
  }
}
