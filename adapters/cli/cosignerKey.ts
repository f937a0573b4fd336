/** `tandem cosigner-key`: the key that signs the co-signer's answers (domain/crypto/README.md#rotation-of-the-co-signers-key). */
import * as Result from 'effect/Result'
import {
  cosignerKeyStatus,
  retireCosignerKey,
  rotateCosignerKey,
  type CosignerKeyRefused,
  type KeyStatus,
} from '../../domain/service/cosignerKeys.ts'
import { readConfiguration } from '../service/config.ts'
import type { Variables } from '../service/settings.ts'
import { onDeployment, requireCosignerFolder } from './deployment.ts'
import type { Ended, Problem } from './Verb.ts'

/** `reason`: for the audit. */
type Given = { readonly variables: Variables; readonly reason: string | undefined }

export const statusOfCosignerKeys = async (variables: Variables): Ended =>
  Result.map(await onDeployment({ variables }, cosignerKeyStatus(nameIn(variables)), problemOf), (keys) => ({
    exitCode: 0,
    text: keys.length === 0 ? 'No co-signer of this name has started on this database.' : keys.map(lineOf).join('\n'),
    data: keys.map(({ from, ...key }) => ({ ...key, from: from === 0 ? null : time(from) })),
  }))

/** `isCompromised`: another than the co-signer may have used the key that signs now. */
export const rotateKeyOfCosigner = async ({ variables, reason }: Given, isCompromised: boolean): Ended =>
  Result.map(
    await onDeployment({ variables }, rotateCosignerKey(nameIn(variables), isCompromised, reason), problemOf, withRing),
    ({ id, from }) => ({
      exitCode: 0,
      text: [
        `Key ${id} is published, and signs answers from ${time(from)}.`,
        isCompromised
          ? 'Each device enrols anew with its next signature. Retire the key before it ten minutes later.'
          : 'Devices follow by themselves. The key before it can be retired ten minutes later.',
      ].join('\n'),
      data: { id, from: time(from) },
    }),
  )

export const retireKeyOfCosigner = async ({ variables, reason }: Given, id: string): Ended =>
  Result.map(await onDeployment({ variables }, retireCosignerKey(nameIn(variables), id, reason), problemOf), () => ({
    exitCode: 0,
    text: `The secret half of key ${id} is gone. What it signed stays: devices that were away follow it.`,
    data: { id },
  }))

const withRing = {
  asCosigner: true,
  require: requireCosignerFolder('A key is made where a co-signer runs: give the settings of one.'),
}

/** Settings that cannot be read are refused before any flow asks for the name. */
const nameIn = (variables: Variables): string =>
  Result.match(readConfiguration(variables), { onFailure: () => '', onSuccess: ({ cosignerName }) => cosignerName })

const lineOf = ({ id, from, state, isCompromised }: KeyStatus): string => {
  const since = from === 0 ? 'the first' : `from ${time(from)}`
  return `${id}  ${words[state].padEnd(9)}  ${since}${isCompromised ? ', compromised' : ''}`
}

const words = { PUBLISHED: 'published', SIGNING: 'signs', REPLACED: 'replaced', RETIRED: 'retired' } as const

const time = (ms: number) => new Date(ms).toISOString()

const problemOf = ({ message }: CosignerKeyRefused): Problem => ({
  code: 'refused',
  message,
  fix: 'See what the sentence names, and that the settings are those of the service.',
})
