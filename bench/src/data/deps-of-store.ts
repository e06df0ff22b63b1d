// The service's own functions on a store of the benchmark, without a server.
import { readConfig } from '@bailiwick/server/src/platform/config.ts'
import { createLog } from '@bailiwick/server/src/platform/log.ts'
import { buildDeps, openConfiguredDatabase } from '@bailiwick/server/src/service/main.ts'
import type { Store } from './store.ts'

/** Opens the store for as long as `work` takes. Call it while no service runs on the store. */
export async function withStoreDeps<Result>(
  { dataDir, operatorKey, databaseUrl }: Store,
  work: (deps: Awaited<ReturnType<typeof buildDeps>>) => Promise<Result>,
): Promise<Result> {
  const config = readConfig({
    BAILIWICK_DATA_DIR: dataDir,
    BAILIWICK_OPERATOR_KEY: operatorKey,
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
  })
  const { db, release } = await openConfiguredDatabase(config)
  try {
    return await work(await buildDeps(config, db, createLog(config, { write: () => undefined })))
  } finally {
    await release()
  }
}
