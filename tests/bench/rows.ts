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
  /** Welch's t between two classes of secrets. */
  readonly t?: number
}

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** Medians of `runs` runs of CPU and wall time, after three that warm up; of one of `times` calls in each run. */
export const timed = (
  runs: number,
  work: () => void,
  times = 1,
): { readonly cpuMs: number; readonly wallMs: number } => {
  const repeated = () => {
    for (let time = 0; time < times; time++) work()
  }
  for (let run = 0; run < 3; run++) repeated()
  const cpu: number[] = []
  const wall: number[] = []
  for (let run = 0; run < runs; run++) {
    const before = process.cpuUsage()
    const at = performance.now()
    repeated()
    wall.push((performance.now() - at) / times)
    const { user, system } = process.cpuUsage(before)
    cpu.push((user + system) / 1000 / times)
  }
  return { cpuMs: median(cpu), wallMs: median(wall) }
}

const figure = (value: number | undefined): string =>
  value === undefined ? '' : value < 0.1 ? value.toFixed(4) : value.toFixed(2)

const columns: readonly (readonly [string, (row: Row) => string])[] = [
  ['case', (row) => `${row.suite} ${row.case}`],
  ['backend', ({ backend }) => backend],
  ['cpu ms', ({ cpuMs }) => figure(cpuMs)],
  ['wall ms', ({ wallMs }) => figure(wallMs)],
  ['units', ({ units }) => figure(units)],
  ['bytes', ({ bytes }) => bytes?.toString() ?? ''],
  ['requests', ({ requests }) => requests?.toString() ?? ''],
  ['t', ({ t }) => t?.toFixed(2) ?? ''],
]

export const printRows = (rows: readonly Row[]): void => {
  const shown = columns.filter(([, of], index) => index < 2 || rows.some((row) => of(row) !== ''))
  const table = [shown.map(([title]) => title), ...rows.map((row) => shown.map(([, of]) => of(row)))]
  const widths = shown.map((_, column) => Math.max(...table.map((line) => line[column]?.length ?? 0)))
  for (const line of table) {
    const cells = line.map((cell, column) => {
      const width = widths[column] ?? 0
      return column < 2 ? cell.padEnd(width) : cell.padStart(width)
    })
    console.log(cells.join('  '))
  }
  if (rows.some(({ units }) => units !== undefined)) {
    console.log('\nMedians, both parties together. One unit is one variable-base multiplication by noble in this run.')
  }
  if (rows.some(({ t }) => t !== undefined)) {
    console.log('\nt compares a fixed secret with random ones: a smoke test. Beyond ±4.5 in every run, look closer.')
  }
}
