type Present<Fields> = { [Name in keyof Fields]?: NonNullable<Fields[Name]> }

/** The fields that have a value: what is not there is left out of an answer, not said to be nothing. */
export const present = <const Fields extends Readonly<Record<string, unknown>>>(fields: Fields): Present<Fields> =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  ) as Present<Fields>
