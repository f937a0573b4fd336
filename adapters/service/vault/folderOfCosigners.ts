/** Whether a process or command that is no co-signer has the folder of the co-signers, and not another one. */
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { Database } from '../database/Database.ts'
import { StartRefusal } from '../StartRefusal.ts'
import { fenceFileAt } from './fenceFile.ts'
import { fenceFileOf, type VaultSettings } from './vaultOf.ts'

/**
 * Fails where a co-signer has run on the database, and never in this folder: marks that were raised here would bind no co-signer, and
 * share keys that were destroyed here stay where the co-signers have them.
 * While a new database generation begins, file and row differ for a moment, and this fails as well.
 */
export const requireFolderOfCosigners = (configuration: VaultSettings): Layer.Layer<never, StartRefusal, Database> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { query } = yield* Database
      const row = yield* query((db) => db.selectFrom('incarnation').select('id').executeTakeFirst())
      if (isOfDatabase(configuration, row?.id)) return
      return yield* new StartRefusal({ message: notOfDatabase(configuration), of: 'configuration' })
    }),
  )

/** `generation`: the id that the database has of its own, undefined where no co-signer has run on it. */
export const isOfDatabase = (configuration: VaultSettings, generation: string | undefined): boolean =>
  generation === undefined || fenceFileAt(fenceFileOf(configuration)).read()?.id === generation

export const notOfDatabase = ({ cosignerFolder }: VaultSettings): string =>
  `COSIGNER_FOLDER is '${cosignerFolder}', which is not the folder of the co-signers of this database: ` +
  'what is raised or destroyed here would bind none of them, and a lost device would keep its share. ' +
  'Give every process and command the folder that the co-signers have. If this is theirs, the database is an older copy: ' +
  'start a co-signer first.'
