/** Whether there is anything to go on with. Every page asks, so nothing here reads what it is. */
import * as Effect from 'effect/Effect'
import { storagePrefix } from '../model/Provider.ts'
import { ShareStore } from './ports/ShareStore.ts'
import { Storage } from './ports/Storage.ts'

/** Of the entry in session storage that names what the portal was opened for (underWay.ts). */
export const portalSessionEntry = `${storagePrefix}tandem/visit`

/** Whether this tab may have something to continue, also after its shares came and before the rest was done. */
export const isPortalSessionUnderWay = Effect.gen(function* () {
  return (yield* (yield* Storage).session.get(portalSessionEntry)) !== undefined
})

/** Whether this device holds keys that were not confirmed, or shares whose backups were not stored. */
export const hasUnfinishedWallets = Effect.gen(function* () {
  const { candidates, backupPending } = yield* ShareStore
  return (yield* candidates).length > 0 || (yield* backupPending).length > 0
})
