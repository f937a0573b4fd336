import * as Context from 'effect/Context'
import type { Environment } from '../../model/Environment.ts'

/** What the flows have to know of their deployment. */
export class Deployment extends Context.Service<
  Deployment,
  {
    readonly environment: Environment
    /** The API's origin, which is the issuer of its JWTs; without a trailing slash. */
    readonly apiOrigin: string
    /** The portal's origin, without a trailing slash. */
    readonly portalOrigin: string
    /** The origin of our own page for recoveries, whatever the partner; without a trailing slash. */
    readonly connectOrigin: string
    /** Who runs the deployment, as people read it in mails and in apps. */
    readonly operatorName: string
  }
>()('tandem/service/Deployment') {}
