// An upload takes bytes once. Who sends them holds it meanwhile: of a hundred at the same moment one may, and when that one
// fails, or its node dies, the next.
import { addMilliseconds } from '../clock.ts'
import { addToCounters } from '../db/counters.ts'
import type { Deps } from '../deps.ts'
import { eventStatement } from '../events/append.ts'
import { ApiError, notFound } from '../http/api-error.ts'
import type { Actor } from '../http/principal.ts'
import { type TenantId, newId } from '../ids.ts'
import type { CheckedImage } from './check-image.ts'
import { arrived } from './counts.ts'
import { precomputeJob } from './delivery/precompute-job.ts'
import * as queries from './queries.ts'
import { folderOf, removeBytesJob } from './remove-bytes.ts'
import { type StorageKey, storageKey, tenantPrefix } from './storage/storage.ts'
import { described, removeDirect } from './uploads.ts'

/** Longer than the bytes may take to come and to be looked at. */
const claimMs = 10 * 60_000

export type ClaimedUpload = queries.UploadRow & { readonly claim: string; readonly storage_key: StorageKey }

/** @throws ApiError not_found, upload_finished, upload_under_way */
export async function claimUpload(deps: Deps, tenantId: TenantId, id: string): Promise<ClaimedUpload> {
  const { db, clock } = deps
  return db.transaction(async (tx) => {
    const row = await queries.selectUploadForUpdate(tx, tenantId, id)
    const now = clock.now()
    if (row === undefined) throw notFound()
    if (row.finished_at !== null) throw new ApiError('upload_finished')
    if (row.expires_at <= now) throw notFound()
    if (row.claimed_until !== null && row.claimed_until > now) throw new ApiError('upload_under_way')
    // Somebody who died may have left bytes there.
    if (row.storage_key !== null) await tx.run(removeBytesJob(deps, tenantId, row.storage_key))
    const claim = newId()
    const claimed: ClaimedUpload = {
      ...row,
      claim,
      claimed_until: addMilliseconds(now, claimMs),
      // Known before there is anything, so that it can be found and removed whenever the process dies.
      storage_key: storageKey(tenantPrefix(tenantId), claim, 'original'),
      updated_at: now,
    }
    await tx.run(queries.updateUpload(claimed))
    return claimed
  })
}

/**
 * Gives the upload back unfinished.
 * @param mayHaveBytes whether something may have been kept for it; whoever claims it next, or its expiry, has that removed.
 */
export async function releaseUpload(
  { db, clock }: Deps,
  { tenant_id: tenantId, id, claim }: ClaimedUpload,
  mayHaveBytes: boolean,
) {
  await db.transaction(async (tx) => {
    const row = await queries.selectUploadForUpdate(tx, tenantId, id)
    if (row?.claim !== claim) return
    const free = { claim: null, claimed_until: null, updated_at: clock.now() }
    await tx.run(queries.updateUpload({ ...row, ...free, storage_key: mayHaveBytes ? row.storage_key : null }))
  })
}

async function becomeFile(deps: Deps, upload: ClaimedUpload, { bytes, header, sha256 }: CheckedImage, actor: Actor) {
  const { db, clock, personal } = deps
  const { tenant_id: tenantId, id } = upload
  await db.transaction(async (tx) => {
    const row = await queries.selectUploadForUpdate(tx, tenantId, id)
    if (row === undefined || row.claim !== upload.claim) throw notFound()
    const at = clock.now()
    await tx.run(queries.updateUpload({ ...row, claim: null, claimed_until: null, finished_at: at, updated_at: at }))
    await tx.run(
      queries.insertFile({
        tenant_id: tenantId,
        id,
        path: row.path ?? row.original_filename ?? id,
        access: row.access,
        original_filename: row.original_filename,
        description: null,
        mime: row.mime,
        size: bytes.length,
        width: header.width,
        height: header.height,
        frames: header.frames,
        duration: null,
        transformation_id: null,
        meta: row.meta,
        storage_key: upload.storage_key,
        sha256,
        created_at: at,
        updated_at: at,
      }),
    )
    await tx.run(addToCounters(tx, tenantId, arrived(row.size, bytes.length, at)))
    await removeDirect(deps, tx, row)
    if (row.transformations !== null) {
      const names = JSON.parse(row.transformations) as readonly string[]
      await tx.run(precomputeJob(deps, tenantId, row.id, names))
    }
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'upload.completed',
        actor,
        subject: { type: 'upload', id },
        data: { after: { ...described(row), size: bytes.length, width: header.width, height: header.height } },
      }),
    )
  })
}

/**
 * Keeps the bytes, and then says that they are there.
 * @throws ApiError not_found where the upload was deleted meanwhile; nothing is kept then.
 */
export async function keepUpload(deps: Deps, upload: ClaimedUpload, image: CheckedImage, actor: Actor): Promise<void> {
  await deps.storage.put(upload.storage_key, image.bytes, upload.mime)
  try {
    await becomeFile(deps, upload, image, actor)
  } catch (error) {
    // Of any other failure it is not known whether the file was written down, and then its bytes must be there.
    if (error instanceof ApiError) await deps.storage.deleteAll(folderOf(upload.storage_key))
    throw error
  }
}
