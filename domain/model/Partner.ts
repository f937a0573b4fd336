/** The partner: the developer whose app embeds the SDK. */
import * as Data from 'effect/Data'
import * as Result from 'effect/Result'
import type { AuthMethod } from './Credential.ts'
import { isPresent } from './Identity.ts'
import { displayName } from './Provider.ts'
import type { Theme } from './Theme.ts'

export type Partner = {
  readonly id: string
  readonly displayName?: string | null
  readonly portalUrl?: string | null
  readonly font?: string | null
  readonly themeMode?: string | null
  readonly accentColor?: string | null
  readonly foregroundColor?: string | null
  readonly backgroundColor?: string | null
  readonly supportedAuthMethods?: readonly AuthMethod[] | null
}

/** The partner's settings as a theme. */
export const theme = (partner: Partner): Theme => ({
  font: partner.font,
  mode: partner.themeMode,
  accentColor: partner.accentColor,
  foregroundColor: partner.foregroundColor,
  backgroundColor: partner.backgroundColor,
})

/** The call has no valid API key. */
export const requireApiKey = (apiKey: string | null | undefined): Result.Result<string, ApiKeyRequired> =>
  isPresent(apiKey) ? Result.succeed(apiKey) : Result.fail(new ApiKeyRequired())

export class ApiKeyRequired extends Data.TaggedError('ApiKeyRequired') {
  override readonly message =
    `in order to create a wallet or user with ${displayName}, ` +
    `you must provide an API key to the ${displayName} instance`
}
