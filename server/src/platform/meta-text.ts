// publicMeta and privateMeta: any JSON that a tenant keeps with a record. Stored as text; `{}` when none was ever sent.

export const metaText = (value: unknown): string => JSON.stringify(value === undefined ? {} : value)

/** What an update leaves out stays as it is. */
export const metaTextOr = (value: unknown, before: string): string =>
  value === undefined ? before : JSON.stringify(value)
