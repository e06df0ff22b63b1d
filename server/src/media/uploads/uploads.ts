// Files that are announced first, and whose bytes are sent separately.
import {
  type CreateUpload,
  type File,
  type Upload,
  type UploadWithUrl,
  binaryEndpoints,
  tokenPrefixes,
} from '@bailiwick/contract'
import { invalidateTenant } from '../../platform/cache/invalidation.ts'
import { addMilliseconds, toMs } from '../../platform/clock.ts'
import { hashToken, newTokenOfTenant } from '../../platform/crypto/tokens.ts'
import { addToCounters, sumOfCounter } from '../../platform/db/counters.ts'
import type { Transaction } from '../../platform/db/database.ts'
import type { Statement } from '../../platform/db/sql.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { ApiError, invalid, notFound } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import { pageEnvelope, type PageQuery, pageRequest, selectPageAndTotal } from '../../platform/http/lists/page.ts'
import { type FileId, type TenantId, newId } from '../../platform/ids.ts'
import { jobStatement } from '../../platform/jobs/jobs.ts'
import { metaText, toJson } from '../../platform/json-text.ts'
import { getTenant } from '../../tenancy/tenants/tenants.ts'
import { announced, checkQuota, keptBytesCounter, removed, uploadsCounter } from '../counts.ts'
import { forgetKeptImages } from '../delivery/kept-images.ts'
import type { Deps } from '../deps.ts'
import { presentFile, presentUpload } from '../present.ts'
import * as queries from '../queries.ts'
import { removeBytesJob } from '../remove-bytes.ts'
import { storageKey, tenantPrefix } from '../storage/storage.ts'
import { svgBytesMax } from '../svg/sanitize.ts'
import { findDefinition } from '../transformations/transformations.ts'

const lifetimeMs = 60 * 60 * 1000
const lateMs = 10 * 60 * 1000
const contentPath = (id: string) => binaryEndpoints.sendUploadContent.path.replace('{id}', id)

/** The data of a file's events, without the name, which may contain personal data. */
export const described = ({ mime, size, access }: queries.UploadRow) => ({ mime, size, access })

/** Where to send the bytes, and what must be sent with them. */
function destination({ config, storage, clock }: Deps, row: queries.UploadRow, token: string) {
  if (row.direct_key === null || storage.presignPost === undefined) {
    return { uploadUrl: `${config.baseUrl}${contentPath(row.id)}?token=${token}`, fields: {} }
  }
  const { url, fields } = storage.presignPost({
    key: row.direct_key,
    mime: row.mime,
    size: row.size,
    expiresAtMs: toMs(row.expires_at),
    nowMs: clock.nowMs(),
  })
  return { uploadUrl: url, fields }
}

async function checkTransformations(deps: Deps, tenantId: TenantId, names: readonly string[]): Promise<void> {
  for (const [index, name] of names.entries()) {
    if ((await findDefinition(deps, tenantId, name)) !== undefined) continue
    throw invalid(
      `/transformations/${index}`,
      'unknown_reference',
      'is not the name of a transformation of this tenant',
    )
  }
}

export const completeDirectJobKind = 'media.complete-direct'

/** Adds the job that checks whether the bytes have arrived in the object store. */
export const completeDirectJob = ({ clock }: Pick<Deps, 'clock'>, tenantId: TenantId, id: FileId): Statement =>
  jobStatement(clock, { tenantId, kind: completeDirectJobKind, key: id })

/**
 * Reserves room for a file. Only this answer ever shows the address for its bytes.
 * @throws ApiError not_found, media_quota_exceeded, validation_failed for SVG that is too large and for unknown transformations
 */
export async function createUpload(
  deps: Deps,
  tenantId: TenantId,
  input: Omit<CreateUpload, 'tenantId'>,
  actor: Actor,
): Promise<UploadWithUrl> {
  const { db, clock, personal, storage } = deps
  await getTenant(deps, tenantId)
  if (input.mime === 'image/svg+xml' && input.size > svgBytesMax) {
    throw invalid('/size', 'too_large', `must be at most ${svgBytesMax} for SVG`)
  }
  const { transformations = [] } = input
  await checkTransformations(deps, tenantId, transformations)
  const token = newTokenOfTenant(tokenPrefixes.upload, tenantId)
  const direct = storage.presignPost && storageKey(tenantPrefix(tenantId), newId(), 'incoming')
  return db.transaction(async (tx) => {
    if ((await queries.selectTenantForNoKeyUpdate(tx, tenantId)) === undefined) throw notFound()
    await checkQuota(tx, deps, tenantId, input.size)
    const at = clock.next()
    const row: queries.UploadRow = {
      tenant_id: tenantId,
      id: newId<'FileId'>(),
      path: input.path ?? null,
      access: input.access,
      original_filename: input.originalFilename,
      mime: input.mime,
      size: input.size,
      meta: metaText(input.meta),
      token_hash: direct === undefined ? hashToken(token) : null,
      expires_at: addMilliseconds(clock.now(), lifetimeMs),
      claim: null,
      claimed_until: null,
      storage_key: null,
      direct_key: direct ?? null,
      transformations: transformations.length === 0 ? null : toJson(transformations),
      actor_type: actor.type,
      actor_id: actor.id,
      finished_at: null,
      created_at: at,
      updated_at: at,
    }
    const event = eventStatement(clock, personal, {
      tenantId,
      type: 'upload.created',
      actor,
      subjectId: row.id,
      data: { after: described(row) },
    })
    await tx.runAll([
      queries.insertUpload(row),
      addToCounters(tx, tenantId, announced(row.size)),
      ...(direct === undefined ? [] : [completeDirectJob(deps, tenantId, row.id)]),
      event,
    ])
    return { ...presentUpload(row), ...destination(deps, row, token) }
  })
}

/** @throws ApiError not_found */
export async function getUpload({ db }: Deps, tenantId: TenantId, id: string): Promise<Upload> {
  const row = await queries.selectUpload(db, tenantId, id)
  if (row === undefined) throw notFound()
  return presentUpload(row)
}

/** @throws ApiError not_found for a tenant that does not exist. */
export async function listUploads(deps: Deps, tenantId: TenantId, query: PageQuery) {
  await getTenant(deps, tenantId)
  const request = pageRequest(query)
  const { page, total } = await selectPageAndTotal(
    deps.db,
    queries.uploadSource(tenantId),
    sumOfCounter(tenantId, uploadsCounter),
    request,
  )
  return pageEnvelope(page, page.rows.map(presentUpload), total, request.perPage)
}

/**
 * Until its address expires, and a little longer if bytes are under way, whoever has the address can send to it again; what arrives is then
 * removed.
 */
export async function removeDirect(
  deps: Deps,
  tx: Transaction,
  { tenant_id, direct_key, expires_at }: queries.UploadRow,
) {
  if (direct_key === null) return
  await tx.run(removeBytesJob(deps, tenant_id, direct_key, addMilliseconds(expires_at, lateMs)))
}

/** Deletes the rows and adds the job that removes the bytes. */
export async function removeUpload(
  deps: Deps,
  tx: Transaction,
  upload: queries.UploadRow,
  file: queries.FileRow | undefined,
  actor: Actor,
) {
  const { clock, personal, tenants } = deps
  const { tenant_id: tenantId, id } = upload
  await tx.run(queries.deleteUpload(tenantId, id))
  if (file !== undefined) {
    await tx.run(queries.deleteFile(tenantId, id))
    // Images are shown from memory.
    await invalidateTenant(tx, tenants, tenantId)
  }
  // Comes after the file's own row, which a process that stores another image waits for.
  const kept = await forgetKeptImages(tx, tenantId, id)
  const counts = { ...removed(upload.size, file?.size, clock.now()), [keptBytesCounter]: -kept }
  await tx.run(addToCounters(tx, tenantId, counts))
  if (upload.storage_key !== null) await tx.run(removeBytesJob(deps, tenantId, upload.storage_key))
  await removeDirect(deps, tx, upload)
  await tx.run(
    eventStatement(clock, personal, {
      tenantId,
      type: 'upload.deleted',
      actor,
      subjectId: id,
      data: { before: { ...described(upload), finished: file !== undefined } },
    }),
  )
}

/** An upload and the file that it has become share one id: deleting either deletes both. */
async function removeBoth(deps: Deps, tenantId: TenantId, id: string, actor: Actor) {
  return deps.db.transaction(async (tx) => {
    // Locked, so that it does not become the tenant's icon or logo meanwhile.
    await queries.selectTenantForNoKeyUpdate(tx, tenantId)
    const upload = await queries.selectUploadForUpdate(tx, tenantId, id)
    if (upload === undefined) throw notFound()
    const file = await queries.selectFile(tx, tenantId, id)
    if (await queries.selectIsShown(tx, tenantId, id)) throw new ApiError('file_in_use')
    await removeUpload(deps, tx, upload, file, actor)
    return { upload, file }
  })
}

/** @throws ApiError not_found, file_in_use */
export async function deleteUpload(deps: Deps, tenantId: TenantId, id: string, actor: Actor): Promise<Upload> {
  return presentUpload((await removeBoth(deps, tenantId, id, actor)).upload)
}

/** @throws ApiError not_found, also for an upload that is not a file yet; file_in_use */
export async function deleteFile(deps: Deps, tenantId: TenantId, id: string, actor: Actor): Promise<File> {
  // A file never becomes an upload again, so this still holds below.
  if ((await queries.selectFile(deps.db, tenantId, id)) === undefined) throw notFound()
  const { file } = await removeBoth(deps, tenantId, id, actor)
  if (file === undefined) throw notFound()
  return presentFile(file)
}
