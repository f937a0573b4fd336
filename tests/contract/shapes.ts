/** The shapes of JSON values, and how two of them compare. */

/** JSON types by name, and the different shapes of a list's items. */
export type Shape = string | readonly Shape[] | { readonly [name: string]: Shape }

export const shapeOf = (value: unknown): Shape => {
  if (value === null) return 'null'
  if (Array.isArray(value)) {
    const shapes = value.map((item: unknown) => shapeOf(item))
    return [...new Map(shapes.map((shape) => [JSON.stringify(shape), shape])).values()]
  }
  if (typeof value !== 'object') return typeof value
  const fields = Object.entries(value).map(([name, held]) => [name, shapeOf(held)] as const)
  return Object.fromEntries(fields.sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** The names of its fields, with those of its lists and objects under theirs: `wallets.partner`. */
export const fieldsOf = (shape: Shape): readonly string[] => {
  if (Array.isArray(shape)) return shape.flatMap((item: Shape) => fieldsOf(item))
  if (!isFields(shape)) return []
  return Object.entries(shape).flatMap(([name, held]) => [name, ...fieldsOf(held).map((field) => `${name}.${field}`)])
}

/** Where both have a property, it is of one type in both. Which have to be there, the schema says of each. */
export const differences = (ours: Shape | undefined, mocks: Shape | undefined, where = 'body'): readonly string[] => {
  if (ours === undefined || mocks === undefined || ours === 'null' || mocks === 'null') return []
  if (Array.isArray(ours) && Array.isArray(mocks)) {
    return ours.flatMap((our: Shape) => mocks.flatMap((item: Shape) => differences(our, item, `${where}[]`)))
  }
  if (isFields(ours) && isFields(mocks)) {
    return Object.keys(ours).flatMap((name) => differences(ours[name], mocks[name], `${where}.${name}`))
  }
  return ours === mocks ? [] : [`${where}: ${JSON.stringify(ours)} of ours, ${JSON.stringify(mocks)} of the mock`]
}

const isFields = (shape: Shape): shape is { readonly [name: string]: Shape } =>
  typeof shape === 'object' && !Array.isArray(shape)

/** A value of one shape fits the other: the same fields, and in lists no other items. */
export const fits = (one: Shape, other: Shape): boolean => {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.every((item: Shape) => other.some((known: Shape) => fits(item, known)))
  }
  if (!isFields(one) || !isFields(other)) return one === other
  const names = Object.keys(one)
  return names.join() === Object.keys(other).join() && names.every((name) => fits(one[name] ?? '', other[name] ?? ''))
}
