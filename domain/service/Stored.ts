/** How records are read from the JSON that they are stored in: by the schema that their type comes from. */
import * as Option from 'effect/Option'
import * as Schema from 'effect/Schema'
import * as SchemaTransformation from 'effect/SchemaTransformation'

/** Bytes in JSON. */
export const Bytes = Schema.Struct({ $bytes: Schema.Uint8ArrayFromHex }).pipe(
  Schema.decodeTo(
    Schema.Uint8Array,
    SchemaTransformation.transform({ decode: ({ $bytes }) => $bytes, encode: (bytes) => ({ $bytes: bytes }) }),
  ),
)

/** `column`: `<table>.<column>`. The reader throws what is a defect: only this service writes these columns. */
export const reader = <A>(column: string, schema: Schema.Decoder<A>): ((stored: unknown) => A) => {
  const decode = Schema.decodeUnknownOption(schema)
  return (stored) => Option.getOrThrowWith(decode(stored), () => new UnreadableColumn(column))
}

/** The message says where, and nothing of what is stored there. */
class UnreadableColumn extends Error {
  override readonly name = 'UnreadableColumn'

  constructor(column: string) {
    super(`what is stored in ${column} is not what this service writes there`)
  }
}
