// Lets the background work process the bulk rows. A service that has had so many users for long has read and sealed their events; one that
// starts with a million new events would be busy with them for an hour, so it would be neither idle nor undisturbed.
import { readConfig } from '@bailiwick/server/src/platform/config.ts'
import { sealAll } from '@bailiwick/server/src/platform/events/sealer.ts'
import { createLog } from '@bailiwick/server/src/platform/log.ts'
import { buildDeps, openConfiguredDatabase } from '@bailiwick/server/src/service/main.ts'
import { fanOutAll } from '@bailiwick/server/src/messaging/webhooks/fan-out.ts'
import type { Store } from './store.ts'

/** Call it while no service runs on the store. */
export async function catchUp({ dataDir, operatorKey, databaseUrl }: Store): Promise<void> {
  const config = readConfig({
    BAILIWICK_DATA_DIR: dataDir,
    BAILIWICK_OPERATOR_KEY: operatorKey,
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
  })
  const { db, release } = await openConfiguredDatabase(config)
  try {
    const deps = await buildDeps(config, db, createLog(config, { write: () => undefined }))
    await fanOutAll(deps)
    await sealAll(deps)
  } finally {
    await release()
  }
}
