/** One figure set: medians over the runs, CPU time of both parties together. */
export type Row = {
  readonly suite: string
  readonly case: string
  readonly backend: string
  readonly cpuMs: number
  readonly wallMs?: number
  readonly bytes?: number
  readonly requests?: number
  /** `cpuMs` in units of one variable-base multiplication by noble in the same run. */
  readonly units?: number
}

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** Medians of `runs` runs of CPU and wall time, after one run that warms up. */
export const timed = (runs: number, work: () => void): { readonly cpuMs: number; readonly wallMs: number } => {
  work()
  const cpu: number[] = []
  const wall: number[] = []
  for (let run = 0; run < runs; run++) {
    const before = process.cpuUsage()
    const at = performance.now()
    work()
    wall.push(performance.now() - at)
    const { user, system } = process.cpuUsage(before)
    cpu.push((user + system) / 1000)
  }
  return { cpuMs: median(cpu), wallMs: median(wall) }
}

export const printRows = (rows: readonly Row[]): void => {
  const cells = rows.map((row) => [
    `${row.suite} ${row.case}`,
    row.backend,
    row.cpuMs.toFixed(2),
    row.wallMs?.toFixed(2) ?? '',
    row.units?.toFixed(1) ?? '',
    row.bytes === undefined ? '' : String(row.bytes),
    row.requests === undefined ? '' : String(row.requests),
  ])
  const table = [['case', 'backend', 'cpu ms', 'wall ms', 'units', 'bytes', 'requests'], ...cells]
  const widths = table[0]?.map((_, column) => Math.max(...table.map((line) => line[column]?.length ?? 0))) ?? []
  for (const line of table) {
    console.log(line.map((cell, column) => (column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join('  '))
  }
  console.log('\nMedians, both parties together. One unit is one variable-base multiplication by noble in this run.')
}
