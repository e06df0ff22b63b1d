// An upload accepts bytes once. A sender claims it meanwhile: of a hundred simultaneous senders one succeeds, and if it fails, or its node
// dies, another may.
import { type Timestamp, addMilliseconds } from '../platform/clock.ts'
import { addToCounters } from '../platform/db/counters.ts'
import type { Transaction } from '../platform/db/database.ts'
import { eventStatement } from '../platform/events/append.ts'
import { ApiError, notFound } from '../platform/http/api-error.ts'
import type { Actor } from '../platform/http/credentials/principal.ts'
import { newId } from '../platform/ids.ts'
import { fromJson } from '../platform/json-text.ts'
import { arrived } from './counts.ts'
import { precomputeJob } from './delivery/precompute.ts'
import type { Deps } from './deps.ts'
import * as queries from './queries.ts'
import type { ClaimedUpload } from './queries.ts'
import { folderOf, removeBytesJob } from './remove-bytes.ts'
import { storageKey, tenantPrefix } from './storage/storage.ts'
import type { CheckedImage } from './uploads/check-image.ts'
import { described, removeDirect } from './uploads/uploads.ts'

/** Longer than receiving and checking the bytes may take. */
const claimMs = 10 * 60_000

/** @throws ApiError not_found, upload_finished, upload_under_way */
export function checkUnclaimed({ finished_at, expires_at, claimed_until }: queries.UploadRow, now: Timestamp) {
  if (finished_at !== null) throw new ApiError('upload_finished')
  if (expires_at <= now) throw notFound()
  if (claimed_until !== null && claimed_until > now) throw new ApiError('upload_under_way')
}

function claimedBy(row: queries.UploadRow, now: Timestamp): ClaimedUpload {
  const claim = newId()
  return {
    ...row,
    claim,
    claimed_until: addMilliseconds(now, claimMs),
    // Chosen before anything is stored, so that the bytes can be found and removed even if the process dies.
    storage_key: storageKey(tenantPrefix(row.tenant_id), claim, 'original'),
    updated_at: now,
  }
}

/** Uses a single statement, because that suffices for nearly every upload. */
async function claimUntouched({ db, clock }: Deps, row: queries.UploadRow): Promise<ClaimedUpload | undefined> {
  const claimed = claimedBy(row, clock.now())
  return (await db.write(() => [queries.updateClaimOfUntouched(claimed)])) === 1 ? claimed : undefined
}

/**
 * @param found the upload as it was just read.
 * @throws ApiError not_found, upload_finished, upload_under_way
 */
export async function claimUpload(deps: Deps, found: queries.UploadRow): Promise<ClaimedUpload> {
  const { db, clock } = deps
  const { tenant_id: tenantId, id } = found
  const untouched = found.claim === null && found.storage_key === null ? await claimUntouched(deps, found) : undefined
  if (untouched !== undefined) return untouched
  return db.transaction(async (tx) => {
    const row = await queries.selectUploadForUpdate(tx, tenantId, id)
    if (row === undefined) throw notFound()
    const now = clock.now()
    checkUnclaimed(row, now)
    // A sender that died may have left bytes there.
    if (row.storage_key !== null) await tx.run(removeBytesJob(deps, tenantId, row.storage_key))
    const claimed = claimedBy(row, now)
    await tx.run(queries.updateClaim(claimed))
    return claimed
  })
}

/**
 * Releases the upload unfinished.
 * @param mayHaveBytes whether bytes may have been stored for it; the next claim, or its expiry, removes them.
 */
export async function releaseUpload({ db, clock }: Deps, upload: ClaimedUpload, mayHaveBytes: boolean) {
  const key = mayHaveBytes ? upload.storage_key : null
  await db.write(() => [queries.updateReleased(upload, key, clock.now())])
}

/** Uses the new file, in the transaction that creates it: both happen, or neither. */
export type UseFile = (tx: Transaction) => Promise<void>

async function becomeFile(deps: Deps, row: ClaimedUpload, image: CheckedImage, actor: Actor, use?: UseFile) {
  const { db, clock, personal } = deps
  const { bytes, header, sha256 } = image
  const { tenant_id: tenantId, id } = row
  await db.transaction(async (tx) => {
    const [now, at] = [clock.now(), clock.next()]
    if ((await tx.run(queries.updateFinished(row, now))) === 0) throw notFound()
    const file = queries.insertFile({
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
      storage_key: row.storage_key,
      sha256,
      created_at: at,
      updated_at: at,
    })
    const event = eventStatement(clock, personal, {
      tenantId,
      type: 'upload.completed',
      actor,
      subjectId: id,
      data: { after: { ...described(row), size: bytes.length, width: header.width, height: header.height } },
    })
    await tx.runAll([file, addToCounters(tx, tenantId, arrived(row.size, bytes.length, now)), event])
    await removeDirect(deps, tx, row)
    if (row.transformations !== null) {
      await tx.run(precomputeJob(deps, tenantId, row.id, fromJson(row.transformations)))
    }
    await use?.(tx)
  })
}

/**
 * Stores the bytes, and then records the file.
 * @throws ApiError not_found if the upload was deleted meanwhile, and whatever `use` throws; nothing is stored then.
 */
export async function keepUpload(
  deps: Deps,
  upload: ClaimedUpload,
  image: CheckedImage,
  actor: Actor,
  use?: UseFile,
): Promise<void> {
  await deps.storage.put(upload.storage_key, image.bytes, upload.mime, true)
  try {
    await becomeFile(deps, upload, image, actor, use)
  } catch (error) {
    // After any other failure the file may have been recorded, and then its bytes must stay.
    if (error instanceof ApiError) await deps.storage.deleteAll(folderOf(upload.storage_key))
    throw error
  }
}
