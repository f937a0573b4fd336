import * as Result from 'effect/Result'
import { readConfiguration } from '../service/config.ts'
import type { Variables } from '../service/settings.ts'

/** What an app gives the SDK. In development the SDK knows the hosts. `variables` were accepted as a configuration. */
export const settingsOfApp = (variables: Variables, apiKey: string) => {
  const { environment, hosts } = Result.getOrThrow(readConfiguration(variables))
  return environment === 'DEV' ? { environment, apiKey } : { environment, apiKey, hosts }
}
