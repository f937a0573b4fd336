/** What devices and the co-signer compute: toys, which cost nothing, or the product's protocols on its kernel. */
import { createPublicKey, verify } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { beginRun } from '../../adapters/browser/runs.ts'
import { readKernel } from '../../adapters/service/cosigner/kernel.ts'
import type { Mpc } from '../../domain/client/ports/Mpc.ts'
import { protocolOf } from '../../domain/mpc/protocols.ts'
import type { ShareRecord } from '../../domain/mpc/ShareRecord.ts'
import type { Job, StepOutcome } from '../../domain/service/ports/CosignerEngine.ts'
import { kernelOf } from '../../wasm/Kernel.ts'
import {
  isSigned,
  mpcOf,
  openOutcomeOf,
  toyMpc,
  toyOutcomeOf,
  type Guessing,
  type Witness,
} from '../kit/toyProtocols.ts'

export type Protocols = {
  readonly mpc: (
    witness: Witness,
    random: (length: number) => Uint8Array,
    guessing: Guessing | undefined,
  ) => Mpc['Service']
  readonly outcomeOf: (job: Job, witness: Witness) => StepOutcome
  /** A signature of DKLS is r, s and v, over a digest; one of ED25519 is that of RFC 8032, over the message. */
  readonly isSigned: (
    key: Pick<ShareRecord, 'scheme' | 'publicKey'>,
    message: Uint8Array,
    signature: Uint8Array,
  ) => boolean
}

const toys: Protocols = {
  mpc: toyMpc,
  outcomeOf: toyOutcomeOf,
  isSigned,
}

/** Cheaters guess in toys alone. */
const onKernel = (): Protocols => {
  const kernel = readKernel()
  if (kernel === undefined) throw new Error('wasm/build/kernel.wasm is not built: npm run build:pages')
  const arithmetic = kernelOf(kernel)
  return {
    mpc: (_, random) => mpcOf((run) => beginRun(run, random, arithmetic)),
    outcomeOf: (job) => openOutcomeOf(job, protocolOf(job.context.scheme, job.context.kind), arithmetic),
    isSigned: ({ scheme, publicKey }, message, signature) =>
      scheme === 'DKLS'
        ? secp256k1.verify(signature.subarray(0, 64), message, publicKey, { prehash: false })
        : verify(null, message, ed25519KeyOf(publicKey), signature),
  }
}

/** OpenSSL's, because this process has a curve in noble's place that knows its own keys alone (`tests/kit/quick`). */
const ed25519KeyOf = (publicKey: Uint8Array) =>
  createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey).toString('base64url') },
    format: 'jwk',
  })

let kernel: Protocols | undefined

export const protocolsOf = (isReal: boolean): Protocols => (isReal ? (kernel ??= onKernel()) : toys)
