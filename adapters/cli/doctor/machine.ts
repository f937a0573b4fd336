/** D04 to D08: what this machine runs and serves. */
import { createServer } from 'node:net'
import { addressOf } from '../../service/addressOf.ts'
import type { Configuration } from '../../service/config.ts'
import { requireKernel } from '../../service/cosigner/kernel.ts'
import { isOfPages, partsOf, requireBuilt } from '../../service/pages/BuiltPages.ts'
import { StartRefusal } from '../../service/StartRefusal.ts'
import { answerWithinMs, type Fault } from './Check.ts'

const oldestNode = 24

/** Others in tests. */
type Machine = { readonly nodeVersion: string; readonly kernelFile: URL | undefined }

export const checkMachine = async (
  configuration: Configuration,
  { nodeVersion, kernelFile }: Machine = { nodeVersion: process.versions.node, kernelFile: undefined },
): Promise<readonly Fault[]> => {
  const { environment, roles, pagesFolder, listeners } = configuration
  const faults: Fault[] = []
  if (Number.parseInt(nodeVersion) < oldestNode) {
    const sentence = `Node ${nodeVersion} is older than the one that this version is tested on.`
    faults.push({ code: 'D04', sentence, fix: `Install Node ${oldestNode}, or start by npm run, which brings it.` })
  }
  const build = 'npm run build:pages'
  const kernel = await refusalOf(() => requireKernel(environment, kernelFile))
  if (roles.includes('cosigner') && kernel !== undefined) faults.push({ code: 'D05', sentence: kernel, fix: build })
  for (const name of roles.filter(isOfPages).flatMap((role) => partsOf[role])) {
    const problem = await refusalOf(() => requireBuilt(pagesFolder, name))
    if (problem !== undefined) faults.push({ code: 'D06', sentence: problem, fix: build })
  }
  if (!(await isRunning(configuration))) {
    for (const role of roles) {
      const { host, port } = listeners[role]
      if (port !== 0 && !(await isFree(host, port))) {
        const sentence = `Port ${port}, on which the role ${role} listens, is taken by another process.`
        faults.push({ code: 'D07', sentence, fix: `Stop that process, or set ${role.toUpperCase()}_LISTEN.` })
      }
    }
  }
  const { host } = listeners.admin
  if (environment !== 'DEV' && roles.includes('admin') && !isLoopback(host)) {
    const sentence = `The admin listener is reached from other machines at ${host}, and has no login.`
    faults.push({ code: 'D08', sentence, fix: 'ADMIN_LISTEN=127.0.0.1:8081, and ask it from this machine.' })
  }
  return faults
}

const refusalOf = async (require: () => unknown): Promise<string | undefined> => {
  try {
    await require()
    return undefined
  } catch (cause) {
    if (cause instanceof StartRefusal) return cause.message
    throw cause
  }
}

/** Ports that the service itself has are not taken by another. */
export const isRunning = ({ listeners: { admin } }: Configuration): Promise<boolean> =>
  fetch(`${addressOf(admin)}/health/live`, { signal: AbortSignal.timeout(answerWithinMs) }).then(
    async (answer) => (await answer.text()).includes('"live"'),
    () => false,
  )

const isFree = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(true)))
  })

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.')
