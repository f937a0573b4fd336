/**
 * The product in Chromium, on hosts of its own, measured in its pages: how long people wait for their wallets, and what
 * a signature, a new key and a refresh take where they are computed in the page's worker, with a near and a far
 * co-signer. The page's arithmetic is the row's backend; the co-signer computes as it always does.
 */
import { obtainChromium, whyNot } from '../browser/kit/chromium.ts'
import { passwordOf, phonePasskey } from '../browser/kit/credentials.ts'
import { enterTwice, type SeenEntry } from './browser/app.ts'
import { callOften, newCustomer, type Customer } from './browser/bare.ts'
import type { SeenCall, SeenRun } from './browser/observe.ts'
import { withStage, type Stage } from './browser/stage.ts'
import { multiplyByNoble } from './mpc.ts'
import { median, percentile, type Figures } from './rows.ts'

const suite = 'browser'

/** BENCH_SHARE=0.1 is a quick look, with a tenth of the runs. */
const share = Number(process.env['BENCH_SHARE'] ?? 1)
const runsOf = (times: number): number => Math.max(1, Math.round(times * share))

const entries = runsOf(5)
const signatures = runsOf(40)
const refreshes = runsOf(10)
/** People, each of whom has three wallets made: two of DKLS, one of ED25519. */
const customers = runsOf(6)

const signUpGoalMs = 2_000
const signGoalMs = 300

/** What a way to the co-signer adds to a round trip. */
const links = { loopback: 0, '50ms': 50 } as const

type Setting = { readonly backend: 'kernel' | 'noble'; readonly link: keyof typeof links }

const settings: readonly Setting[] = [
  { backend: 'kernel', link: 'loopback' },
  { backend: 'noble', link: 'loopback' },
  { backend: 'kernel', link: '50ms' },
  { backend: 'noble', link: '50ms' },
]

const began = performance.now()
const say = (line: string): void => {
  const seconds = ((performance.now() - began) / 1000).toFixed(0)
  console.error(`${seconds.padStart(4)} s  ${line}`)
}

const tell = ({ case: name, backend = '', link = '', p50Ms = 0, p95Ms = 0 }: Figures): void =>
  say(`${name} (${backend}, ${link}): p50 ${p50Ms.toFixed(0)} ms, p95 ${p95Ms.toFixed(0)} ms`)

export const browser = async (): Promise<readonly Figures[]> => {
  const executablePath = obtainChromium()
  if (executablePath === undefined) {
    console.error(whyNot)
    process.exitCode = 1
    return []
  }
  say('starting a stack and Chromium')
  return await withStage({ executablePath, roundTripMs: links['50ms'], say }, async (stage) => {
    const password = await entry(stage, 'password')
    const passkey = await entry(stage, 'passkey')
    const rows: Figures[] = [...password.rows, ...passkey.rows]
    for (const row of rows) tell(row)
    for (const setting of settings) {
      const isOfApp = setting.backend === 'kernel' && setting.link === 'loopback'
      const found = await protocolRows(stage, setting, isOfApp ? [...password.runs, ...passkey.runs] : [])
      for (const row of found) tell(row)
      rows.push(...found)
    }
    return [...rows, { ...multiplyByNoble(), suite }]
  })
}

/** A run that fails is told, and left out of the figures. */
const orNothing = async <A>(run: Promise<A>): Promise<readonly A[]> => {
  try {
    return [await run]
  } catch (error) {
    say(`left out: ${error instanceof Error ? error.message : String(error)}`)
    return []
  }
}

const times = (values: readonly number[]) => ({
  p50Ms: percentile(values, 50),
  p95Ms: percentile(values, 95),
  runs: values.length,
})

/** The app with one kind of credential; `runs` are the keys that were made. */
const entry = async (
  stage: Stage,
  kind: 'password' | 'passkey',
): Promise<{ readonly rows: readonly Figures[]; readonly runs: readonly SeenRun[] }> => {
  const seen: SeenEntry[] = []
  for (let run = 1; run <= entries; run++) {
    say(`sign-up and login with a ${kind}, ${run} of ${entries}`)
    const credential = kind === 'password' ? passwordOf() : await phonePasskey(stage.browser)
    seen.push(...(await orNothing(enterTwice(stage.browser, credential))))
    await credential.forget()
  }
  const rowOf = (name: 'signUp' | 'logIn'): Figures => ({
    suite,
    case: `${name}.${kind}`,
    backend: 'kernel',
    link: 'loopback',
    ...times(seen.map((one) => one[name].ms)),
    requests: median(seen.map((one) => one[name].requests)),
    goalMs: signUpGoalMs,
  })
  return { rows: seen.length === 0 ? [] : [rowOf('signUp'), rowOf('logIn')], runs: seen.flatMap(({ runs }) => runs) }
}

/** New people and their keys, beside those that are known already; the first of them signs and refreshes. */
const protocolRows = async (stage: Stage, setting: Setting, known: readonly SeenRun[]): Promise<readonly Figures[]> => {
  const way = {
    withoutKernel: setting.backend === 'noble',
    cosigner: setting.link === '50ms' ? stage.farCosigner : undefined,
  }
  const credential = await phonePasskey(stage.browser)
  const made = [...known]
  const rows: Figures[] = []
  for (let run = 1; run <= customers; run++) {
    say(`${setting.backend}, ${setting.link}: new wallets, ${run} of ${customers}`)
    for (const { customer, runs } of await orNothing(newCustomer(stage.browser, credential, way))) {
      made.push(...runs)
      if (rows.length === 0) rows.push(...(await useRows(customer, setting)))
      await customer.context.close()
    }
  }
  await credential.forget()
  return [...runRows(made, 'keygen', setting), ...rows]
}

const uses = [
  { verb: 'signMessage', kind: 'sign', times: signatures, warmUp: 5 },
  { verb: 'refreshKeys', kind: 'refresh', times: refreshes, warmUp: 1 },
] as const

const useRows = async (customer: Customer, setting: Setting): Promise<readonly Figures[]> => {
  const rows: Figures[] = []
  for (const { kind, ...use } of uses) {
    for (const [scheme, type] of [
      ['dkls', 'EVM'],
      ['ed25519', 'SOLANA'],
    ] as const) {
      say(`${setting.backend}, ${setting.link}: ${use.verb} with ${scheme}, ${use.times} times`)
      const { calls, runs } = await callOften(customer, { type, ...use })
      rows.push(...runRows(runs, kind, setting))
      rows.push({
        suite,
        case: `${use.verb}.${scheme}`,
        ...setting,
        ...callFigures(calls),
        ...(kind === 'sign' ? { goalMs: signGoalMs } : {}),
      })
    }
  }
  return rows
}

const callFigures = (calls: readonly SeenCall[]) => ({
  ...times(calls.map(({ wallMs }) => wallMs)),
  bytes: median(calls.map(({ bytes }) => bytes)),
  requests: median(calls.map(({ requests }) => requests)),
})

/** Of each scheme that has such runs: what the protocol takes in the page, everything around it left out. */
const runRows = (runs: readonly SeenRun[], kind: SeenRun['kind'], setting: Setting): readonly Figures[] =>
  (['DKLS', 'ED25519'] as const).flatMap((scheme) => {
    const own = runs.filter((run) => run.kind === kind && run.scheme === scheme)
    const other = own.find(({ engine }) => engine !== setting.backend)
    if (other !== undefined) throw new Error(`${other.engine} has computed what ${setting.backend} was asked for`)
    if (own.length === 0) return []
    const roundTrips = median(own.map((run) => run.roundTrips))
    const wall = times(own.map(({ wallMs }) => wallMs))
    return {
      suite,
      case: `${scheme.toLowerCase()}.${kind}`,
      ...setting,
      ...wall,
      computeMs: wall.p50Ms - roundTrips * links[setting.link],
      workerMs: median(own.map(({ workerMs }) => workerMs)),
      roundTrips,
      bytes: median(own.map(({ bytes }) => bytes)),
      requests: roundTrips,
    }
  })
