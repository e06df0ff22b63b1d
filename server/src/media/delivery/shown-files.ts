// The files and definitions in use, in bounded memory. They belong to their tenant's entry in the directory of tenants. Deleting a file or
// changing a transformation drops that entry, here at once and on other nodes by the feed of invalidations, and thereby everything derived
// from it.
import { LRUCache } from 'lru-cache'
import { entriesAtMost } from '../../platform/cache/memory.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import type { Deps } from '../deps.ts'
import type { ImageDefinition } from '../engine/definition.ts'
import { findShownFile } from '../files.ts'
import type { ShownFileRow } from '../queries.ts'
import { findDefinition } from '../transformations/transformations.ts'
import { type Chooser, createChooser } from './image-choice.ts'

export interface ShownFile {
  readonly row: ShownFileRow
  /** Returns what the definition delivers of the file. */
  readonly chooser: (definition: ImageDefinition) => Chooser
}

type Found<T> = T | undefined | Promise<T | undefined>

/** Returns a value in memory at once, otherwise a promise. */
export interface ShownFiles {
  readonly file: (tenant: TenantEntry, fileId: string) => Found<ShownFile>
  readonly definition: (tenant: TenantEntry, name: string) => Found<ImageDefinition>
}

interface Kept<Value> {
  readonly tenant: TenantEntry
  readonly value: Value
}

const filesMax = 10_000
const definitionsMax = 2000
const definitionCharactersMax = 4 * 1024 * 1024

function shownFile(row: ShownFileRow): ShownFile {
  // Weak keys, because definitions are dropped and read again while the file stays.
  const choosers = new WeakMap<ImageDefinition, Chooser>()
  return {
    row,
    chooser(definition) {
      let chooser = choosers.get(definition)
      if (chooser === undefined) {
        chooser = createChooser(row, definition)
        choosers.set(definition, chooser)
      }
      return chooser
    },
  }
}

/** Values read while the tenant was changing belong to an entry that no caller is given any more. */
function reader<Value extends object>(
  kept: LRUCache<string, Kept<Value>>,
  read: (tenant: TenantEntry, name: string) => Promise<Value | undefined>,
) {
  const readAndKeep = async (key: string, tenant: TenantEntry, name: string) => {
    const value = await read(tenant, name)
    if (value !== undefined) kept.set(key, { tenant, value })
    return value
  }
  return (tenant: TenantEntry, name: string): Found<Value> => {
    const key = `${tenant.row.id} ${name}`
    const known = kept.get(key)
    return known?.tenant === tenant ? known.value : readAndKeep(key, tenant, name)
  }
}

export function createShownFiles(deps: Deps): ShownFiles {
  const files = new LRUCache<string, Kept<ShownFile>>(entriesAtMost(filesMax))
  const definitions = new LRUCache<string, Kept<ImageDefinition>>({
    max: definitionsMax,
    maxSize: definitionCharactersMax,
    sizeCalculation: ({ value }) => JSON.stringify(value).length,
  })
  return {
    file: reader(files, async ({ row: { id } }, fileId) => {
      const row = await findShownFile(deps.db, id, fileId)
      return row && shownFile(row)
    }),
    definition: reader(definitions, ({ row: { id } }, name) => findDefinition(deps, id, name)),
  }
}
