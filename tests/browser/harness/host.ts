/** A partner's page without React: the SDK as `window.para`, for tests; a click on the button runs `window.onGo`. */
import { Para, type ParaOptions } from '../../../adapters/browser/sdk.ts'

export type Bare = Window & {
  para: Para
  /** What the click begins: popups open in it. */
  onGo: () => Promise<unknown>
  /** What came of the last click. */
  went: Promise<unknown>
  make: (options?: ParaOptions) => Para
}

const bare = window as unknown as Bare
const { environment, hosts, apiKey } = (await (await fetch('/config.json')).json()) as {
  readonly environment: string
  readonly hosts: NonNullable<ParaOptions['hosts']>
  readonly apiKey: string
}
bare.make = (options = {}) => new Para(environment, apiKey, { hosts, ...options })
bare.para = bare.make()
document.querySelector('button')?.addEventListener('click', () => {
  bare.went = bare.onGo().then(
    (value) => ({ value }),
    (error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }),
  )
})
document.title = 'Bare host, ready'
