/** `tandem cosigner-key`: the key that signs the co-signer's answers (domain/crypto/README.md#rotation-of-the-co-signers-key). */
import * as Effect from 'effect/Effect'
import type * as Layer from 'effect/Layer'
import * as Result from 'effect/Result'
import {
  cosignerKeyStatus,
  retireCosignerKey,
  rotateCosignerKey,
  type CosignerKeyRefused,
  type KeyStatus,
} from '../../domain/service/cosignerKeys.ts'
import type { ReasonRequired } from '../../domain/service/operator.ts'
import { operatorLayers } from '../service/operatorLayers.ts'
import type { Variables } from '../service/settings.ts'
import { onDatabase, refused, requireCosignerFolder } from './deployment.ts'
import type { Ended } from './Verb.ts'

/** `reason`: for the audit. */
type Given = { readonly variables: Variables; readonly reason: string | undefined }

export const statusOfCosignerKeys = async (variables: Variables): Ended =>
  Result.map(await onKeys(variables, cosignerKeyStatus), (keys) => ({
    exitCode: 0,
    text: keys.length === 0 ? 'No co-signer of this name has started on this database.' : keys.map(lineOf).join('\n'),
    data: keys.map(({ from, ...key }) => ({ ...key, from: from === 0 ? null : time(from) })),
  }))

/** `isCompromised`: another than the co-signer may have used the key that signs now. */
export const rotateKeyOfCosigner = async ({ variables, reason }: Given, isCompromised: boolean): Ended =>
  Result.map(
    await onKeys(variables, (name) => rotateCosignerKey(name, isCompromised, reason), withRing),
    ({ id, from }) => ({
      exitCode: 0,
      text: [
        `Key ${id} is published, and signs answers from ${time(from)}.`,
        isCompromised
          ? 'Each device enrols anew with its next signature. Retire the key before it ten minutes later.'
          : 'Devices follow by themselves. The key before it can be retired ten minutes later.',
        'Make a backup now: one from before does not bring back devices that follow this key.',
      ].join('\n'),
      data: { id, from: time(from) },
    }),
  )

export const retireKeyOfCosigner = async ({ variables, reason }: Given, id: string): Ended =>
  Result.map(await onKeys(variables, (name) => retireCosignerKey(name, id, reason)), () => ({
    exitCode: 0,
    text: `The secret half of key ${id} is gone. What it signed stays: devices that were away follow it.`,
    data: { id },
  }))

const fixes = {
  'too early': 'Wait until then.',
  'no such key': '`tandem cosigner-key status` lists the keys.',
} as const

const withRing = {
  asCosigner: true,
  require: requireCosignerFolder('A key is made where a co-signer runs: give the settings of one.'),
}

/** `flow` gets the name of the deployment's co-signer. */
const onKeys = <A>(
  variables: Variables,
  flow: (
    name: string,
  ) => Effect.Effect<A, CosignerKeyRefused | ReasonRequired, Layer.Success<ReturnType<typeof operatorLayers>>>,
  { asCosigner, require }: Partial<typeof withRing> = {},
) =>
  onDatabase(
    { variables },
    (configuration) =>
      Effect.provide(
        flow(configuration.cosignerName),
        operatorLayers(configuration, { asCosigner: asCosigner === true }),
      ),
    ({ message, why }: CosignerKeyRefused) => refused(message, why && fixes[why]),
    require,
  )

const lineOf = ({ id, from, state, isRetirable, isCompromised }: KeyStatus): string => {
  const since = from === 0 ? 'the first' : `from ${time(from)}`
  const notes = [...(isCompromised ? ['compromised'] : []), ...(isRetirable ? ['can be retired'] : [])]
  return [`${id}  ${words[state].padEnd(9)}  ${since}`, ...notes].join(', ')
}

const words = { PUBLISHED: 'published', SIGNING: 'signs', REPLACED: 'replaced', RETIRED: 'retired' } as const

const time = (ms: number) => new Date(ms).toISOString()
