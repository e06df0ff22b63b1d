// A private Citus for tests: a coordinator that also holds shards, which is enough for statements and cheap, or one with workers beside it, to
// move shards. Each node is a private PostgreSQL, which the others reach over its socket. Citus itself comes from scripts/build-citus.ts.
import { type PrivatePostgres, findExtension, startPrivatePostgres } from './private-postgres.ts'
import { runStatements } from './private-servers.ts'

/** Few shards, because each table has a file for each of them in each database of a test. */
const testShards = 2

const settings = (shards: number) => ({
  shared_preload_libraries: 'citus',
  'citus.shard_count': String(shards),
  // A daemon works in each database of a test.
  max_worker_processes: '100',
  max_connections: '300',
  max_prepared_transactions: '300',
  'citus.enable_statistics_collection': 'off',
  'citus.max_cached_conns_per_worker': '2',
  'citus.node_conninfo': 'sslmode=disable',
  // Only of an error that is logged, Citus says that it was a deadlock, so that the transaction is run again.
  log_min_messages: 'error',
  log_min_error_statement: 'panic',
})

export interface PrivateCitus {
  /** The address of the coordinator's database `postgres`, as superuser. */
  readonly url: string
  readonly coordinator: PrivatePostgres
  readonly workers: readonly PrivatePostgres[]
  stop(): Promise<void>
}

/** Returns host and port for SQL. Citus reaches the nodes of a private cluster by the folders of their sockets. */
function formatPlace(url: string): string {
  const { hostname, port, searchParams } = new URL(url)
  return `'${searchParams.get('host') ?? hostname}', ${port === '' ? 5432 : Number(port)}`
}

/**
 * Makes a database that has the extension, on each node, and registers the nodes.
 * @param url the address of an empty database on the coordinator.
 */
export async function addCitus(url: string, { workers = [] as readonly PrivatePostgres[] } = {}): Promise<void> {
  const name = new URL(url).pathname.slice(1)
  for (const worker of workers) {
    const own = new URL(worker.url)
    if (name !== 'postgres') await runStatements(own.href, [`CREATE DATABASE ${name}`])
    own.pathname = `/${name}`
    await runStatements(own.href, ['CREATE EXTENSION citus'])
  }
  const own = formatPlace(url)
  for (const each of [url, ...workers.map((worker) => worker.url)]) {
    await runStatements(each, [
      `ALTER SYSTEM SET citus.local_hostname = ${formatPlace(each).split(',')[0] ?? ''}`,
      'SELECT pg_reload_conf()',
    ])
  }
  await runStatements(url, [
    'CREATE EXTENSION citus',
    `SELECT citus_set_coordinator_host(${own})`,
    ...workers.map((worker) => `SELECT citus_add_node(${formatPlace(worker.url)})`),
    ...(workers.length === 0 ? [`SELECT citus_set_node_property(${own}, 'shouldhaveshards', true)`] : []),
  ])
}

/** The newest releases of PostgreSQL decode their log only with libraries that this setting names; earlier ones do not know it. */
async function allowMoves(url: string): Promise<void> {
  try {
    await runStatements(url, [
      `ALTER SYSTEM SET output_plugin_libraries = 'citus', 'pgoutput'`,
      'SELECT pg_reload_conf()',
    ])
  } catch (error) {
    if (!String(error).includes('unrecognized configuration parameter')) throw error
  }
}

/**
 * @param options.isDurable false if nothing has to survive a crash of the machine, which is faster.
 * @param options.workerCount how many workers hold the shards; 0 if the coordinator holds them.
 * @throws Error if Citus is not installed for the PostgreSQL that is used.
 */
export async function startPrivateCitus({
  isDurable = true,
  workerCount = 0,
  shards = testShards,
} = {}): Promise<PrivateCitus> {
  if (findExtension('citus') === undefined) {
    throw new Error(
      'the extension citus is not installed for the PostgreSQL of this machine: build it with node scripts/build-citus.ts <source>',
    )
  }
  // Moving a shard while it is used takes logical replication.
  const further = workerCount === 0 ? {} : { wal_level: 'logical', max_wal_senders: '20', max_replication_slots: '20' }
  const nodes: PrivatePostgres[] = []
  const stop = async () => {
    for (const node of nodes.toReversed()) await node.stop()
  }
  try {
    for (let count = 0; count <= workerCount; count++) {
      const node = await startPrivatePostgres({ isDurable, settings: { ...settings(shards), ...further } })
      nodes.push(node)
      if (workerCount > 0) await allowMoves(node.url)
    }
  } catch (error) {
    await stop()
    throw error
  }
  const [coordinator, ...workers] = nodes
  if (coordinator === undefined) throw new Error('there is no coordinator')
  return { url: coordinator.url, coordinator, workers, stop }
}
