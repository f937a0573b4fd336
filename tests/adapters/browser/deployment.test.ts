import * as Effect from 'effect/Effect'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Deployment } from '../../../adapters/browser/deployment.ts'
import { developmentHosts } from '../../../domain/model/Environment.ts'

const deployment: Deployment = {
  environment: 'DEV',
  hosts: developmentHosts,
  operator: { name: 'Corner Bank', logo: null },
}

/** The module as a page loads it, and the listener's answers in their order; the last one stays. */
const loadPage = async (...answers: readonly (() => Promise<Response>)[]) => {
  const asked: unknown[] = []
  const left = [...answers]
  vi.stubGlobal('fetch', (address: unknown) => {
    asked.push(address)
    return (left.length > 1 ? left.shift() : left[0])?.()
  })
  return { asked, ...(await import('../../../adapters/browser/deployment.ts')) }
}

const served = async () => Response.json(deployment)
const refused = async () => new Response('', { status: 503 })
const offline = () => Promise.reject(new TypeError('Failed to fetch'))

describe('the deployment of a page', () => {
  beforeEach(() => vi.resetModules())
  afterEach(() => vi.unstubAllGlobals())

  it('is asked for once, however many parts of the page read it', async () => {
    const { asked, readDeployment, readOperator } = await loadPage(served)

    const together = await Promise.all([Effect.runPromise(readDeployment), readOperator()])
    const later = await Effect.runPromise(readDeployment)

    expect(together).toEqual([deployment, deployment.operator])
    expect(later).toEqual(deployment)
    expect(asked).toEqual(['/config.json'])
  })

  it('is asked for again after a failure', async () => {
    const { asked, readDeployment, readOperator } = await loadPage(offline, refused, served)

    expect(await Effect.runPromise(Effect.flip(readDeployment))).toMatchObject({ message: 'Connection error' })
    expect(await readOperator()).toBeUndefined()
    expect(await Effect.runPromise(readDeployment)).toEqual(deployment)
    expect(asked).toHaveLength(3)
  })
})
