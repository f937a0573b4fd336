/**
 * The product in Chromium, on hosts of its own, measured in its pages: how long people wait for their wallets, and what a
 * signature, a new key and a refresh take where they are computed in the page's worker, with a near and a far co-signer.
 * The page's arithmetic is the row's backend; the co-signer computes as it always does.
 */
import { obtainChromium, whyNot } from '../browser/kit/chromium.ts'
import { passwordOf, phonePasskey } from '../browser/kit/credentials.ts'
import { enterTwice } from './browser/app.ts'
import { callOften, newCustomer, type Customer, type Verb } from './browser/bare.ts'
import type { SeenCall, SeenRun } from './browser/observe.ts'
import { withStage, type Stage } from './browser/stage.ts'
import { multiplyByNoble } from './mpc.ts'
import { percentile, type Figures } from './rows.ts'

const suite = 'browser'

/** BENCH_SHARE=0.1 is a quick look, with a tenth of the runs. */
const share = Number(process.env['BENCH_SHARE'] ?? 1)
const counted = (times: number): number => Math.max(1, Math.round(times * share))

const entries = counted(5)
const signatures = counted(30)
const refreshes = counted(10)
/** People, each of whom has three wallets made: two of DKLS, one of ED25519. */
const customers = counted(5)

const signUpGoalMs = 2_000
const signGoalMs = 300

const links = { loopback: 0, '50ms': 50 } as const
type Link = keyof typeof links

const engines = ['kernel', 'noble'] as const
type EngineName = (typeof engines)[number]

const began = performance.now()
const say = (line: string): void => console.error(`${((performance.now() - began) / 1000).toFixed(0).padStart(4)} s  ${line}`)

export const browser = async (): Promise<readonly Figures[]> => {
  const executablePath = obtainChromium()
  if (executablePath === undefined) {
    console.error(whyNot)
    process.exitCode = 1
    return []
  }
  say('starting the stack and Chromium')
  return await withStage({ executablePath, roundTripMs: links['50ms'], say }, async (stage) => {
    const rows: Figures[] = []
    for (const name of ['password', 'passkey'] as const) rows.push(...(await entryRows(stage, name)))
    for (const link of ['loopback', '50ms'] as const) {
      for (const engine of engines) rows.push(...(await protocolRows(stage, engine, link)))
    }
    return [...rows, { ...multiplyByNoble(), suite }]
  })
}

/** Milliseconds, as all rows of this suite have them. */
const times = (values: readonly number[]) => ({
  p50Ms: percentile(values, 50),
  p95Ms: percentile(values, 95),
  runs: values.length,
})

const median = (values: readonly number[]): number => percentile(values, 50)

const entryRows = async (stage: Stage, name: 'password' | 'passkey'): Promise<readonly Figures[]> => {
  const seen = []
  for (let entry = 1; entry <= entries; entry++) {
    say(`sign-up and login with a ${name}, ${entry} of ${entries}`)
    const credential = name === 'password' ? passwordOf() : await phonePasskey(stage.browser)
    seen.push(await enterTwice(stage.browser, credential))
    await credential.forget()
  }
  const of = { suite, backend: 'kernel', link: 'loopback', goalMs: signUpGoalMs }
  return [
    {
      ...of,
      case: `signUp.${name}`,
      ...times(seen.map(({ signUpMs }) => signUpMs)),
      requests: median(seen.map(({ signUpRequests }) => signUpRequests)),
    },
    {
      ...of,
      case: `logIn.${name}`,
      ...times(seen.map(({ logInMs }) => logInMs)),
      requests: median(seen.map(({ logInRequests }) => logInRequests)),
    },
  ]
}

const protocolRows = async (stage: Stage, engine: EngineName, link: Link): Promise<readonly Figures[]> => {
  const way = {
    withoutKernel: engine === 'noble',
    cosigner: link === '50ms' ? stage.farCosigner : undefined,
  }
  const where = `${engine}, ${link}`
  const credential = await phonePasskey(stage.browser)
  const keygens: SeenRun[] = []
  const rows: Figures[] = []
  for (let count = 1; count <= customers; count++) {
    say(`${where}: new wallets, ${count} of ${customers}`)
    const { customer, runs } = await newCustomer(stage.browser, credential, way)
    keygens.push(...runs.filter(({ kind }) => kind === 'keygen'))
    if (count === customers) rows.push(...(await useRows(customer, engine, link)))
    await customer.context.close()
  }
  await credential.forget()
  const [first, later] = [keygens.filter(({ isFirst }) => isFirst), keygens.filter(({ isFirst }) => !isFirst)]
  return [
    ...runRows(later, 'keygen', engine, link),
    ...runRows(first, 'keygen', engine, link).map((row) => ({ ...row, case: `${row.case}.first` })),
    ...rows,
  ]
}

const useRows = async (customer: Customer, engine: EngineName, link: Link): Promise<readonly Figures[]> => {
  const rows: Figures[] = []
  const use = async (verb: Verb, kind: 'sign' | 'refresh', counts: { readonly times: number; readonly warmUp: number }) => {
    for (const [scheme, type] of [['dkls', 'EVM'], ['ed25519', 'SOLANA']] as const) {
      say(`${engine}, ${link}: ${verb} with ${scheme}, ${counts.times} times`)
      const { calls, runs } = await callOften(customer, { verb, type, ...counts })
      const goal = verb === 'signMessage' && link === 'loopback' ? { goalMs: signGoalMs } : {}
      rows.push(...runRows(runs, kind, engine, link))
      rows.push({ suite, case: `${verb}.${scheme}`, backend: engine, link, ...callFigures(calls), ...goal })
    }
  }
  await use('signMessage', 'sign', { times: signatures, warmUp: 5 })
  await use('refreshKeys', 'refresh', { times: refreshes, warmUp: 1 })
  return rows
}

const callFigures = (calls: readonly SeenCall[]) => ({
  ...times(calls.map(({ wallMs }) => wallMs)),
  bytes: median(calls.map(({ bytes }) => bytes)),
  requests: median(calls.map(({ requests }) => requests)),
})

/** Of each scheme that has such runs: what the protocol takes in the page, everything around it left out. */
const runRows = (runs: readonly SeenRun[], kind: string, engine: EngineName, link: Link): readonly Figures[] =>
  (['DKLS', 'ED25519'] as const).flatMap((scheme) => {
    const own = runs.filter((run) => run.kind === kind && run.scheme === scheme)
    const stranger = own.find((run) => run.engine !== engine)
    if (stranger !== undefined) throw new Error(`computed by ${stranger.engine}, not by ${engine}`)
    if (own.length === 0) return []
    return {
      suite,
      case: `${scheme.toLowerCase()}.${kind}`,
      backend: engine,
      link,
      ...times(own.map(({ wallMs }) => wallMs)),
      computeMs: median(own.map(({ wallMs, roundTrips }) => wallMs - roundTrips * links[link])),
      workerMs: median(own.map(({ workerMs }) => workerMs)),
      roundTrips: median(own.map(({ roundTrips }) => roundTrips)),
      bytes: median(own.map(({ bytes }) => bytes)),
      requests: median(own.map(({ roundTrips }) => roundTrips)),
    }
  })
