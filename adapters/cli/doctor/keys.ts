/** D22 to D24 and D28: the files beside the database. */
import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { isWithin, usesCosignerFolder } from '../../service/config.ts'
import { KeyFileRefused } from '../../service/vault/KeyFileRefused.ts'
import { ringAt } from '../../service/vault/ringFile.ts'
import { ringFilesOf } from '../../service/vault/vaultOf.ts'
import { type Check, type Fault } from './Check.ts'

export const checkKeys: Check = (configuration) => {
  const { environment, database, keyEncryptionKeyFile, cosignerFolder, roles } = configuration
  const { service, cosigner } = ringFilesOf(configuration)
  const faults: Fault[] = []
  let hasRings = true
  for (const ring of roles.includes('cosigner') ? [service, cosigner] : [service]) {
    // In DEV the first start makes it.
    if (environment === 'DEV' && !existsSync(ring.path)) continue
    try {
      hasRings &&= ringAt(ring).isFiled()
    } catch (cause) {
      const sentence = cause instanceof KeyFileRefused ? cause.message : `${ring.path} cannot be read.`
      const fix = existsSync(ring.path)
        ? 'Bring the ring back from its copy, and make it readable by this user alone (chmod 600).'
        : 'Bring it back from its copy; for a new deployment alone run `tandem kek create`: a new ring opens nothing of an old database.'
      faults.push({ code: 'D22', sentence, fix })
    }
    const isBeside = database.kind === 'pglite' && isWithin(ring.path, dirname(database.folder))
    if (environment !== 'DEV' && isBeside) {
      const sentence = `${ring.path} lies in the folder of the database: a copy of the folder opens all that is sealed.`
      faults.push({
        code: 'D23',
        sentence,
        fix: 'Move it to a folder of its own, and set SERVICE_KEYS_FILE or COSIGNER_KEYS_FILE.',
      })
    }
  }
  if (!hasRings) faults.push(notSplit(keyEncryptionKeyFile))
  if (usesCosignerFolder(roles) && isReadByOthers(cosignerFolder)) {
    const sentence = `COSIGNER_FOLDER is '${cosignerFolder}', which others than its owner can read.`
    faults.push({ code: 'D24', sentence, fix: `chmod 700 '${cosignerFolder}'` })
  }
  return Promise.resolve(faults)
}

/** While it is, processes that are no co-signers open shares. */
const notSplit = (file: string): Fault => ({
  code: 'D28',
  sentence: `There are no key rings: the one key in ${file} opens everything in every role.`,
  fix: 'tandem kek split',
})

const isReadByOthers = (folder: string): boolean =>
  process.platform !== 'win32' && existsSync(folder) && (statSync(folder).mode & 0o077) !== 0
