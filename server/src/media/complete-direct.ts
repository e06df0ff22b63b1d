// Uploads that go straight to the object store are noticed here: it tells nobody, so it is asked, ever more rarely, until the
// upload expires. What lies there was looked at by nobody and can be replaced by whoever has the address; it becomes a file as a
// copy, checked like every other, under a name that was never given out.
import { type Timestamp, addMilliseconds, toMs } from '../platform/clock.ts'
import type { Deps } from './deps.ts'
import { ApiError } from '../platform/http/api-error.ts'
import type { Actor } from '../platform/http/principal.ts'
import type { JobHandler, JobResult } from '../platform/jobs/jobs.ts'
import type { TenantId } from '../platform/ids.ts'
import { withCheckedImage } from './check-image.ts'
import { claimUpload, keepUpload, releaseUpload } from './claim.ts'
import { type ClaimedUpload, type UploadRow, selectUpload } from './queries.ts'
import type { StorageKey } from './storage/storage.ts'

const pauseMsMin = 1000
const pauseMsMax = 30_000
/** The older an upload is, the less it matters when it is noticed. */
const pauseShare = 1 / 4

function nextLook(upload: UploadRow, now: Timestamp): Timestamp {
  const age = toMs(now) - toMs(upload.created_at)
  return addMilliseconds(now, Math.min(Math.max(age * pauseShare, pauseMsMin), pauseMsMax))
}

/** All of an object that is known to be no larger than an upload may be. */
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
      // What is not as it was announced is not kept; the right bytes may still come.
      if (error.code !== 'upload_under_way') await storage.delete(upload.direct_key)
    }
  }
  return { againAt: nextLook(upload, now) }
}

export const completeDirectHandler = (deps: Deps): JobHandler => ({
  run: ({ tenantId, key }) => look(deps, tenantId, key),
})
