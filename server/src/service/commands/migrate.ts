import type { Config } from '../../platform/config.ts'
import { migrateDeployment } from '../deployment/layout.ts'
import { openConfiguredDatabase } from '../main.ts'
import type { Outcome } from '../outcome.ts'

/** Brings the schema up to date. */
export async function migrate(config: Config): Promise<Outcome> {
  const { db, release } = await openConfiguredDatabase(config)
  try {
    const applied = await migrateDeployment(db)
    const text = applied.length === 0 ? 'The schema is current.' : `Applied: ${applied.join(', ')}`
    return { text, json: { applied } }
  } finally {
    await release()
  }
}
