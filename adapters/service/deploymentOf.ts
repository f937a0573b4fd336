/** What the service's processes and an operator's commands read alike from a configuration. */
import type { Deployment } from '../../domain/service/ports/Deployment.ts'
import type { Configuration } from './config.ts'
import { databaseAt, type OpenOptions } from './database/open.ts'

export const deploymentOf = ({ environment, hosts, operator }: Configuration): Deployment['Service'] => ({
  environment,
  apiOrigin: hosts.api,
  portalOrigin: hosts.portal,
  connectOrigin: hosts.connect,
  operatorName: operator.name,
})

/** The deployment's database, which is migrated here in DEV alone. Fails with a `StartRefusal` where it cannot be opened. */
export const databaseOf = ({ database, environment }: Configuration, log?: OpenOptions['log']) =>
  databaseAt(database, { migrates: environment === 'DEV', log })
