/** `tandem init`: what a new deployment needs before its first start, in a folder of its own. */
import { existsSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as Result from 'effect/Result'
import * as Environment from '../../domain/model/Environment.ts'
import { settingNames } from '../service/config.ts'
import { settingOf, type Setting } from '../service/settingsReference.ts'
import { writeDurably } from '../service/vault/keyFile.ts'
import { createRing } from '../service/vault/ringFile.ts'
import type { Call, Finding, Problem } from './Verb.ts'

export const init = (call: Call): Result.Result<Finding, Problem> => {
  const folder = resolve(call.given[0] ?? '')
  const environment = Result.getOrThrow(Environment.parse(call.option('environment') ?? ''))
  const settingsFile = join(folder, 'tandem.env')
  const serviceKeys = join(folder, 'keys', 'service.json')
  const cosignerKeys = join(folder, 'keys', 'cosigner.json')
  const existing = [settingsFile, serviceKeys, cosignerKeys].find((file) => existsSync(file))
  if (existing !== undefined) {
    const message = `${existing} exists, and is not overwritten.`
    return Result.fail({ code: 'refused', message, fix: 'Give another folder, or move what is there.' })
  }
  mkdirSync(join(folder, 'keys'), { recursive: true, mode: 0o700 })
  const given: Readonly<Record<string, string>> = {
    TANDEM_ENVIRONMENT: environment,
    DATA_FOLDER: join(folder, 'data'),
    COSIGNER_FOLDER: join(folder, 'cosigner'),
    SERVICE_KEYS_FILE: serviceKeys,
    COSIGNER_KEYS_FILE: cosignerKeys,
    PAGES_FOLDER: fileURLToPath(new URL('../../dist/pages', import.meta.url)),
  }
  const before = join(folder, 'data', 'key-encryption-key')
  createRing({ ring: 'service', path: serviceKeys, before, environment })
  createRing({ ring: 'cosigner', path: cosignerKeys, before, environment })
  writeDurably(settingsFile, settingsText(given))
  const files = [settingsFile, serviceKeys, cosignerKeys]
  return Result.succeed({
    exitCode: 0,
    text: [
      ...files.map((file) => `Wrote ${file}`),
      `Complete the settings, keep a copy of them and of keys/ apart from the database, then: tandem doctor --config ${settingsFile}`,
    ].join('\n'),
    data: { files },
  })
}

const settingsText = (given: Readonly<Record<string, string>>): string => {
  const parts = settingNames().flatMap((name) => {
    const setting = settingOf(name)
    return setting === undefined || name === 'FAILPOINT' || name === 'KEY_ENCRYPTION_KEY_FILE'
      ? []
      : [partOf(name, setting, given[name])]
  })
  return ['# Settings of the service: tandem config docs has more of each.', ...parts, ''].join('\n\n')
}

/** A setting that is not given stands there as a comment. */
const partOf = (name: string, { meaning, form, usual, example }: Setting, given: string | undefined): string => {
  const isText = !usual.startsWith('(')
  const without = isText ? '' : `\n# Without it: ${usual.slice(1, -1)}.`
  const line = given === undefined ? `#${name}=${isText ? usual : example}` : `${name}=${given}`
  return `# ${meaning}\n# ${form}${without}\n${line}`
}
