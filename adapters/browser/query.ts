/** Queries as the contract's clients write them: objects and lists as indexed brackets (facts 0, query style). */

export const writeQuery = (query: object): string => {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) append(parameters, name, value)
  return parameters.toString()
}

const append = (parameters: URLSearchParams, name: string, value: unknown): void => {
  if (value === undefined || value === null) return
  if (typeof value === 'string') return parameters.append(name, value)
  if (typeof value !== 'object') return parameters.append(name, JSON.stringify(value))
  for (const [key, item] of Object.entries(value)) append(parameters, `${name}[${key}]`, item)
}
