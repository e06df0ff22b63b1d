// Decides on which page each named shape of an answer is drawn: on that of the tag whose operations use it most.
import { type Interface, type Operation, type Schema, nameInRef } from './openapi.ts'

/** Envelopes are unwrapped where an answer is described, and so have no place of their own. */
export const isEnvelope = (schema: Schema | undefined): boolean =>
  schema?.properties?.['status'] !== undefined && schema.properties['data'] !== undefined

function namesIn(schema: Schema, schemas: Interface['schemas'], found: Set<string>): Set<string> {
  if (schema.$ref !== undefined) {
    const name = nameInRef(schema.$ref)
    if (found.has(name)) return found
    const target = schemas[name] ?? {}
    if (!isEnvelope(target)) found.add(name)
    return namesIn(target, schemas, found)
  }
  const inner = [
    ...Object.values(schema.properties ?? {}),
    ...(schema.items === undefined ? [] : [schema.items]),
    ...(schema.anyOf ?? []),
    ...(schema.allOf ?? []),
    ...(typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : []),
  ]
  for (const each of inner) namesIn(each, schemas, found)
  return found
}

const isRecord = (schema: Schema | undefined): boolean =>
  Object.keys(schema?.properties ?? {}).length > 0 || (schema?.allOf ?? []).length > 0

/** Returns the name of the tag on whose page each shape is drawn. */
export function findHomes({ tags, schemas }: Interface): ReadonlyMap<string, string> {
  const uses = new Map<string, Map<string, number>>()
  const count = ({ answer, tag }: Operation) => {
    for (const name of namesIn(answer?.schema ?? {}, schemas, new Set())) {
      const byTag = uses.get(name) ?? new Map<string, number>()
      uses.set(name, byTag.set(tag, (byTag.get(tag) ?? 0) + 1))
    }
  }
  for (const { operations } of tags) operations.forEach(count)
  return new Map(
    [...uses]
      .filter(([name]) => isRecord(schemas[name]))
      .map(([name, byTag]) => [name, [...byTag].toSorted(([, one], [, other]) => other - one)[0]?.[0] ?? '']),
  )
}
