/**
 * Formats that are final. With fixed seeds every message of every run is the same for ever, and what version 1 wrote
 * can be read for ever: the samples in fixtures/ were written by these very runs.
 */
import { readFileSync } from 'node:fs'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { base64 } from '@scure/base'
import { beforeAll, describe, expect, it } from 'vitest'
import * as OtRecord from '../../domain/mpc/dkls/OtRecord.ts'
import * as ShareRecord from '../../domain/mpc/ShareRecord.ts'
import { find, run, serverStep, type Outcome, type Setup } from './run.ts'
import { attachSetup, keygenSetup, makeWallet, signSetup, type Wallet } from './wallet.ts'

type Fixtures = {
  readonly shares: Readonly<Record<'USER' | 'PROVIDER' | 'ED25519 without a root key', string>>
  readonly otRecords: Readonly<Record<'USER' | 'PROVIDER', string>>
  readonly serverStates: Readonly<Record<string, string>>
}
const fixtures = JSON.parse(readFileSync(new URL('fixtures/dkls.json', import.meta.url), 'utf8')) as Fixtures

let wallet: Wallet
let runs: Readonly<Record<'keygen' | 'attach' | 'sign', readonly [Setup, Outcome]>>
beforeAll(() => {
  wallet = makeWallet()
  const attach = attachSetup(wallet, 'attach')
  const sign = signSetup(wallet, sha256(utf8ToBytes('hello')), 'sign')
  runs = { keygen: [keygenSetup, wallet.keygen], attach: [attach, run(attach)], sign: [sign, run(sign)] }
})

const messagesOf = ({ positions }: Outcome) =>
  positions.map(({ to, round, message }) => [
    `${to === 'server' ? 'request' : 'response'} ${round}`,
    `${message.length} ${bytesToHex(sha256(message))}`,
  ])

describe('every message, by its length and SHA-256', () => {
  const nothing = '0 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

  it('of keygen', () => {
    expect(Object.fromEntries(messagesOf(runs.keygen[1]))).toEqual({
      'request 1': '194 7b4d382202f522bfe333ce87e54cc8bfb1f673fe7843e7cef3b6a2dc4ebc332b',
      'response 1': '4516 5a35a237e637e586a412bef989e4b4444e9475f7fd3a39849c6940fa6a408e8e',
      'request 2': '8514 2f78929be518723d1dbc29ae5b029dad94a355be3a824d0d0c27fa8dc338833b',
      'response 2': '8192 f655bc5eae41f5e386a5944c632186f9e57a1b3f43ceb4e7c72a072146517838',
      'request 3': '12288 84a2827ff0f1ced72290393aecd143d0989db1b7f84ff4f15e76e2773c4275a3',
      'response 3': '8257 68192bc4454f7dd17351bf7255bbcf4fc53c839b235283d458969297e67f2a8b',
      'request 4': '65 f8613ea949ead1b2a5252869ef9bbd35114350d65b0e6c876c0e51682c89c3a7',
      'response 4': nothing,
    })
  })

  it('of attach', () => {
    expect(Object.fromEntries(messagesOf(runs.attach[1]))).toEqual({
      'request 1': '227 2a80e5c29bfb36f6979345c5c02d09b54b1973d6bb0ca2e158c489177d7e8dcf',
      'response 1': '4451 99af8f41030f344c89428ee300b3faaa2fb7ddea78748a713077f71d2bb806f7',
      'request 2': '8352 3cf3fd4628ab6a78445b47d73a0b432356d650dd0983d20b25b3d69c3ce0ae5f',
      'response 2': '8192 74ee8d8b0e33f0a9b52e50034974978cf97cfa079b0da58deb513f8db6c95dec',
      'request 3': '12288 05c1234b5e477d6f7ee1a315fe4d07c99fc1044255768476a8bc3d812d8e8f91',
      'response 3': '8257 0a2eafeff2d7ff552a206ad34383f8ebe5209031cdd13614c8d7468e4d6ef080',
      'request 4': '65 cc498b2633d4d38ca64ad32ed02b1995de4b4c30738c88d19196bfc2a7e9a2dd',
      'response 4': nothing,
    })
  })

  it('of sign', () => {
    expect(Object.fromEntries(messagesOf(runs.sign[1]))).toEqual({
      'request 1': '10864 469ec68484041ae6f863c467b4c8ad5de9e27da3152f79ccab9649461c4c63ea',
      'response 1': '50963 ec92cce7ca0727d1b8626ee283723382b9e95396a5a761ce48ab792bad2c6791',
      'request 2': '40259 b0b31851986e7160a8c235f45e2e7ffeff5a55b057e537f43927d7872d952b49',
      'response 2': '65 4c2b1ca82d80ae6e7feca8f26075e3cbb61198eca06657de7b366d702257cc63',
    })
  })
})

describe('version 1 of what rests is opened', () => {
  it('shares', () => {
    for (const [role, party] of [['USER', wallet.client], ['PROVIDER', wallet.server]] as const) {
      const stored = base64.decode(fixtures.shares[role])
      expect(ShareRecord.decode(stored)).toEqual(party.share)
      expect(ShareRecord.encode(party.share)).toEqual(stored)
    }
    const small = base64.decode(fixtures.shares['ED25519 without a root key'])
    const byte = (value: number, length = 32) => new Uint8Array(length).fill(value)
    expect(ShareRecord.decode(small)).toEqual({
      scheme: 'ED25519',
      role: 'USER',
      walletId: '01010101-0101-0101-0101-010101010101',
      epoch: 0x02030405,
      shareId: byte(6),
      secret: byte(7),
      clientPublic: byte(8),
      serverPublic: byte(9),
      publicKey: byte(10),
      chainCode: byte(11),
      rootPublicKey: byte(0, 0),
    })
  })

  it('no share is read from anything else', () => {
    const stored = base64.decode(fixtures.shares.USER)
    const wrong = [
      stored.subarray(1),
      stored.subarray(0, -1),
      new Uint8Array(0),
      new Uint8Array(stored.length),
      stored.with(3, 0x32),
      stored.with(4, 1),
      stored.with(4, 2),
      stored.with(5, 2),
      stored.with(stored.length - 33, 2),
    ]
    for (const bytes of wrong) expect(ShareRecord.decode(bytes)).toBeUndefined()
  })

  it('OT records', () => {
    for (const [role, party] of [['USER', wallet.client], ['PROVIDER', wallet.server]] as const) {
      const stored = base64.decode(fixtures.otRecords[role])
      const record = OtRecord.decode(stored)
      expect(stored).toEqual(party.ot)
      expect(record && { ...record, delta: 0, chosenSeeds: 0, zeroSeeds: 0, oneSeeds: 0 }).toMatchObject({
        role,
        walletId: party.share.walletId,
        epoch: party.share.epoch,
        shareId: party.share.shareId,
        otId: party.context.otId,
      })
      expect(record && OtRecord.encode(record)).toEqual(stored)
    }
  })

  it("the server's states: every step goes on from one", () => {
    for (const [name, state] of Object.entries(fixtures.serverStates)) {
      const [kind, round] = name.split(' ')
      const [setup, outcome] = runs[kind === 'keygen' || kind === 'attach' ? kind : 'sign']
      const { position } = find(outcome, 'server', Number(round) + 1)
      const answer = serverStep(setup, { ...position, serverState: base64.decode(state) })
      const response = answer.kind === 'answer' || answer.kind === 'done' ? answer.response : answer
      expect(response).toEqual(find(outcome, 'client', position.round).position.message)
    }
  })
})
