import type { DevelopmentFile } from './developmentFile.ts'

/** What a development stack tells whoever started it. */
export const table = ({ addresses, apiKey, secretKey, partnerId }: DevelopmentFile): string => {
  const rows = [...Object.entries(addresses), ['api key', apiKey], ['secret key', secretKey], ['partner id', partnerId]]
  const width = Math.max(...rows.map(([name = '']) => name.length))
  return ['', ...rows.map(([name = '', value = '']) => `  ${name.padEnd(width)}  ${value}`), ''].join('\n')
}
