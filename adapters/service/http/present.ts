type Present<Fields> = { [Name in keyof Fields]?: NonNullable<Fields[Name]> }

/** The fields that have a value: absent ones are omitted from an answer, not sent as null. */
export const present = <const Fields extends Readonly<Record<string, unknown>>>(fields: Fields): Present<Fields> =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  ) as Present<Fields>
