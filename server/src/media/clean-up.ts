// Removes uploads that did not arrive in time, and what interrupted uploads have left on this machine.
import type { Actor } from '../platform/http/credentials/principal.ts'
import type { Deps } from './deps.ts'
import { selectExpiredUploads, selectUploadForUpdate } from './queries.ts'
import { stagingDirectory } from './storage/create-storage.ts'
import { sweepDirectory } from './storage/disk.ts'
import { removeUpload } from './uploads/uploads.ts'

const batchSize = 200
/** Longer than any upload may take, so nobody is writing to a file that was untouched for so long. */
const untouchedMs = 15 * 60_000
const system: Actor = { type: 'system', id: null, ip: null, ua: null }

/** Does a bounded amount of work and returns whether there is more. */
export async function cleanUpUploads(deps: Deps): Promise<boolean> {
  const { db, clock, config } = deps
  const expired = await selectExpiredUploads(db, clock.now(), batchSize)
  for (const { tenant_id: tenantId, id } of expired) {
    await db.transaction(async (tx) => {
      const row = await selectUploadForUpdate(tx, tenantId, id)
      const now = clock.now()
      if (row === undefined || row.finished_at !== null) return
      if (row.claimed_until !== null && row.claimed_until > now) return
      await removeUpload(deps, tx, row, undefined, system)
    })
  }
  await sweepDirectory(stagingDirectory(config), clock.nowMs() - untouchedMs)
  return expired.length === batchSize
}

/** Runs at the start of the only process with this data directory, when every earlier sender is gone. */
export const forgetStagedBodies = ({ config }: Pick<Deps, 'config'>) =>
  sweepDirectory(stagingDirectory(config), Number.POSITIVE_INFINITY)
