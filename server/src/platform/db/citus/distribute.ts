// Spreads the tables of a database over the servers of a Citus cluster: the rows of a tenant are together on one shard, all shards of a tenant
// on one server. What was done is not done again, so that an interrupted run is continued by the next one, and tables of later migrations follow.
import type { Client } from 'pg'
import { schemaLock } from '../postgresql/migrate-postgresql.ts'
import type { PostgresqlServers } from '../postgresql/servers.ts'
import {
  type ForeignKey,
  type Sharding,
  type TableState,
  assertUsable,
  readForeignKeys,
  readTables,
  transactionDefault,
} from './read-layout.ts'

export interface ShardedTable {
  readonly name: string
  readonly sharding: Sharding
}

export interface DistributeOptions {
  /** How many shards there are for each table; without it, the setting citus.shard_count decides. */
  readonly shards?: number | undefined
  readonly isDryRun?: boolean
  readonly tell?: (doing: string, done: number, of: number) => void
}

export interface Distributed {
  /** The tables that were spread, or would be. */
  readonly tables: readonly ShardedTable[]
  /** The foreign keys that a sharded database cannot check, as `table.name`. */
  readonly droppedKeys: readonly string[]
}

/** Where the definitions of foreign keys are kept while they are not there. */
const keptKeys = 'sharding.foreign_keys'

/**
 * Spreads those of the tables that are not spread yet.
 * @param tables each declared table; one that the database does not have is left out.
 * @throws Error if the extension or a server for shards is missing.
 */
export async function distributeTables(
  servers: PostgresqlServers,
  tables: readonly ShardedTable[],
  options: DistributeOptions = {},
): Promise<Distributed> {
  const connection = await servers.connect()
  const { client } = connection
  try {
    for (const name of ['statement_timeout', 'idle_in_transaction_session_timeout'])
      await client.query(`SET ${name} = 0`)
    // Changes one table after the other, so that no server sees half of a change of the schema.
    await client.query(`SET citus.multi_shard_modify_mode = 'sequential'`)
    await client.query('SELECT pg_advisory_lock($1)', [schemaLock])
    return await distribute(client, tables, options)
  } finally {
    await connection.end()
  }
}

async function distribute(
  client: Client,
  tables: readonly ShardedTable[],
  { shards, isDryRun = false, tell = () => undefined }: DistributeOptions,
): Promise<Distributed> {
  await assertUsable(client)
  const states = await readTables(client)
  const order: readonly Sharding[] = ['reference', 'local', 'tenant']
  const pending = order.flatMap((sharding) =>
    tables.filter((table) => table.sharding === sharding && isElsewhere(states.get(table.name), sharding)),
  )
  const shardings = new Map(tables.map(({ name, sharding }) => [name, sharding]))
  const found = await readForeignKeys(client)
  const names = new Set(pending.map(({ name }) => name))
  const moved = found.filter(({ table, target }) => names.has(table) || names.has(target))
  const kept = isDryRun ? moved : await takeKeys(client, moved)
  const isChecked = (key: ForeignKey) => shardings.get(key.target) !== 'tenant' || shardings.get(key.table) === 'tenant'
  const droppedKeys = kept.filter((key) => !isChecked(key)).map(({ table, name }) => `${table}.${name}`)
  if (isDryRun) return { tables: pending, droppedKeys }
  let first = [...states.values()].find(({ sharding }) => sharding === 'tenant')?.name
  for (const [done, table] of pending.entries()) {
    tell('Tables spread', done, pending.length)
    await spread(client, table, states.get(table.name), { first, shards })
    if (table.sharding === 'tenant') first ??= table.name
  }
  for (const [done, key] of kept.entries()) {
    tell('Foreign keys added', done, kept.length)
    if (isChecked(key)) await addKey(client, key)
  }
  if (kept.length > 0) await client.query('DELETE FROM deployment WHERE name = $1', [keptKeys])
  for (const [done, { name }] of pending.entries()) {
    tell('Tables analysed', done, pending.length)
    await analyse(client, name)
  }
  return { tables: pending, droppedKeys }
}

const isElsewhere = (state: TableState | undefined, sharding: Sharding) =>
  state !== undefined && state.sharding !== sharding

/** Drops the keys and keeps their definitions, with those of a run that was interrupted. Returns all of them. */
async function takeKeys(client: Client, keys: readonly ForeignKey[]): Promise<readonly ForeignKey[]> {
  const { rows } = await client.query<{ value: string }>('SELECT value FROM deployment WHERE name = $1', [keptKeys])
  const earlier = JSON.parse(rows[0]?.value ?? '[]') as ForeignKey[]
  if (keys.length === 0) return earlier
  const isSame = (one: ForeignKey) => (other: ForeignKey) => one.table === other.table && one.name === other.name
  const all = [...earlier.filter((key) => !keys.some(isSame(key))), ...keys]
  await inTransaction(client, async () => {
    await client.query(
      `INSERT INTO deployment (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
      [keptKeys, JSON.stringify(all)],
    )
    for (const { table, name } of keys) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`)
  })
  return all
}

interface Place {
  /** A table whose rows are with their tenants already. */
  readonly first: string | undefined
  readonly shards: number | undefined
}

async function spread(client: Client, table: ShardedTable, state: TableState | undefined, { first, shards }: Place) {
  const { name, sharding } = table
  await inTransaction(client, async () => {
    if (sharding === 'reference') await client.query('SELECT create_reference_table($1)', [name])
    if (sharding === 'local') await client.query('SELECT citus_add_local_table_to_metadata($1)', [name])
    if (sharding !== 'tenant') return
    for (const change of state?.keyChanges ?? []) await client.query(change)
    for (const column of state?.transactionColumns ?? []) {
      await client.query(`ALTER TABLE ${name} ALTER COLUMN ${column} SET DEFAULT ${transactionDefault}`)
    }
    const count = shards === undefined ? '' : `, shard_count => ${shards}`
    await client.query(
      `SELECT create_distributed_table($1, 'tenant_id', ${first === undefined ? `colocate_with => 'none'${count}` : 'colocate_with => $2'})`,
      first === undefined ? [name] : [name, first],
    )
  })
  // What was copied to the shards is still on the coordinator, where nothing sees it.
  if (sharding !== 'local') await client.query('SELECT truncate_local_data_after_distributing_table($1)', [name])
}

/** Without statistics of the shards, statements would read whole tables until the servers look at these by themselves. */
async function analyse(client: Client, name: string): Promise<void> {
  const { rows } = await client.query(`SELECT 1 FROM ${name} LIMIT 1`)
  if (rows.length > 0) await client.query(`ANALYZE ${name}`)
}

async function addKey(client: Client, { table, name, definition }: ForeignKey): Promise<void> {
  const { rows } = await client.query('SELECT 1 FROM pg_constraint WHERE conrelid = $1::regclass AND conname = $2', [
    table,
    name,
  ])
  if (rows.length === 0) await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`)
}

async function inTransaction(client: Client, body: () => Promise<void>): Promise<void> {
  await client.query('BEGIN')
  try {
    await body()
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined)
    throw error
  }
}
