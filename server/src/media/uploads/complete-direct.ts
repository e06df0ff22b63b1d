// Detects uploads that go directly to the object store. The store sends no notification, so it is asked, with growing pauses, until the
// upload expires. Nobody has checked the object, and whoever has the upload's address can replace it. Therefore it becomes a file as a
// copy, which is checked like every other and has a key that was never given out.
import { type Timestamp, addMilliseconds, toMs } from '../../platform/clock.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { TenantId } from '../../platform/ids.ts'
import type { JobHandler, JobResult } from '../../platform/jobs/jobs.ts'
import { claimUpload, keepUpload, releaseUpload } from '../claim.ts'
import type { Deps } from '../deps.ts'
import { type ClaimedUpload, type UploadRow, selectUpload } from '../queries.ts'
import type { StorageKey } from '../storage/storage.ts'
import { withCheckedImage } from './check-image.ts'

const pauseMsMin = 1000
const pauseMsMax = 30_000
/** The older an upload is, the less it matters how soon it is noticed. */
const pauseShare = 1 / 4

function nextLook(upload: UploadRow, now: Timestamp): Timestamp {
  const age = toMs(now) - toMs(upload.created_at)
  return addMilliseconds(now, Math.min(Math.max(age * pauseShare, pauseMsMin), pauseMsMax))
}

/** Reads a whole object of the given size. Returns undefined if it is missing or has another size. */
async function readObject({ storage }: Deps, key: StorageKey, size: number): Promise<Buffer | undefined> {
  const content = await storage.get(key)
  if (content === undefined) return undefined
  const chunks: Buffer[] = []
  let received = 0
  for await (const chunk of content.stream) {
    received += (chunk as Buffer).length
    if (received > size) break
    chunks.push(chunk as Buffer)
  }
  return received === size ? Buffer.concat(chunks) : undefined
}

async function becomeFile(deps: Deps, upload: ClaimedUpload, key: StorageKey) {
  const actor: Actor = { type: upload.actor_type, id: upload.actor_id, ip: null, ua: null }
  let mayHaveBytes = false
  try {
    const { tenant_id: tenantId, mime, size } = upload
    const load = async () => {
      const bytes = await readObject(deps, key, size)
      if (bytes === undefined) throw new ApiError('payload_too_large')
      return bytes
    }
    await withCheckedImage({ tenantId, mime, size, load }, async (image) => {
      mayHaveBytes = true
      await keepUpload(deps, upload, image, actor)
    })
  } catch (error) {
    await releaseUpload(deps, upload, mayHaveBytes)
    throw error
  }
}

async function look(deps: Deps, tenantId: TenantId, id: string): Promise<JobResult> {
  const { db, clock, storage } = deps
  const upload = await selectUpload(db, tenantId, id)
  const now = clock.now()
  if (upload === undefined || upload.direct_key === null || upload.finished_at !== null) return 'done'
  if (upload.expires_at <= now) return 'done'
  if ((await storage.head(upload.direct_key)) !== undefined) {
    try {
      await becomeFile(deps, await claimUpload(deps, upload), upload.direct_key)
      await storage.delete(upload.direct_key)
      return 'done'
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // Bytes other than those announced are not stored; the right ones may still arrive.
      if (error.code !== 'upload_under_way') await storage.delete(upload.direct_key)
    }
  }
  return { againAt: nextLook(upload, now) }
}

export const completeDirectHandler = (deps: Deps): JobHandler => ({
  run: ({ tenantId, key }) => look(deps, tenantId, key),
})
