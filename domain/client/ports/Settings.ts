import * as Context from 'effect/Context'
import type { Environment, Hosts } from '../../model/Environment.ts'
import type { Theme } from '../../model/Theme.ts'
import type { SupportedWalletTypes } from '../../model/WalletTypes.ts'

/** How the partner's name looks in a mail with a code. */
export type MailLook = {
  readonly theme?: 'light' | 'dark'
  readonly brandColor?: string
  readonly homepageUrl?: string
  readonly xUrl?: string
  readonly linkedinUrl?: string
  readonly githubUrl?: string
  readonly supportUrl?: string
}

/** What the app gave its SDK. */
export class Settings extends Context.Service<
  Settings,
  {
    readonly environment: Environment
    readonly hosts: Hosts
    readonly apiKey: string | undefined
    /** The origin of the page that runs the SDK; empty on a server. */
    readonly origin: string
    readonly theme: Theme
    readonly mailLook: MailLook
    /** The app's own choice; without one, the partner's choice in the answer of touch. */
    readonly supportedWalletTypes: SupportedWalletTypes | undefined
  }
>()('tandem/client/Settings') {}
