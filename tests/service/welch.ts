/** Whether two ways to ask take a different time: Welch's t, as dudect does it for code on secrets. */

/** Above it in either direction times are apart: by chance once in 150,000 comparisons. */
export const apart = 4.5

/**
 * Without what is slower than nine tenths of both together: pauses of the machine hide a difference, and come to both.
 */
export const timeApart = (one: readonly number[], other: readonly number[]): number => {
  const all = [...one, ...other].sort((a, b) => a - b)
  const slowest = all[Math.floor(all.length * 0.9)] ?? Infinity
  return welch(
    one.filter((ms) => ms < slowest),
    other.filter((ms) => ms < slowest),
  )
}

const welch = (one: readonly number[], other: readonly number[]): number => {
  const [a, b] = [momentsOf(one), momentsOf(other)]
  return (a.mean - b.mean) / Math.sqrt(a.variance / one.length + b.variance / other.length)
}

const momentsOf = (values: readonly number[]) => {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1)
  return { mean, variance }
}
