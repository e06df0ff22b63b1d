// Files: uploads whose bytes have arrived and match their announcement.
import { type File, accesses, imageMimes } from '@bailiwick/contract'
import type { Reader } from '../platform/db/database.ts'
import { notFound } from '../platform/http/api-error.ts'
import { type CreatedRange, type ListIndex, narrowed, totalOf } from '../platform/http/lists/list-filter.ts'
import { pageEnvelope, type PageQuery, pageRequest, selectPageAndTotal } from '../platform/http/lists/page.ts'
import type { TenantId } from '../platform/ids.ts'
import { getTenant } from '../tenancy/tenants/tenants.ts'
import { filesCounter } from './counts.ts'
import type { Deps } from './deps.ts'
import { presentFile } from './present.ts'
import * as queries from './queries.ts'

/** The file with its internal columns: where its bytes are, and who may see them. */
export const findStoredFile = (reader: Reader, tenantId: TenantId, id: string): Promise<queries.FileRow | undefined> =>
  queries.selectFile(reader, tenantId, id)

/** The columns of a file that delivery reads for each picture of a page. */
export const findShownFile = (
  reader: Reader,
  tenantId: TenantId,
  id: string,
): Promise<queries.ShownFileRow | undefined> => queries.selectShownFile(reader, tenantId, id)

/** @throws ApiError not_found */
export async function getFile({ db }: Deps, tenantId: TenantId, id: string): Promise<File> {
  const row = await queries.selectFile(db, tenantId, id)
  if (row === undefined) throw notFound()
  return presentFile(row)
}

export interface FileQuery extends PageQuery, CreatedRange {
  readonly mime?: string
  readonly access?: string
}

const listIndex: ListIndex = { name: 'media_files_mime_access', columns: { mime: imageMimes, access: accesses } }

/** @throws ApiError not_found for a tenant that does not exist. */
export async function listFiles(deps: Deps, tenantId: TenantId, query: FileQuery) {
  await getTenant(deps, tenantId)
  const request = pageRequest(query)
  const { mime, access } = query
  const list = narrowed(queries.fileSource(tenantId), { mime, access }, [listIndex], query)
  const { page, total } = await selectPageAndTotal(deps.db, list, totalOf(tenantId, list, filesCounter), request)
  return pageEnvelope(page, page.rows.map(presentFile), total, request.perPage)
}
