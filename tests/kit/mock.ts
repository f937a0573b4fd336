/** The contract's own mock: Prism, which refuses what the contract does not have and answers with its examples. */
import { startChild } from './child.ts'

export type Mock = {
  readonly address: string
  readonly stop: () => Promise<unknown>
}

export const startMock = async (): Promise<Mock> => {
  const prism = startChild('node_modules/.bin/prism', {}, [
    'mock',
    'generated/openapi.json',
    '-h',
    '127.0.0.1',
    '-p',
    '0',
  ])
  return { address: await prism.until(/Prism is listening on (http:\S+)/), stop: () => prism.stop() }
}
