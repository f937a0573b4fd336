/** Whether a process that is no co-signer has the folder of the co-signers, and not one of its own. */
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { Database } from '../database/Database.ts'
import { StartRefusal } from '../StartRefusal.ts'
import { fenceFileAt } from './fenceFile.ts'
import { fenceFileOf, type VaultSettings } from './vaultOf.ts'

/**
 * Fails where a co-signer has run on the database, and never in this folder: marks that were raised here would bind no co-signer.
 * While a new database generation begins, file and row differ for a moment, and a start in it is refused as well.
 */
export const requireFolderOfCosigners = (configuration: VaultSettings): Layer.Layer<never, StartRefusal, Database> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { query } = yield* Database
      const row = yield* query((db) => db.selectFrom('incarnation').select('id').executeTakeFirst())
      const file = fenceFileAt(fenceFileOf(configuration))
      if (row === undefined || file.read()?.id === row.id) return
      const message =
        `COSIGNER_FOLDER is '${configuration.cosignerFolder}', which is not the folder of the co-signers of this database: ` +
        'a recovery that ends here would leave the lost device its share. Give the API the folder that the co-signers have.'
      return yield* new StartRefusal({ message, of: 'configuration' })
    }),
  )
