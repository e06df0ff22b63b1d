// Brings what runs beside the requests up to date with the bulk rows. A service of that many users has long read and sealed their
// events; one that starts on a million new ones is busy with them for an hour, and neither idle nor alone with its requests.
import { readConfig } from '@bailiwick/server/src/platform/config.ts'
import { sealAll } from '@bailiwick/server/src/platform/events/sealer.ts'
import { createLog } from '@bailiwick/server/src/platform/log.ts'
import { buildDeps, openConfiguredDatabase } from '@bailiwick/server/src/service/main.ts'
import { fanOutAll } from '@bailiwick/server/src/messaging/webhooks/fan-out.ts'
import type { Store } from './store.ts'

/** While no service runs on the store. */
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
