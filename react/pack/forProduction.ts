import type { InlineConfig } from 'vite'

/** A build for production that takes no settings and no files but those that it names. */
export const productionBuild = {
  configFile: false,
  envDir: false,
  publicDir: false,
  mode: 'production',
  logLevel: 'error',
} as const satisfies InlineConfig

/** Where NODE_ENV says otherwise, Vite compiles JSX to calls that a production build of React does not have. */
export const forProduction = async <A>(work: () => Promise<A>): Promise<A> => {
  const environment = process.env['NODE_ENV']
  process.env['NODE_ENV'] = 'production'
  try {
    return await work()
  } finally {
    if (environment === undefined) delete process.env['NODE_ENV']
    else process.env['NODE_ENV'] = environment
  }
}

/** As `Promise.all`, but a failure waits for the others: they are for production to their end, too. */
export const allForProduction = <A>(works: readonly (() => Promise<A>)[]): Promise<readonly A[]> =>
  forProduction(async () => {
    const ended = await Promise.allSettled(works.map((work) => work()))
    return ended.map((one) => {
      if (one.status === 'rejected') throw one.reason
      return one.value
    })
  })
