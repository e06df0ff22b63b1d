// Turns a database into a sharded one: its tables are spread over the servers of a Citus cluster. See docs/sharding.md.
import type { Config } from '../../../platform/config.ts'
import type { ShardedTable } from '../../../platform/db/citus/distribute.ts'
import { shardedTables } from '../../deployment/layout.ts'
import { assertNobodyElse } from '../../deployment/nobody-else.ts'
import { openConfiguredDatabase } from '../../main.ts'
import { assertCurrent } from '../../open-deployment.ts'
import { CommandRefused, type Outcome, exitStatus } from '../../outcome.ts'
import type { Tell } from '../terminal/progress.ts'

export interface DistributeOptions {
  readonly dryRun?: true
  readonly shards?: number
}

const placeTexts: Readonly<Record<ShardedTable['sharding'], string>> = {
  reference: 'on every server',
  local: 'on the coordinator alone',
  tenant: 'each row with its tenant',
}

function describeTables(tables: readonly ShardedTable[]): string[] {
  return (['reference', 'local', 'tenant'] as const).flatMap((sharding) => {
    const names = tables.filter((table) => table.sharding === sharding).map(({ name }) => name)
    return names.length === 0 ? [] : [`${names.length} ${placeTexts[sharding]}: ${names.join(', ')}`]
  })
}

/** @throws CommandRefused on SQLite, and while a service is running on the database. */
export async function distribute(config: Config, options: DistributeOptions, tell: Tell): Promise<Outcome> {
  if (config.databaseUrl === undefined) {
    throw new CommandRefused('only a PostgreSQL database with the extension citus can be distributed', exitStatus.usage)
  }
  const { db, release } = await openConfiguredDatabase(config)
  try {
    await assertCurrent(db)
    const isDryRun = options.dryRun === true
    if (!isDryRun)
      await assertNobodyElse(db, 'nodes are running on this database: stop them first, and start them again afterwards')
    const run = {
      shards: options.shards,
      isDryRun,
      tell: (doing: string, done: number, of: number) => tell(doing, done, of),
    }
    const found = await db.distribute?.(shardedTables(), run).catch((error: unknown) => {
      throw error instanceof Error ? new CommandRefused(error.message) : error
    })
    const { tables = [], droppedKeys = [] } = found ?? {}
    const lines = [
      tables.length === 0
        ? 'Every table is in its place.'
        : `${tables.length} tables ${isDryRun ? 'would be' : 'were'} distributed:`,
      ...describeTables(tables),
      ...(droppedKeys.length === 0
        ? []
        : [`Foreign keys that a sharded database does not check: ${droppedKeys.join(', ')}`]),
    ]
    return { text: lines.join('\n'), json: { tables, droppedKeys, isDryRun } }
  } finally {
    await release()
  }
}
