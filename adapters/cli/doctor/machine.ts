/** D04 to D08: what this machine runs and serves. */
import { createServer } from 'node:net'
import { addressOf } from '../../service/addressOf.ts'
import * as Header from '../../../domain/model/Header.ts'
import type { Configuration, Listener, Role } from '../../service/config.ts'
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
  for (const role of roles) {
    const { host, port } = listeners[role]
    if (port === 0 || (await isFree(host, port)) || (await answersAs(role, listeners[role]))) continue
    const sentence = `Port ${port}, on which the role ${role} listens, is taken, and nothing of this service answers there.`
    faults.push({
      code: 'D07',
      sentence,
      fix: `See whose port it is: stop that process, or set ${role.toUpperCase()}_LISTEN.`,
    })
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

/** Whether a process of the service runs on this machine, be it for one role. */
export const isRunning = async ({ roles, listeners }: Configuration): Promise<boolean> => {
  const answering = [...new Set([...roles, 'admin' as const])].map((role) => answersAs(role, listeners[role]))
  return (await Promise.all(answering)).some(Boolean)
}

/** Whether it is a listener of ours: each role answers something that no other program does. */
const answersAs = async (role: Role, listener: Listener): Promise<boolean> => {
  const signal = AbortSignal.timeout(answerWithinMs)
  try {
    const answer = await fetch(`${addressOf(listener)}${toldBy[role].path}`, { signal })
    return toldBy[role].isOurs(answer, await answer.text())
  } catch {
    return false
  }
}

type ToldBy = { readonly path: string; readonly isOurs: (answer: Response, text: string) => boolean }

const byRefusal: ToldBy = { path: '/doctor', isOurs: ({ headers }) => headers.get(Header.errorCode) === 'NotFound' }
const byConfig: ToldBy = { path: '/config.json', isOurs: (_, text) => text.includes('"hosts"') }
const toldBy: { readonly [R in Role]: ToldBy } = {
  api: byRefusal,
  cosigner: byRefusal,
  portal: byConfig,
  connect: byConfig,
  admin: { path: '/health/live', isOurs: (_, text) => text.includes('"live"') },
}

const isFree = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(true)))
  })

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.')
