import { describe, expect, it } from 'vitest'
import { accountSetup } from '../../domain/model/Events.ts'
import { makeModalStore } from '../../react/ModalStore.ts'
import { provide } from '../../react/Provided.ts'
import { fakeClient, pending } from './fakeClient.ts'

const settings = { environment: 'DEV', apiKey: 'key' }
/** A turn of the event loop, after which all microtasks are done. */
const later = () => new Promise((resolve) => setImmediate(resolve))

describe('a provider', () => {
  it('makes the SDK with its first use, and once', () => {
    const provided = provide(settings)

    expect(provided.client()).toBe(provided.client())
    expect(provided.client().session.get().status).toBe('loading')
  })

  it('keeps the SDK when it is released and held again at once, as StrictMode does', async () => {
    const client = fakeClient()
    const provided = provide({ ...settings, client })

    provided.hold()()
    const release = provided.hold()
    await later()

    expect([client.disposals(), client.subscribers()]).toEqual([0, 1])
    release()
    await later()
    expect([client.disposals(), client.subscribers()]).toEqual([1, 0])
  })

  it('names the portal by its host', () => {
    expect(provide(settings).portalHost).toBe('localhost:3003')
    const hosts = { portal: 'https://portal.example.com' }
    expect(provide({ ...settings, hosts }).portalHost).toBe('portal.example.com')
    expect(provide({ ...settings, environment: 'PROD', hosts }).portalHost).toBe('portal.example.com')
  })

  it('names no host of this machine outside of DEV', () => {
    expect(provide(settings).recoverUrl('')).toBe('http://localhost:3008/recover?apiKey=key')
    const elsewhere = provide({ ...settings, environment: 'PROD', hosts: { api: 'https://api.example.com' } })
    expect([elsewhere.portalHost, elsewhere.recoverUrl('')]).toEqual(['', '/recover?apiKey=key'])
  })

  it('opens the modal for a recovery secret that no hook returns', () => {
    const client = fakeClient()
    const provided = provide({ ...settings, client })
    provided.hold()

    client.emit(accountSetup, { walletIds: [], recoverySecret: null })
    expect(provided.modal.get()).toEqual({ status: 'closed', recoverySecret: undefined })
    client.emit(accountSetup, { walletIds: [], recoverySecret: 'secret' })
    expect(provided.modal.get()).toEqual({ status: 'loading', recoverySecret: 'secret' })
  })

  it('leaves a recovery secret to the hook that gets it as its result', async () => {
    const client = fakeClient()
    const provided = provide({ ...settings, client })
    provided.hold()

    await provided.withSecretShown(async () => client.emit(accountSetup, { walletIds: [], recoverySecret: 'secret' }))

    expect(provided.modal.get().recoverySecret).toBeUndefined()
  })
})

describe('the modal’s store', () => {
  const drawn = () => 'the modal'

  it('loads its code with the first opening and not again', async () => {
    let loads = 0
    const store = makeModalStore(async () => {
      loads += 1
      return drawn
    })

    expect(loads).toBe(0)
    store.open()
    store.open()
    expect(store.get().status).toBe('loading')
    await later()
    expect([store.get().status, store.draw(), loads]).toEqual(['open', 'the modal', 1])
    store.close()
    store.open()
    expect([store.get().status, loads]).toEqual(['open', 1])
  })

  it('says that its code could not be loaded, and tries again with the next opening', async () => {
    const answers = [Promise.reject(new Error('offline')), Promise.resolve(drawn)]
    const store = makeModalStore(() => answers.shift()!)

    store.open()
    await later()
    expect(store.get().status).toBe('failed')
    store.open()
    await later()
    expect(store.get().status).toBe('open')
  })

  it('stays closed when it was closed before its code came', async () => {
    const code = pending<typeof drawn>()
    const store = makeModalStore(() => code.promise)

    store.open()
    store.close()
    code.resolve(drawn)
    await later()

    expect(store.get().status).toBe('closed')
  })
})
