/**
 * New shares for a key that stays: devices that run the public SDK against a whole service on either database, with a proxy
 * in between that drops the requests it is told to drop.
 */
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { verifyMessage } from 'viem/utils'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as Frame from '../../domain/mpc/Frame.ts'
import type { SigningRequest } from '../../domain/mpc/SigningRequest.ts'
import { refreshLimits } from '../../domain/service/Refresh.ts'
import { runLimits } from '../../domain/service/Run.ts'
import { onUsualDatabase } from '../kit/database.ts'
import type { Meddle } from '../kit/device.ts'
import { casesOf } from '../kit/long.ts'
import { startService, type TestService } from '../kit/service.ts'
import { verifyCosmos, verifySolana } from '../smoke/verify.ts'
import { Device, logIn, signUp, type BrowserStorage, type Person } from './people.ts'
import { passOn, sentence, startProxy, type Handle, type Proxy } from './proxy.ts'
import { rowsOf, storedState } from './rows.ts'
import { heldBy, type Held } from './wire.ts'

const message = 'with new shares'
const hello: SigningRequest = { kind: 'eip191', message: bytesToHex(utf8ToBytes('hello')) }
const outOfDate = 'key share is out of date, log in again'

const operationOf = (body: Uint8Array): string => {
  const frame = Frame.decode(body)?.frame
  return frame === undefined ? '' : `${frame.operation} ${frame.step}`
}

onUsualDatabase((makeDatabase, database) => {
  let service: TestService
  let toCosigner: Proxy
  let toApi: Proxy
  let ada: Person
  let evm: string
  /** Of the same type. */
  let secondEvm: string
  let solana: string
  let cosmos: string
  let addresses: Readonly<Record<string, string | null | undefined>>

  const deviceOn = (storage: BrowserStorage, password = ada.password) =>
    new Device({
      apiKey: service.partner.apiKey,
      addresses: { ...service.addresses, api: toApi.address, cosigner: toCosigner.address },
      password,
      storage,
    })

  beforeAll(async () => {
    service = await startService({ database: makeDatabase() })
    toCosigner = await startProxy(service.addresses.cosigner)
    toApi = await startProxy(service.addresses.api)
    const through = { ...service.addresses, api: toApi.address, cosigner: toCosigner.address }
    ada = await signUp(service, { addresses: through, types: { EVM: true, SOLANA: true, COSMOS: true } })
    const firsts = await ada.device.getWallets()
    const idOf = (type: string) => firsts.find((wallet) => wallet.type === type)?.id ?? ''
    secondEvm = (await ada.device.createWallet({ type: 'EVM' })).walletId
    const wallets = await ada.device.getWallets()
    ;[evm, solana, cosmos] = [idOf('EVM'), idOf('SOLANA'), idOf('COSMOS')]
    addresses = Object.fromEntries(wallets.map(({ id, address }) => [id, address]))
  })

  beforeEach(() => {
    toCosigner.handle = passOn
    toApi.handle = passOn
  })

  afterAll(async () => {
    await toCosigner.stop()
    await toApi.stop()
    await service.stop()
  })

  const expectSignature = async (device: Device, walletId: string) => {
    const signed = await device.signMessage({ walletId, message })
    expect(signed.address).toBe(addresses[walletId])
    if (walletId === solana) {
      expect(Object.values(await verifySolana(signed, message))).toEqual([true, true])
    } else if (walletId === cosmos) {
      const publicKey = (await device.getWallets()).find(({ id }) => id === cosmos)?.publicKey ?? ''
      expect(Object.values(await verifyCosmos(signed, message, publicKey))).toEqual([true, true])
    } else {
      const { address, ethereumSignature: signature = '0x' } = signed
      expect(await verifyMessage({ address: address as `0x${string}`, message, signature })).toBe(true)
    }
  }

  const rowsOfWallet = async (table: string, walletId: string) =>
    ((await rowsOf(service))[table] ?? []).filter(({ wallet_id, id }) => (wallet_id ?? id) === walletId)

  const epochOf = async (walletId: string) => {
    const wallet = ((await rowsOf(service))['wallets'] ?? []).find(({ id }) => id === walletId)
    return Number(wallet?.['epoch'])
  }

  it.each(['EVM', 'second EVM', 'SOLANA', 'COSMOS'])(
    'gives a wallet of %s new shares; the address stays and the wallet signs',
    async (type) => {
      const walletId = { EVM: evm, 'second EVM': secondEvm, SOLANA: solana, COSMOS: cosmos }[type] ?? ''
      const [before] = await rowsOfWallet('provider_shares', walletId)

      await ada.device.refreshKeys({ walletId: walletId })

      await expectSignature(ada.device, walletId)
      const shares = await rowsOfWallet('provider_shares', walletId)
      expect(shares).toMatchObject([{ epoch: 2 }])
      expect(shares[0]?.['share_id']).not.toBe(before?.['share_id'])
      const backups = await rowsOfWallet('key_shares', walletId)
      expect(new Set(backups.map(({ share_id }) => share_id))).toEqual(new Set([shares[0]?.['share_id']]))
      expect(backups.map(({ encryptor }) => encryptor).sort()).toEqual(['PASSWORD', 'RECOVERY'])
      expect(await rowsOfWallet('refreshes', walletId)).toMatchObject([{ state: 'ACKNOWLEDGED' }])
    },
  )

  it('another device’s share is out of date; a login delivers the new one', async () => {
    const phone = await logIn(service, ada)
    await expectSignature(phone, evm)

    await ada.device.refreshKeys({ walletId: evm })

    await expect(phone.signMessage({ walletId: evm, message })).rejects.toMatchObject({
      status: 409,
      message: outOfDate,
    })
    expect(phone.session.get().status).toBe('locked')
    expect([await phone.isSessionActive(), phone.session.get().status]).toEqual([true, 'locked'])
    await phone.login({ email: ada.email })
    expect(phone.session.get().status).toBe('ready')
    await expectSignature(phone, evm)
    await phone.logout()
    await phone.login({ email: ada.email })
    for (const walletId of [evm, secondEvm, cosmos]) await expectSignature(phone, walletId)
    await expectSignature(ada.device, evm)
  })

  it('a device whose share is out of date does not block others with its own try', async () => {
    const phone = await logIn(service, ada)
    await ada.device.refreshKeys({ walletId: solana })

    await expect(phone.refreshKeys({ walletId: solana })).rejects.toMatchObject({ status: 409, message: outOfDate })

    await ada.device.refreshKeys({ walletId: solana })
    await expectSignature(ada.device, solana)
  })

  it('ten refreshes one after the other', async () => {
    const before = await epochOf(solana)
    for (let count = 0; count < 10; count++) await ada.device.refreshKeys({ walletId: solana })

    expect(await epochOf(solana)).toBe(before + 10)
    await expectSignature(ada.device, solana)
  })

  describe('does not commit', () => {
    it('while a credential or recovery key would have no backup', async () => {
      const before = await epochOf(solana)
      toApi.handle = (request, pass) =>
        request.method === 'POST' && request.target.endsWith('/key-shares')
          ? Promise.resolve({ status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from('{}') })
          : pass()

      await expect(ada.device.refreshKeys({ walletId: solana })).rejects.toMatchObject({
        status: 409,
        message: 'key share backups are missing',
      })

      toApi.handle = passOn
      expect(await epochOf(solana)).toBe(before)
      await expectSignature(ada.device, solana)
    })

    it('and the attempt that waits is finished when the page is loaded again', async () => {
      const before = await epochOf(solana)
      await deviceOn(ada.device.storage).refreshKeys({ walletId: solana })

      expect(await epochOf(solana)).toBeGreaterThan(before)
      await expectSignature(ada.device, solana)
    })
  })

  describe('a connection that stays broken', () => {
    const frames = ['REFRESH 1', 'REFRESH 2', 'REFRESH 3', 'CONFIRM 4', 'SIGN 1', 'ACK 1']
    const chosen = casesOf(frames, (frame) => ['REFRESH 2', 'CONFIRM 4', 'ACK 1'].includes(frame))
    // The client's state is the same on either database; each loses every frame in one of the two ways.
    const when = database === 'PGlite' ? 'before it arrives' : 'before its answer arrives'
    const cases = chosen.map((frame) => [frame, when] as const)

    it.each(cases)('at %s, %s: the page that is loaded again signs', async (frame, when) => {
      // The unfinished attempt of another device no longer blocks.
      service.advance(refreshLimits.lease)
      const owner = await logIn(service, ada, {
        addresses: { ...service.addresses, api: toApi.address, cosigner: toCosigner.address },
      })
      let isBroken = false
      const breaking: Handle = async (request, pass) => {
        isBroken ||= operationOf(request.body) === frame
        if (!isBroken) return pass()
        if (when === 'before its answer arrives' && operationOf(request.body) === frame) await pass()
        throw new Error('the line is broken')
      }
      toCosigner.handle = breaking

      await expect(owner.refreshKeys({ walletId: evm })).rejects.toMatchObject({ message: 'Connection error' })
      expect(isBroken).toBe(true)

      toCosigner.handle = passOn
      const loadedAgain = deviceOn(owner.storage)
      // An unfinished signature blocks others for the life of its run.
      if (frame === 'SIGN 1') service.advance(runLimits.life)
      await expectSignature(loadedAgain, evm)
      await loadedAgain.refreshKeys({ walletId: evm })
      await expectSignature(loadedAgain, evm)
      expect(await rowsOfWallet('provider_shares', evm)).toHaveLength(1)
    })

    it.each(['before it arrives', 'before its answer arrives'])(
      'at CONFIRM, %s: its user may log out, and log in again',
      async (when) => {
        const owner = await logIn(service, ada, {
          addresses: { ...service.addresses, api: toApi.address, cosigner: toCosigner.address },
        })
        let isBroken = false
        toCosigner.handle = async (request, pass) => {
          const isConfirm = operationOf(request.body).startsWith('CONFIRM')
          if (!isBroken && !isConfirm) return pass()
          if (!isBroken && when === 'before its answer arrives') await pass()
          isBroken = true
          throw new Error('the line is broken')
        }
        await expect(owner.refreshKeys({ walletId: evm })).rejects.toMatchObject({ message: 'Connection error' })
        toCosigner.handle = passOn

        const loadedAgain = deviceOn(owner.storage)
        await loadedAgain.logout()
        await loadedAgain.login({ email: ada.email })

        await expectSignature(loadedAgain, evm)
      },
    )

    it('a request whose answer is lost once is repeated', async () => {
      const owner = await logIn(service, ada, {
        addresses: { ...service.addresses, api: toApi.address, cosigner: toCosigner.address },
      })
      const before = await epochOf(evm)
      const seen = new Set<string>()
      toCosigner.handle = async (request, pass) => {
        const answer = await pass()
        const operation = operationOf(request.body)
        if (seen.has(operation)) return answer
        seen.add(operation)
        throw new Error('lost')
      }

      await owner.refreshKeys({ walletId: evm })

      expect([...seen]).toEqual(expect.arrayContaining(frames))
      expect(await epochOf(evm)).toBe(before + 1)
      await expectSignature(owner, evm)
    })
  })

  describe('a wallet that a failed check locked', () => {
    /** Changes only the OT matrix of the first message, so that the consistency check alone fails. */
    const cheating =
      (held: Held): Meddle =>
      (request, frame) => {
        const body = frame.step === 1 ? Frame.decodeSign(frame.body) : undefined
        if (body?.request._tag !== 'Success') return request
        const changed = body.message.map((byte, index) => (index === 101 ? byte ^ 1 : byte))
        return held.protocol.signFrame({
          ...frame,
          body: Frame.encodeSign({ ...body, request: body.request.success, message: changed }),
        })
      }

    it.each(['another session', 'the same session'])(
      'is refreshed after a login into %s, and not before',
      async (which) => {
        const owner = await logIn(service, ada)
        await expectSignature(owner, evm)
        const held = await heldBy(service, owner)
        const cheated = await held.protocol.sign(held.keyOf(evm), hello, { meddle: cheating(held) })
        expect(cheated).toEqual({ kind: 'stopped', status: 'BAN' })
        const locked = await storedState(service)
        const refused = { status: 423, message: 'key share is locked, log in again to refresh it' }

        await expect(owner.signMessage({ walletId: evm, message })).rejects.toMatchObject(refused)
        await expect(owner.refreshKeys({ walletId: evm })).rejects.toMatchObject(refused)
        expect(await storedState(service)).toEqual(locked)

        service.advance(1_000)
        if (which === 'another session') await owner.logout()
        await owner.login({ email: ada.email })
        await expectSignature(owner, evm)
        await expect(ada.device.signMessage({ walletId: evm, message })).rejects.toMatchObject({ status: 409 })
      },
    )
  })

  it('an acknowledgement of another sharing changes nothing', async () => {
    const owner = await logIn(service, ada)
    const held = await heldBy(service, owner)
    const key = held.keyOf(evm)
    await owner.refreshKeys({ walletId: evm })
    const before = await storedState(service)
    const frame = {
      operation: 'ACK' as const,
      scheme: 'DKLS' as const,
      step: 1,
      protocolId: '00000000-0000-0000-0000-000000000000',
      sessionId: held.sessionId,
      walletId: evm,
      epoch: key.share.epoch,
      shareId: key.share.shareId,
      attempt: new Uint8Array(16),
      deviceKeyThumb: held.protocol.deviceKeyThumb,
      body: new Uint8Array(0),
    }

    expect(await held.protocol.send(held.protocol.signFrame(frame))).toMatchObject({
      message: `409 KeyShareOutOfDate: ${outOfDate}`,
    })
    expect(await storedState(service)).toEqual(before)
  })

  it('fails with the status of the service where it answers 503', async () => {
    toApi.handle = (request, pass) =>
      request.target.endsWith('/refresh') ? Promise.resolve(sentence(503, 'busy')) : pass()

    await expect(ada.device.refreshKeys({ walletId: solana })).rejects.toMatchObject({ status: 503 })
  })
})
