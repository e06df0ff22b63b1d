// Where each declared table is on a sharded database, and bringing the tables of new migrations there.
import type { ShardedTable } from '../../platform/db/citus/distribute.ts'
import { isSharded } from '../../platform/db/citus/is-sharded.ts'
import type { OpenDatabase } from '../../platform/db/open.ts'
import { sql } from '../../platform/db/sql.ts'
import type { TableFacts } from '../../platform/db/table.ts'
import { otherTables, tenantTables } from '../tenant-tables/tenant-tables.ts'

const chooseSharding = ({ options, declared }: TableFacts): ShardedTable['sharding'] =>
  options.sharding ?? ('tenant_id' in declared ? 'tenant' : 'reference')

/** Returns every declared table, those first that others refer to. */
export const shardedTables = (): ShardedTable[] =>
  [...tenantTables, ...otherTables].map((table) => ({ name: table.name, sharding: chooseSharding(table) }))

const isSpread = async (db: OpenDatabase) =>
  (await isSharded(db)) && (await db.first(sql`SELECT 1 AS one FROM pg_dist_partition LIMIT 1`)) !== undefined

/**
 * Brings the schema up to date, and on a sharded database the tables that this has created to their places.
 * @returns the ids of the migrations that this call applied.
 */
export async function migrateDeployment(db: OpenDatabase): Promise<string[]> {
  const applied = await db.migrate()
  if (db.distribute !== undefined && (await isSpread(db))) await db.distribute(shardedTables())
  return applied
}
