import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Para } from '../../../adapters/browser/sdk.ts'

afterEach(() => vi.unstubAllGlobals())

describe('the SDK on a server', () => {
  it('touches neither network nor storage when it is made and its session is read', () => {
    const touched: string[] = []
    for (const name of ['fetch', 'BroadcastChannel', 'Worker', 'indexedDB', 'localStorage', 'sessionStorage']) {
      vi.stubGlobal(name, () => touched.push(name))
    }
    const listener = vi.fn()

    const para = new Para('DEV', 'a key')
    const stop = para.session.subscribe(listener)
    const first = para.session.get()

    expect(first).toEqual({ status: 'loading', wallets: [] })
    expect(para.session.get()).toBe(first)
    expect(para.session.getServer()).toBe(first)
    expect([touched, listener.mock.calls]).toEqual([[], []])
    stop()
  })

  it('reports a wrong environment at the first call, and not before', async () => {
    const para = new Para('NOWHERE', 'a key')

    await expect(para.isSessionActive()).rejects.toThrow('unsupported env')
  })

  it('lets a process end that has imported it, made one and subscribed', () => {
    const root = join(import.meta.dirname, '..', '..', '..')
    const script = `
      const { Para } = await import(${JSON.stringify(join(root, 'adapters', 'browser', 'sdk.ts'))})
      const para = new Para('DEV', 'a key')
      para.session.subscribe(() => {})
      console.log(para.session.get().status, typeof window)
    `

    const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
      timeout: 30_000,
    })

    expect([status, stdout.trim()]).toEqual([0, 'loading undefined'])
  })
})
