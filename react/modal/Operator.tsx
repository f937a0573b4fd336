import type { SessionSnapshot } from '../../adapters/browser/sdk.ts'
import { unnamed } from '../../domain/model/Operator.ts'
import { useSession } from '../hooks/useSession.ts'

/** Who runs the service. A session that has no answer yet knows only where the portal is. */
export const operatorName = ({ operator }: SessionSnapshot, portalHost: string): string =>
  operator?.name ?? `${unnamed.name} at ${portalHost}`

/** Whose window opens, and the host that its address bar shows. */
export const PortalOwner = ({ portalHost }: { readonly portalHost: string }) => (
  <>
    <bdi>{useSession().operator?.name ?? unnamed.name}</bdi> at <strong>{portalHost}</strong>
  </>
)
