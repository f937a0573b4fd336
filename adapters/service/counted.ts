/** `1 record`, `2 records`: of words whose plural has an s. */
export const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`
