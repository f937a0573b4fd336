/** Whether a write with conditions was made: `returning` answers its row, and none where a condition did not hold. */
export const happened = (row: unknown): boolean => row !== undefined
