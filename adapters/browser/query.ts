/** Queries as the public client writes them: objects and lists as indexed brackets, `ids[EMAIL][0]`. */

/** Without `?`. Absent values are left out. */
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
