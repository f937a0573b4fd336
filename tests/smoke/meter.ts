/** What each step took: time, requests of all who took part, and the bytes of their bodies both ways. */
type Step = {
  readonly name: string
  readonly ms: number
  readonly requests: number
  readonly bytes: number
  note?: string
}

export const meter = () => {
  const steps: Step[] = []
  let requests = 0
  let bytes = 0

  const plain = globalThis.fetch
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    requests += 1
    bytes += (await request.clone().arrayBuffer()).byteLength
    const response = await plain(request)
    bytes += (await response.clone().arrayBuffer()).byteLength
    return response
  }

  return {
    /** Runs a step and keeps its figures. A step that fails says which one it was. */
    measure: async <A>(name: string, step: () => Promise<A>): Promise<A> => {
      const before = { requests, bytes, at: performance.now() }
      process.stdout.write(`${name} … `)
      try {
        const result = await step()
        const ms = performance.now() - before.at
        steps.push({ name, ms, requests: requests - before.requests, bytes: bytes - before.bytes })
        console.log(`${ms.toFixed(0)} ms`)
        return result
      } catch (error) {
        console.log('failed')
        console.error(error instanceof Error ? `${error.name}: ${error.message}` : error)
        return process.exit(1)
      }
    },
    note: (text: string) => {
      const last = steps.at(-1)
      if (last !== undefined) last.note = text
    },
    print: () => {
      const width = Math.max(...steps.map(({ name }) => name.length))
      const row = (name: string, ms: string, count: string, size: string, note: string) =>
        `${name.padEnd(width)}  ${ms.padStart(7)}  ${count.padStart(8)}  ${size.padStart(9)}  ${note}`
      console.log(`\n${row('step', 'ms', 'requests', 'bytes', '')}`)
      for (const step of steps) {
        console.log(row(step.name, step.ms.toFixed(0), String(step.requests), String(step.bytes), step.note ?? ''))
      }
    },
  }
}
