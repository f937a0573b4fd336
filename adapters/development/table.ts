import type { DevelopmentFile } from './developmentFile.ts'

/** What a development stack prints at its start. */
export const table = ({ addresses, apiKey, secretKey, partnerId }: DevelopmentFile): string => {
  const shown = Object.entries(addresses).map(([name, value]) => [name, name === 'mailbox' ? `${value}/ui` : value])
  const rows = [...shown, ['api key', apiKey], ['secret key', secretKey], ['partner id', partnerId]]
  const width = Math.max(...rows.map(([name = '']) => name.length))
  return ['', ...rows.map(([name = '', value = '']) => `  ${name.padEnd(width)}  ${value}`), ''].join('\n')
}
