// Some clients serialise a record with all its properties and send null for missing ones.
interface Rules {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Rules[]
  readonly oneOf?: readonly Rules[]
  readonly properties?: Readonly<Record<string, Rules>>
  readonly required?: readonly string[]
  readonly items?: Rules
}

/** Whether null is a value of its own there, which unsets something or is stored. */
function takesNull(rules: Rules): boolean {
  const alternatives = rules.anyOf ?? rules.oneOf
  if (alternatives !== undefined) return alternatives.some(takesNull)
  if (rules.enum !== undefined) return rules.enum.includes(null)
  return rules.type === undefined || [rules.type].flat().includes('null')
}

/**
 * Removes every null from a body, at any depth, whose property is declared, may be left out and cannot be null.
 * @returns whether there was any.
 */
export function withoutNulls(schema: unknown, value: unknown): boolean {
  const rules = (schema ?? {}) as Rules
  if (Array.isArray(value)) {
    let found = false
    for (const item of value) found = withoutNulls(rules.items, item) || found
    return found
  }
  if (typeof value !== 'object' || value === null || rules.properties === undefined) return false
  let found = false
  for (const [name, each] of Object.entries(value)) {
    const own = Object.hasOwn(rules.properties, name) ? rules.properties[name] : undefined
    if (own === undefined) continue
    if (each !== null) found = withoutNulls(own, each) || found
    else if (rules.required?.includes(name) !== true && !takesNull(own)) {
      delete (value as Record<string, unknown>)[name]
      found = true
    }
  }
  return found
}
