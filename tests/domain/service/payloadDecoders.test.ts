/** The decoders of Solana's transactions and Cosmos' documents, against other libraries of their chains. */
import { createPublicKey, verify as verifySignature } from 'node:crypto'
import { serializeSignDoc, type StdSignDoc } from '@cosmjs/amino'
import { encodePubkey, makeAuthInfoBytes, makeSignBytes, makeSignDoc } from '@cosmjs/proto-signing'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import {
  AddressLookupTableAccount,
  Keypair,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
  VersionedMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import protobuf from 'protobufjs'
import { describe, expect, it } from 'vitest'
import { isTransactionMessage, readTransaction } from '../../../domain/mpc/SolanaTransaction.ts'
import { isSignedBy, namedSigners, signersOf } from '../../../domain/service/protocol/cosmosDocument.ts'
import { requiredSigners } from '../../../domain/service/protocol/solanaTransaction.ts'
import { times } from '../../kit/long.ts'
import { mutationsOf } from '../../kit/mutated.ts'

const numbers = times(1_000, 10_000)
/** Of what takes long, because signatures are checked or two libraries read the same. */
const few = times(300, 10_000)

describe('the message of a Solana transaction', () => {
  const [payer, second, to, table] = [1, 2, 3, 4].map((byte) => Keypair.fromSeed(new Uint8Array(32).fill(byte)))
  if (payer === undefined || second === undefined || to === undefined || table === undefined) throw new Error('no keys')
  const pay = (lamports: number, from = payer) =>
    SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: to.publicKey, lamports })
  const message = new TransactionMessage({
    payerKey: payer.publicKey,
    recentBlockhash: table.publicKey.toBase58(),
    instructions: [pay(5), pay(7, second)],
  })
  const tables = new AddressLookupTableAccount({
    key: table.publicKey,
    state: {
      deactivationSlot: 2n ** 64n - 1n,
      lastExtendedSlot: 0,
      lastExtendedSlotStartIndex: 0,
      addresses: [to.publicKey],
    },
  })
  const legacy = message.compileToLegacyMessage().serialize()
  const version0 = message.compileToV0Message().serialize()
  const withTable = message.compileToV0Message([tables]).serialize()
  const all = [legacy, version0, withTable].map((bytes) => Uint8Array.from(bytes))
  const signers = [payer.publicKey.toBase58(), second.publicKey.toBase58()]

  it('names the required signers of a legacy message, of version 0 and of one with a lookup table', () => {
    expect(all.map(requiredSigners)).toEqual([signers, signers, signers])
  })

  it('is refused with bytes too few or too many, as a whole transaction, and in an unknown version', () => {
    for (const bytes of all) {
      for (let length = 0; length < bytes.length; length++) {
        expect(requiredSigners(bytes.subarray(0, length))).toBeUndefined()
      }
      expect(requiredSigners(concatBytes(bytes, Uint8Array.of(0)))).toBeUndefined()
      const transaction = new VersionedTransaction(VersionedMessage.deserialize(bytes))
      expect(requiredSigners(transaction.serialize())).toBeUndefined()
      transaction.sign([payer, second])
      expect(requiredSigners(transaction.serialize())).toBeUndefined()
    }
    for (const version of [1, 2, 127]) {
      expect(requiredSigners(Uint8Array.from(version0).with(0, 0x80 + version))).toBeUndefined()
    }
  })

  it('is refused in version 1', () => {
    const head = Uint8Array.of(0x81, 1, 0, 0, 0, 0, 0, 0)
    const bytes = concatBytes(head, table.publicKey.toBytes(), Uint8Array.of(0, 1), payer.publicKey.toBytes())

    expect(VersionedMessage.deserialize(bytes).version).toBe(1)
    expect(requiredSigners(bytes)).toBeUndefined()
  })

  it('is refused where it is longer than a packet of the network', () => {
    const withData = (length: number) => {
      const instructions = [
        new TransactionInstruction({ programId: table.publicKey, keys: [], data: Buffer.alloc(length) }),
      ]
      const { recentBlockhash } = message
      return new TransactionMessage({ payerKey: payer.publicKey, recentBlockhash, instructions })
        .compileToLegacyMessage()
        .serialize()
    }

    expect(requiredSigners(withData(1_000))).toEqual([payer.publicKey.toBase58()])
    expect(requiredSigners(withData(1_200))).toBeUndefined()
  })

  it('is refused where a count is not in its shortest form, or an index or the header is out of range', () => {
    const keys = version0[4] ?? 0
    const longCount = concatBytes(version0.subarray(0, 4), Uint8Array.of(keys | 0x80, 0), version0.subarray(5))
    const firstInstruction = 5 + 32 * keys + 32 + 1
    const at = (index: number, byte: number) => Uint8Array.from(version0).with(index, byte)
    const spoiled = {
      longCount,
      'no signer': at(1, 0),
      'more signers than accounts': at(1, keys + 1),
      'a fee payer that is read only': at(2, 2),
      'more accounts read only than there are': at(3, keys - 1),
      'a program beyond the accounts': at(firstInstruction, keys),
      'the fee payer as a program': at(firstInstruction, 0),
      'an account beyond the accounts': at(firstInstruction + 2, keys),
      'an account twice': concatBytes(version0.subarray(0, 37), version0.subarray(5, 37), version0.subarray(69)),
    }

    const taken = Object.entries(spoiled).filter(([, bytes]) => requiredSigners(bytes) !== undefined)
    expect(taken.map(([name]) => name)).toEqual([])
  })

  it('is never read otherwise than web3.js reads it, whatever became of its bytes', () => {
    let taken = 0
    for (const bytes of mutationsOf(all, numbers)) {
      const named = requiredSigners(bytes)
      if (named === undefined) continue
      taken += 1
      expect(isTransactionMessage(bytes)).toBe(true)
      const read = VersionedMessage.deserialize(bytes)
      expect(bytesToHex(Uint8Array.from(read.serialize()))).toBe(bytesToHex(bytes))
      const required = read.staticAccountKeys.slice(0, read.header.numRequiredSignatures)
      expect(named).toEqual(required.map((key) => key.toBase58()))
    }
    expect(taken).toBeGreaterThan(numbers / 10)
  })
})

describe('a Solana transaction with its signatures', () => {
  const [payer, second, to, table] = [1, 2, 3, 4].map((byte) => Keypair.fromSeed(new Uint8Array(32).fill(byte)))
  if (payer === undefined || second === undefined || to === undefined || table === undefined) throw new Error('no keys')
  const message = new TransactionMessage({
    payerKey: payer.publicKey,
    recentBlockhash: table.publicKey.toBase58(),
    instructions: [payer, second].map(({ publicKey }) =>
      SystemProgram.transfer({ fromPubkey: publicKey, toPubkey: to.publicKey, lamports: 5 }),
    ),
  })
  const signed = [message.compileToLegacyMessage(), message.compileToV0Message()].map((one) => {
    const transaction = new VersionedTransaction(one)
    transaction.sign([payer, second])
    return Uint8Array.from(transaction.serialize())
  })

  /** By web3.js; `undefined` where it would write it otherwise. */
  const readBy = (bytes: Uint8Array) => {
    try {
      const { signatures, message: read } = VersionedTransaction.deserialize(bytes)
      const written = new VersionedTransaction(read, signatures).serialize()
      if (bytesToHex(Uint8Array.from(written)) !== bytesToHex(bytes)) return undefined
      const signers = read.staticAccountKeys.slice(0, read.header.numRequiredSignatures).map((key) => key.toBytes())
      return { signatures, signers, message: Uint8Array.from(read.serialize()) }
    } catch {
      return undefined
    }
  }
  /** With as many signatures, whatever its message asks for. */
  const withSignatures = (count: number) =>
    signed.map((bytes) =>
      concatBytes(Uint8Array.of(count), new Uint8Array(64 * count).fill(1), bytes.subarray(1 + 2 * 64)),
    )

  it('is refused with a signature too few or too many', () => {
    for (const count of [0, 1, 2, 3]) {
      const isRead = count === 2
      expect(withSignatures(count).map((bytes) => readTransaction(bytes) !== undefined)).toEqual([isRead, isRead])
      expect(withSignatures(count).map((bytes) => readBy(bytes) !== undefined)).toEqual([isRead, isRead])
    }
  })

  const hexOf = (parts: ReturnType<typeof readTransaction>) =>
    parts && [...parts.signatures, ...parts.signers, parts.message].map((one) => bytesToHex(Uint8Array.from(one)))

  it('is never read otherwise than web3.js reads it, whatever became of its bytes', () => {
    let taken = 0
    for (const bytes of mutationsOf(signed, few)) {
      const own = readTransaction(bytes)
      const other = readBy(bytes)
      // The message of one that only one of both reads is none that a runtime takes.
      const isTaken = (parts: typeof own) => parts !== undefined && requiredSigners(parts.message) !== undefined
      expect(isTaken(own)).toBe(isTaken(other))
      if (!isTaken(own)) continue
      taken += 1
      expect(hexOf(own)).toEqual(hexOf(other))
    }
    expect(taken).toBeGreaterThan(few / 10)
  })
})

const publicKey = secp256k1.getPublicKey(new Uint8Array(32).fill(7))
const given = encodePubkey({ type: 'tendermint/PubKeySecp256k1', value: Buffer.from(publicKey).toString('base64') })

describe('a direct document of Cosmos', () => {
  const body = TxBody.encode(
    TxBody.fromPartial({
      messages: [{ typeUrl: '/some.chain.v1.MsgUnknown', value: utf8ToBytes('opaque') }],
      memo: 'for & <tea>',
      timeoutHeight: 77n,
    }),
  ).finish()
  const authInfo = makeAuthInfoBytes(
    [{ pubkey: given, sequence: 3 }],
    [{ denom: 'uatom', amount: '5' }],
    200_000,
    undefined,
    undefined,
  )
  const document = makeSignBytes(makeSignDoc(body, authInfo, 'cosmoshub-4', 2 ** 40))
  const of = (parts: { readonly body?: Uint8Array; readonly authInfo?: Uint8Array }) =>
    makeSignBytes(makeSignDoc(parts.body ?? body, parts.authInfo ?? authInfo, 'cosmoshub-4', 0))

  it('has the keys of its signers', () => {
    expect(signersOf(document)).toEqual({ keys: [publicKey], isKeyLeftOut: false })
    expect(signersOf(of({}))).toEqual({ keys: [publicKey], isKeyLeftOut: false })
  })

  it('is refused with bytes too few or too many, an unknown field, or no message', () => {
    const unknown = Uint8Array.of(0x7a, 1, 0)
    const refused = [
      new Uint8Array(0),
      document.subarray(0, -1),
      concatBytes(document, Uint8Array.of(0)),
      concatBytes(document, unknown),
      concatBytes(document, Uint8Array.of(0x20, 0)),
      of({ body: concatBytes(body, unknown) }),
      of({ authInfo: concatBytes(authInfo, unknown) }),
      of({ body: new Uint8Array(0) }),
      of({ authInfo: new Uint8Array(0) }),
      utf8ToBytes('{}'),
      new Uint8Array(60_000).fill(0x7b),
    ]

    expect(refused.map(signersOf)).toEqual(refused.map(() => undefined))
  })

  it('is refused with a text that is not UTF-8, which the library’s decoder reads and writes again', () => {
    const half = '\ud800'
    const withMemo = TxBody.fromPartial({ messages: [{ typeUrl: '/a', value: new Uint8Array(0) }], memo: half })
    const bodies = [TxBody.encode(withMemo).finish(), TxBody.encode({ ...withMemo, memo: 'a' }).finish()]

    expect(bodies.map((bytes) => TxBody.decode(bytes).memo)).toEqual([half, 'a'])
    expect(bodies.map((bytes) => signersOf(of({ body: bytes })) !== undefined)).toEqual([false, true])
    expect(signersOf(makeSignBytes(makeSignDoc(body, authInfo, half, 0)))).toBeUndefined()
  })

  it('is never read otherwise than protobufjs reads it, whatever became of its bytes', () => {
    const { root } = protobuf.parse(`syntax = "proto3";
      message Any { string type_url = 1; bytes value = 2; }
      message SignDoc { bytes body_bytes = 1; bytes auth_info_bytes = 2; string chain_id = 3; uint64 account_number = 4; }
      message PubKey { bytes key = 1; }
      message SignerInfo { Any public_key = 1; }
      message AuthInfo { repeated SignerInfo signer_infos = 1; }
      message TxBody { repeated Any messages = 1; string memo = 2; uint64 timeout_height = 3; }`)
    const read = (type: string, bytes: Uint8Array): Record<string, unknown> =>
      root.lookupType(type).toObject(root.lookupType(type).decode(bytes), { arrays: true, bytes: Uint8Array })
    const keyIn = (value: Uint8Array): unknown => {
      try {
        return read('PubKey', value)['key']
      } catch {
        return undefined
      }
    }
    let taken = 0
    for (const bytes of mutationsOf([document, of({})], numbers)) {
      const signers = signersOf(bytes)
      if (signers === undefined) continue
      taken += 1
      const { bodyBytes, authInfoBytes } = read('SignDoc', bytes) as Record<'bodyBytes' | 'authInfoBytes', Uint8Array>
      expect(read('TxBody', bodyBytes)['messages']).not.toHaveLength(0)
      const infos = read('AuthInfo', authInfoBytes)['signerInfos'] as {
        publicKey?: { typeUrl?: string; value?: Uint8Array }
      }[]
      const named = infos.flatMap(({ publicKey: key }) =>
        key?.typeUrl === '/cosmos.crypto.secp256k1.PubKey' ? [keyIn(key.value ?? new Uint8Array(0))] : [],
      )
      expect(named).toEqual(expect.arrayContaining([...signers.keys]))
      expect(signers.isKeyLeftOut).toBe(infos.some(({ publicKey: key }) => key === undefined))
    }
    expect(taken).toBeGreaterThan(numbers / 10)
  })
})

describe('a transaction of Cosmos with its signatures', () => {
  const { root } = protobuf.parse(`syntax = "proto3";
    message Any { string type_url = 1; bytes value = 2; }
    message SignDoc { bytes body_bytes = 1; bytes auth_info_bytes = 2; string chain_id = 3; uint64 account_number = 4; }
    message TxRaw { bytes body_bytes = 1; bytes auth_info_bytes = 2; repeated bytes signatures = 3; }
    message PubKey { bytes key = 1; }
    message Single { int32 mode = 1; }
    message ModeInfo { Single single = 1; bytes multi = 2; }
    message SignerInfo { Any public_key = 1; ModeInfo mode_info = 2; uint64 sequence = 3; }
    message AuthInfo { repeated SignerInfo signer_infos = 1; bytes fee = 2; }`)
  type Fields = Record<string, unknown>
  const read = (type: string, bytes: unknown): Fields => {
    const found = root.lookupType(type)
    const decoded = found.decode(bytes instanceof Uint8Array ? bytes : new Uint8Array(0))
    return found.toObject(decoded, { arrays: true, defaults: true, bytes: Uint8Array })
  }
  const keyOfNode = createPublicKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'secp256k1',
      x: Buffer.from(secp256k1.Point.fromBytes(publicKey).toBytes(false).slice(1, 33)).toString('base64url'),
      y: Buffer.from(secp256k1.Point.fromBytes(publicKey).toBytes(false).slice(33)).toString('base64url'),
    },
  })
  const isSame = (one: unknown, other: unknown) =>
    one instanceof Uint8Array && other instanceof Uint8Array && bytesToHex(one) === bytesToHex(other)

  /** Whether protobufjs reads a signer with the key, whose signature OpenSSL takes. */
  const isSignedTo = (document: Uint8Array, bytes: Uint8Array): boolean => {
    const [doc, raw] = [read('SignDoc', document), read('TxRaw', bytes)]
    const signatures = raw['signatures'] as readonly Uint8Array[]
    const infos = read('AuthInfo', raw['authInfoBytes'])['signerInfos'] as readonly Fields[]
    if (!isSame(raw['bodyBytes'], doc['bodyBytes']) || !isSame(raw['authInfoBytes'], doc['authInfoBytes'])) return false
    return (
      signatures.length === infos.length &&
      infos.some(({ publicKey: key, modeInfo }, index) => {
        const { typeUrl, value } = (key ?? {}) as Fields
        const single = ((modeInfo ?? {}) as Fields)['single'] as Fields | null
        return (
          single?.['mode'] === 1 &&
          (typeUrl === undefined ||
            (typeUrl === '/cosmos.crypto.secp256k1.PubKey' && isSame(read('PubKey', value)['key'], publicKey))) &&
          verifySignature('sha256', document, { key: keyOfNode, dsaEncoding: 'ieee-p1363' }, signatures[index] ?? none)
        )
      })
    )
  }
  const none = new Uint8Array(0)

  const foreign = encodePubkey({
    type: 'tendermint/PubKeySecp256k1',
    value: Buffer.from(secp256k1.getPublicKey(new Uint8Array(32).fill(8))).toString('base64'),
  })
  const body = TxBody.encode(
    TxBody.fromPartial({ messages: [{ typeUrl: '/a', value: utf8ToBytes('opaque') }] }),
  ).finish()
  const of = (...keys: readonly (typeof given)[]) => {
    const signers = keys.map((pubkey) => ({ pubkey, sequence: 3 }))
    const authInfo = makeAuthInfoBytes(signers, [{ denom: 'uatom', amount: '5' }], 200_000, undefined, undefined)
    const document = makeSignBytes(makeSignDoc(body, authInfo, 'cosmoshub-4', 7))
    const own = secp256k1.sign(document, new Uint8Array(32).fill(7))
    const signatures = keys.map((key) => (key === given ? own : new Uint8Array(64).fill(1)))
    const transaction = TxRaw.encode({ bodyBytes: body, authInfoBytes: authInfo, signatures }).finish()
    return { document, transaction }
  }

  it('is taken with the key’s signature beside another’s alone, whatever became of its bytes', () => {
    const [alone, beside] = [of(given), of(foreign, given)]
    const changed = [alone, beside].flatMap((one) => [
      ...Array.from(mutationsOf([one.transaction], few / 2), (transaction) => ({ ...one, transaction })),
      ...Array.from(mutationsOf([one.document], few / 10), (document) => ({ ...one, document })),
    ])
    expect([alone, beside].map(({ document, transaction }) => isSignedBy(publicKey, document, transaction))).toEqual([
      true,
      true,
    ])
    let taken = 0
    for (const { document, transaction } of changed) {
      if (!isSignedBy(publicKey, document, transaction)) continue
      taken += 1
      expect(isSignedTo(document, transaction)).toBe(true)
      const written = root.lookupType('TxRaw').encode(read('TxRaw', transaction)).finish()
      expect(bytesToHex(Uint8Array.from(written))).toBe(bytesToHex(transaction))
    }
    expect(taken).toBeGreaterThan(few / 50)
  })

  it('is refused in another mode, for another key, with a signature too few, and over another document', () => {
    const { document, transaction } = of(given)
    const { bodyBytes, authInfoBytes, signatures } = TxRaw.decode(transaction)
    const amino = AuthInfo.decode(authInfoBytes)
    for (const info of amino.signerInfos) info.modeInfo = { single: { mode: SignMode.SIGN_MODE_LEGACY_AMINO_JSON } }
    const inAmino = AuthInfo.encode(amino).finish()
    const aminoDocument = makeSignBytes(makeSignDoc(body, inAmino, 'cosmoshub-4', 7))
    const written = (parts: Partial<TxRaw>) => TxRaw.encode({ bodyBytes, authInfoBytes, signatures, ...parts }).finish()
    const own = secp256k1.sign(aminoDocument, new Uint8Array(32).fill(7))

    expect(isSignedBy(publicKey, aminoDocument, written({ authInfoBytes: inAmino, signatures: [own] }))).toBe(false)
    expect(isSignedBy(secp256k1.getPublicKey(new Uint8Array(32).fill(8)), document, transaction)).toBe(false)
    expect(isSignedBy(publicKey, document, written({ signatures: [] }))).toBe(false)
    expect(isSignedBy(publicKey, document, written({ signatures: [...signatures, ...signatures] }))).toBe(false)
    expect(isSignedBy(publicKey, of(given, foreign).document, transaction)).toBe(false)
    expect(isSignedBy(publicKey, document, concatBytes(transaction, Uint8Array.of(0)))).toBe(false)
  })
})

describe('an amino document of Cosmos', () => {
  const document: StdSignDoc = {
    chain_id: 'cosmoshub-4',
    account_number: '7',
    sequence: '0',
    fee: { amount: [{ denom: 'uatom', amount: '5' }], gas: '200000' },
    msgs: [
      { type: 'cosmos-sdk/MsgSend', value: { to_address: 'cosmos1x', amount: [{ denom: 'uatom', amount: '1' }] } },
    ],
    memo: 'for & <tea> “ü”',
  }
  const plain: StdSignDoc = {
    ...document,
    chain_id: '',
    msgs: [{ type: 'sign/MsgSignData', value: { signer: 'cosmos1a', data: 'aGVsbG8=' } }],
  }
  const bytesOf = (changes: object) => serializeSignDoc({ ...document, ...changes })

  it('names the signers of its plain messages', () => {
    expect(namedSigners(serializeSignDoc(document))).toEqual([])
    expect(namedSigners(serializeSignDoc({ ...document, timeout_height: '12' }))).toEqual([])
    expect(namedSigners(serializeSignDoc(plain))).toEqual(['cosmos1a'])
  })

  it('is refused in any other form, with a field too many or too few, and without a message', () => {
    const text = Buffer.from(serializeSignDoc(document)).toString()
    const refused = [
      utf8ToBytes(text.replace('{', '{ ')),
      utf8ToBytes(text.replace('\\u0026', '&')),
      utf8ToBytes(text.replace('\\u003c', '\\u003C')),
      utf8ToBytes(text.replace('"memo"', '"memo":"","memo"')),
      utf8ToBytes(JSON.stringify(document)),
      utf8ToBytes(`${text}\n`),
      utf8ToBytes('['.repeat(60_000)),
      utf8ToBytes(text.replace('"cosmos1x"', '['.repeat(60_000) + ']'.repeat(60_000))),
      Uint8Array.of(0xff),
      bytesOf({ tip: 1 }),
      bytesOf({ memo: undefined }),
      bytesOf({ sequence: 0 }),
      bytesOf({ fee: { ...document.fee, more: '' } }),
      bytesOf({ msgs: [] }),
      bytesOf({ memo: '\ud800' }),
      bytesOf({ msgs: [{ type: 'a', value: { '\udfff': '' } }] }),
      bytesOf({ msgs: [{ type: 'a', value: {}, more: 1 }] }),
      bytesOf({ msgs: [{ type: 'sign/MsgSignData', value: { data: '' } }] }),
    ]

    expect(refused.map(namedSigners)).toEqual(refused.map(() => undefined))
  })

  it('is never read otherwise than cosmjs writes it, whatever became of its bytes', () => {
    let taken = 0
    for (const bytes of mutationsOf([serializeSignDoc(document), serializeSignDoc(plain)], numbers)) {
      const named = namedSigners(bytes)
      if (named === undefined) continue
      taken += 1
      const read = JSON.parse(Buffer.from(bytes).toString()) as StdSignDoc
      expect(bytesToHex(serializeSignDoc(read))).toBe(bytesToHex(bytes))
    }
    expect(taken).toBeGreaterThan(numbers / 10)
  })
})
