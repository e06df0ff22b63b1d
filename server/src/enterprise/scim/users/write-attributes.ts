// The tenant's attributes of users whom a directory has made, as the mappings of the connection say.
import type { Transaction } from '../../../platform/db/database.ts'
import type { UserId } from '../../../platform/ids.ts'
import { fromJson } from '../../../platform/json-text.ts'
import {
  findTenantAttributes,
  recordRefusedValues,
  valuesOfDirectory,
  writeValues,
} from '../../connections/attribute-mappings.ts'
import type { Deps } from '../../deps.ts'
import type { ScimPlace } from '../place.ts'
import type { Attributes } from '../protocol/values.ts'
import { mappedSource } from './derived.ts'

interface Change {
  readonly userId: UserId
  readonly before: Attributes
  readonly after: Attributes
}

/** Writes what has changed at the directory. What it has removed is removed here, unless the tenant requires it. */
export async function writeMapped(
  deps: Deps,
  tx: Transaction,
  { tenantId, connection, actor }: ScimPlace,
  { userId, before, after }: Change,
): Promise<void> {
  const changed = fromJson(connection.attribute_mappings).filter(
    ({ scim = null }) => scim !== null && mappedSource(before, scim) !== mappedSource(after, scim),
  )
  if (changed.length === 0) return
  const attributes = await findTenantAttributes(tx, tenantId)
  const isChanged = (source: string) => changed.some(({ scim }) => scim === source)
  const { values, refused } = valuesOfDirectory(attributes, connection, (source) =>
    isChanged(source) ? mappedSource(after, source) : undefined,
  )
  const removed = changed.filter(({ attribute, scim }) => {
    const isRequired = attributes.some(({ key, required }) => key === attribute && required === true)
    return mappedSource(after, scim ?? '') === undefined && !isRequired
  })
  const all = { ...Object.fromEntries(removed.map(({ attribute }) => [attribute, undefined])), ...values }
  const unwritten = await writeValues(deps, tx, tenantId, { userId, values: all, actor })
  await recordRefusedValues(deps, tx, connection, { userId, refused: [...refused, ...unwritten], actor })
}
