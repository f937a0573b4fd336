/** JSON and messages of other documents, checked by a schema before anything reads them (DECISIONS.md#schemas). */
import * as v from 'valibot'

export type Schema<A> = v.GenericSchema<unknown, A>

/** The value as the schema describes it, or `undefined` where it has another form. */
export const check = <A>(schema: Schema<A>, value: unknown): A | undefined => {
  const result = v.safeParse(schema, value)
  return result.success ? result.output : undefined
}

/** The same for a text; `undefined` also where it is no JSON. */
export const parse = <A>(schema: Schema<A>, text: string): A | undefined =>
  check(v.pipe(v.string(), v.parseJson(), schema), text)
