/**
 * What a developer does about `OriginNotAllowed`. The service's sentence is the same for every page, so the page's own
 * origin and the operator's command are added here: to the error, and to the developer's console.
 */
import type { Settings } from '../../domain/client/ports/Settings.ts'
import { ApiError, isRefusal } from '../../domain/model/ApiError.ts'

type Page = Pick<Settings['Service'], 'origin' | 'hosts'>

/** The error as it is, or with its `fix` where the service refuses an app's page. */
export const withOriginFix = (error: ApiError, { origin, hosts }: Page): ApiError => {
  if (!isRefusal(error, 'OriginNotAllowed') || origin === '') return error
  if (origin === hosts.portal || origin === hosts.connect) return error
  const fix =
    `${origin} is not an origin of the partner whose API key this is, or its session began on another page. ` +
    `The operator adds it by: tandem partner set-origins PARTNER --add ${origin} --reason REASON`
  console.error(`${error.message}: ${fix}`)
  const { message, code, status, responseURL } = error
  return new ApiError({ message, code, status, responseURL, fix })
}
