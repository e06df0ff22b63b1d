// publicMeta and privateMeta hold any JSON that a tenant keeps with a record. It is stored as text, `{}` if none was ever sent.

export const metaText = (value: unknown): string => JSON.stringify(value === undefined ? {} : value)

/** Properties that an update omits stay as they are. */
export const metaTextOr = (value: unknown, before: string): string =>
  value === undefined ? before : JSON.stringify(value)
