/** What the ante handler of the Cosmos SDK (anteHandler/main.go) makes of a device's signatures over documents of Cosmos. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { makeSignDoc as makeAminoDoc, pubkeyToAddress, type StdFee } from '@cosmjs/amino'
import { encodePubkey, makeAuthInfoBytes, makeSignDoc, Registry } from '@cosmjs/proto-signing'
import { base64 } from '@scure/base'
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import { TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { expect } from 'vitest'
import type { Para } from '../../adapters/browser/sdk.ts'
import type { Wallet } from '../../domain/model/Wallet.ts'
import { isLong } from '../kit/long.ts'

const folder = join(import.meta.dirname, 'anteHandler')

/** In the long run, with Go and the modules of `go.sum`: from its cache, or from where it fetches them. */
export const hasAnteHandler =
  isLong && spawnSync('go', ['mod', 'download'], { cwd: folder, timeout: 300_000 }).status === 0

/** Go compiles the handler before its first use. */
export const anteHandlerTimeout = 1_200_000

const chainId = 'cosmoshub-4'
const memo = 'for <tea> & "cake"'
const [accountNumber, sequence] = [7, 3]
const fee: StdFee = { amount: [{ denom: 'uatom', amount: '5' }], gas: '200000' }

/** `tx`: a TxRaw in base64. */
type Check = {
  readonly tx: string
  readonly chainId: string
  readonly accountNumber: number
  readonly sequence: number
}

/** Of each transaction what the handler objects to; nothing where it takes it. */
const judged = (checks: readonly Check[]): readonly string[] => {
  // Without cgo it needs no C compiler; only stores that it does not open are written in C.
  const env = { ...process.env, CGO_ENABLED: '0' }
  const run = spawnSync('go', ['run', '.'], { cwd: folder, env, input: JSON.stringify(checks), encoding: 'utf8' })
  expect(run.status, run.stderr).toBe(0)
  return JSON.parse(run.stdout) as readonly string[]
}

/** It takes what the device signs directly and as amino JSON, and nothing else. */
export const expectTakenByAnteHandler = async (
  device: Pick<Para, 'signCosmosDirect' | 'signCosmosAmino'>,
  { id: walletId, publicKey }: Pick<Wallet, 'id' | 'publicKey'>,
) => {
  const pubkey = {
    type: 'tendermint/PubKeySecp256k1',
    value: Buffer.from(publicKey ?? '', 'hex').toString('base64'),
  }
  const signerAddress = pubkeyToAddress(pubkey, 'cosmos')
  const of = { walletId, signerAddress }
  const amount = [{ denom: 'uatom', amount: '1' }]
  const value = { fromAddress: signerAddress, toAddress: signerAddress, amount }
  const messages = [{ typeUrl: '/cosmos.bank.v1beta1.MsgSend', value }]
  const bodyBytes = new Registry().encodeTxBody({ messages, memo })
  const infoOf = (mode: SignMode) =>
    makeAuthInfoBytes([{ pubkey: encodePubkey(pubkey), sequence }], fee.amount, 200_000, undefined, undefined, mode)
  const checkOf = (mode: SignMode, signature: Uint8Array): Check => {
    const tx = TxRaw.encode({ bodyBytes, authInfoBytes: infoOf(mode), signatures: [signature] }).finish()
    return { tx: base64.encode(tx), chainId, accountNumber, sequence }
  }

  const signDoc = makeSignDoc(bodyBytes, infoOf(SignMode.SIGN_MODE_DIRECT), chainId, accountNumber)
  const direct = await device.signCosmosDirect({ ...of, signDoc })
  const send = {
    type: 'cosmos-sdk/MsgSend',
    value: { from_address: signerAddress, to_address: signerAddress, amount },
  }
  const document = makeAminoDoc([send], fee, chainId, memo, accountNumber, sequence)
  const amino = await device.signCosmosAmino({ ...of, signDoc: document })
  const [directBytes, aminoBytes] = [direct, amino].map(({ signature }) => base64.decode(signature.signature))
  if (directBytes === undefined || aminoBytes === undefined) throw new Error('a signature is missing')

  const taken = [
    checkOf(SignMode.SIGN_MODE_DIRECT, directBytes),
    checkOf(SignMode.SIGN_MODE_LEGACY_AMINO_JSON, aminoBytes),
  ]
  const refused = taken.flatMap((check) => [
    { ...check, chainId: 'cosmoshub-5' },
    { ...check, accountNumber: accountNumber + 1 },
    { ...check, sequence: sequence + 1 },
  ])
  const swapped = [
    checkOf(SignMode.SIGN_MODE_DIRECT, aminoBytes),
    checkOf(SignMode.SIGN_MODE_LEGACY_AMINO_JSON, directBytes),
  ]
  const verdicts = judged([...taken, ...refused, ...swapped])

  expect(verdicts.slice(0, 2)).toEqual(['', ''])
  expect(verdicts).toHaveLength(10)
  for (const [index, verdict] of verdicts.slice(2).entries())
    expect(verdict, String(index)).toMatch(/signature verification failed|account sequence mismatch/)
}
