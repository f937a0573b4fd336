/** One figure set; what is not known of it is left out. */
export type Figures = {
  readonly suite: string
  readonly case: string
  readonly backend?: string
  /** How the page reaches the service. */
  readonly link?: string
  readonly cpuMs?: number
  readonly wallMs?: number
  readonly p50Ms?: number
  readonly p95Ms?: number
  /** Runs that were measured. */
  readonly runs?: number
  /** Median, without what the link adds to its round trips. */
  readonly computeMs?: number
  /** Median of what is computed here, the other party left out. */
  readonly workerMs?: number
  readonly roundTrips?: number
  readonly bytes?: number
  readonly requests?: number
  readonly perSecond?: number
  /** `perSecond` in that of the same without what is measured: the median over pairs that ran one after the other. */
  readonly ratio?: number
  /** 99 of 100 took at most that. */
  readonly p99Ms?: number
  /** `p99Ms` in that of the same without what is measured, as `ratio`. */
  readonly times?: number
  /** For each second that a core worked for the service's process, its database and clients left out. */
  readonly perCoreSecond?: number
  /** CPU of the service's main thread, and in units of one verification of Ed25519 by noble in the same run. */
  readonly mainMs?: number
  readonly verifications?: number
  /** The event loop of the service's main thread was late by at most that, 99 times of 100. */
  readonly loopP99Ms?: number
  /** Cores that the clients took. */
  readonly loadCores?: number
  /** Resident memory of the service's process at the end, and in that of the second minute. */
  readonly residentMiB?: number
  readonly growth?: number
  /** What is aimed at: shown, never asserted. */
  readonly goalMs?: number
  readonly budgetBytes?: number
  /** `cpuMs` in units of one variable-base multiplication by noble in the same run. */
  readonly units?: number
  /** Welch's t between two classes of secrets: over all calls, and in the round that shows the least. */
  readonly t?: number
  readonly leastT?: number
}

/** Medians over the runs, CPU time of both parties together. */
export type Row = Figures & { readonly backend: string; readonly cpuMs: number }

/** The nearest rank. */
export const percentile = (values: readonly number[], percent: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN
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

const columns: readonly (readonly [string, (row: Figures) => string])[] = [
  ['case', (row) => `${row.suite} ${row.case}`],
  ['backend', ({ backend }) => backend ?? ''],
  ['link', ({ link }) => link ?? ''],
  ['cpu ms', ({ cpuMs }) => figure(cpuMs)],
  ['wall ms', ({ wallMs }) => figure(wallMs)],
  ['p50 ms', ({ p50Ms }) => figure(p50Ms)],
  ['p95 ms', ({ p95Ms }) => figure(p95Ms)],
  ['runs', ({ runs }) => runs?.toString() ?? ''],
  ['compute ms', ({ computeMs }) => figure(computeMs)],
  ['worker ms', ({ workerMs }) => figure(workerMs)],
  ['units', ({ units }) => figure(units)],
  ['round trips', ({ roundTrips }) => roundTrips?.toString() ?? ''],
  ['bytes', ({ bytes }) => bytes?.toString() ?? ''],
  ['requests', ({ requests }) => requests?.toString() ?? ''],
  ['a second', ({ perSecond }) => figure(perSecond)],
  ['ratio', ({ ratio }) => figure(ratio)],
  ['p99 ms', ({ p99Ms }) => figure(p99Ms)],
  ['times', ({ times }) => figure(times)],
  ['a core-second', ({ perCoreSecond }) => figure(perCoreSecond)],
  ['main ms', ({ mainMs }) => figure(mainMs)],
  ['verifications', ({ verifications }) => figure(verifications)],
  ['loop p99 ms', ({ loopP99Ms }) => figure(loopP99Ms)],
  ['clients’ cores', ({ loadCores }) => figure(loadCores)],
  ['resident MiB', ({ residentMiB }) => figure(residentMiB)],
  ['growth', ({ growth }) => figure(growth)],
  ['goal ms', ({ goalMs }) => goalMs?.toString() ?? ''],
  ['budget', ({ budgetBytes }) => budgetBytes?.toString() ?? ''],
  ['t', ({ t }) => t?.toFixed(2) ?? ''],
  ['least t', ({ leastT }) => leastT?.toFixed(2) ?? ''],
]

/** What stands at the left, as words do. */
const words: readonly string[] = ['case', 'backend', 'link']

export const printRows = (rows: readonly Figures[]): void => {
  const shown = columns.filter(([, of], index) => index === 0 || rows.some((row) => of(row) !== ''))
  const table = [shown.map(([title]) => title), ...rows.map((row) => shown.map(([, of]) => of(row)))]
  const widths = shown.map((_, column) => Math.max(...table.map((line) => line[column]?.length ?? 0)))
  for (const line of table) {
    const cells = line.map((cell, column) => {
      const width = widths[column] ?? 0
      return words.includes(shown[column]?.[0] ?? '') ? cell.padEnd(width) : cell.padStart(width)
    })
    console.log(cells.join('  '))
  }
  if (rows.some(({ units }) => units !== undefined)) {
    console.log('\nMedians, both parties together. One unit is one variable-base multiplication by noble in this run.')
  }
  if (rows.some(({ p50Ms }) => p50Ms !== undefined)) {
    console.log(
      `\n${[
        'By the clock of the page, over loopback or with a longer way to the co-signer. Compute is the median without',
        'what that way adds to the round trips; worker is the page’s own part of it. Keys are made as sign-ups make',
        'them, side by side, while the worker still loads. Bytes are of bodies, both ways. The unit is measured in Node.',
      ].join('\n')}`,
    )
  }
  if (rows.some(({ loadCores }) => loadCores !== undefined)) {
    console.log(
      `\n${[
        'CPU is of the service’s process, all its threads; PostgreSQL and clients are others. Ratio: calls a second in those',
        'of a route with one named select, which ran just before. Times: p99 in that without calls that wait. A',
        'verification is one of Ed25519 by noble in this run. Growth: resident memory in that of the second minute.',
      ].join('\n')}`,
    )
  }
  if (rows.some(({ budgetBytes }) => budgetBytes !== undefined)) {
    console.log('\nBytes of downloads are minified and gzipped; React and its renderer are the app’s.')
  }
  if (rows.some(({ t }) => t !== undefined)) {
    console.log(
      `\n${[
        'A smoke test: t compares the times of a fixed secret with those of random ones, over all calls and, least, in',
        'that of four rounds which shows the least. It can show a leak, and never that there is none: where both are',
        'beyond ±4.5 in more than one run, look closer. Noble is not constant time.',
      ].join('\n')}`,
    )
  }
}
