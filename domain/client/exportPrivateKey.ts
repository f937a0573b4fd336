import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as CurrentWalletIds from '../model/CurrentWalletIds.ts'
import { requireUser } from '../model/Session.ts'
import { requireExportable } from '../model/WalletSelection.ts'
import { forgetPortalSessionSecret } from './portalSessionSecret.ts'
import { openPortal, type PortalSessionHandle } from './openPortal.ts'
import { openWindow, unlessContinued, type Opened } from './openWindow.ts'
import { portalAddress } from './portalAddress.ts'
import { PopupBlocked } from './ports/Popup.ts'
import { rememberedIdentity } from './rememberedIdentity.ts'
import { currentSession } from './touch.ts'
import { listWallets } from './wallets.ts'

/**
 * `accepted`: the key was put together on the page, where the user can see it. `cancelled`: the page was left before.
 */
export type PrivateKeyExport = 'accepted' | 'cancelled'

/**
 * Lets the user export the private key of a DKLS wallet. Only the portal's page shows it
 * (domain/client/README.md#key-export). Without an id it is the first current DKLS wallet. The page works only in a
 * window that this document opened.
 */
export const exportPrivateKey = Effect.fn('wallets.exportPrivateKey')(function* (walletId: string | undefined) {
  const popup = yield* openWindow('LOGIN_PASSKEY')
  return yield* unlessContinued(popup, forgetPortalSessionSecret)(exportIn(popup, walletId))
}, Effect.scoped)

const exportIn = Effect.fn('wallets.exportPrivateKeyIn')(function* (popup: Opened, walletId: string | undefined) {
  const session = yield* currentSession
  const userId = yield* Effect.fromResult(requireUser(session))
  const { id: record } = yield* exportable(walletId, session.currentWalletIds ?? {})
  if (Option.isNone(popup)) return yield* new PopupBlocked({})
  const identity = yield* rememberedIdentity
  const { sessionId } = session
  const { url, origin } = yield* portalAddress({ type: 'export', userId, walletId: record, identity, sessionId })
  const portalSession = yield* openPortal({
    popup: popup.value,
    url,
    portalOrigin: origin,
    session,
    page: 'export',
    record,
  })
  const result = yield* Effect.onError(outcomeOf(portalSession), () => portalSession.giveUp)
  return yield* Effect.as(forgetPortalSessionSecret, result)
})

const exportable = Effect.fnUntraced(function* (
  walletId: string | undefined,
  currentWalletIds: CurrentWalletIds.CurrentWalletIds,
) {
  const wallets = yield* listWallets()
  const ids = walletId === undefined ? CurrentWalletIds.all(currentWalletIds) : [walletId]
  const found = ids.flatMap((id) => wallets.filter((wallet) => wallet.id === id))
  return yield* Effect.fromResult(requireExportable(found.find(({ scheme }) => scheme === 'DKLS') ?? found[0]))
})

/** When this document stops waiting, it closes the page as well: the page must not put a key together later. */
const outcomeOf = ({ done, gone, giveUp }: PortalSessionHandle) =>
  Effect.raceFirst(
    Effect.map(done, ({ result }): PrivateKeyExport => (result === 'accepted' ? 'accepted' : 'cancelled')),
    Effect.as(Effect.andThen(gone, giveUp), 'cancelled' as const),
  )
