// The service's own functions on a store of the benchmark, without a server.
import { fanOutAll } from '@bailiwick/server/src/messaging/webhooks/fan-out.ts'
import { readConfig } from '@bailiwick/server/src/platform/config.ts'
import { sealAll } from '@bailiwick/server/src/platform/events/sealer.ts'
import { createLog } from '@bailiwick/server/src/platform/log.ts'
import { shardedTables } from '@bailiwick/server/src/service/deployment/layout.ts'
import { buildDeps, openConfiguredDatabase } from '@bailiwick/server/src/service/main.ts'
import type { Store } from './store.ts'

const configure = ({ dataDir, operatorKey, databaseUrl }: Store) =>
  readConfig({
    BAILIWICK_DATA_DIR: dataDir,
    BAILIWICK_OPERATOR_KEY: operatorKey,
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
  })

/** Opens the store for as long as `work` takes. Call it while no service runs on the store. */
export async function withStoreDeps<Result>(
  store: Store,
  work: (deps: Awaited<ReturnType<typeof buildDeps>>) => Promise<Result>,
): Promise<Result> {
  const config = configure(store)
  const { db, release } = await openConfiguredDatabase(config)
  try {
    return await work(await buildDeps(config, db, createLog(config, { write: () => undefined })))
  } finally {
    await release()
  }
}

/**
 * Lets the background work process the bulk rows, while no service runs on the store. A service that has had so many users for long has read
 * and sealed their events; one that starts with a million new events would be busy with them for an hour, so it would be neither idle nor
 * undisturbed.
 */
export const catchUp = (store: Store): Promise<void> =>
  withStoreDeps(store, async (deps) => {
    await fanOutAll(deps)
    await sealAll(deps)
  })

/** Spreads the tables of a store over the servers of its Citus cluster. */
export async function distribute(store: Store): Promise<void> {
  const { db, release } = await openConfiguredDatabase(configure(store))
  try {
    await db.distribute?.(shardedTables())
  } finally {
    await release()
  }
}
