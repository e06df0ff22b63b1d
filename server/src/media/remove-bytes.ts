// Removes bytes after the rows that refer to them, by a job that is retried until the storage has done it.
import type { Timestamp } from '../platform/clock.ts'
import type { Statement } from '../platform/db/sql.ts'
import type { TenantId } from '../platform/ids.ts'
import { type JobHandler, JobRefused, jobStatement } from '../platform/jobs/jobs.ts'
import type { Deps } from './deps.ts'
import { type StorageKey, storageKey, tenantPrefix } from './storage/storage.ts'

export const removeBytesJobKind = 'media.remove-bytes'
/** Enough for some four days without the storage. */
const failuresMax = 200

/** Returns the folder of a file, which holds its bytes as uploaded and all images made from it. */
export const folderOf = (key: StorageKey): StorageKey => storageKey(...key.split('/').slice(0, -1))

export const removeBytesJob = (
  { clock }: Pick<Deps, 'clock'>,
  tenantId: TenantId,
  key: StorageKey,
  runAt?: Timestamp,
): Statement =>
  jobStatement(clock, {
    tenantId,
    kind: removeBytesJobKind,
    key: folderOf(key),
    payload: { folder: folderOf(key) },
    ...(runAt === undefined ? {} : { runAt }),
  })

/** Removes a single object. */
export const removeObjectJob = ({ clock }: Pick<Deps, 'clock'>, tenantId: TenantId, object: StorageKey): Statement =>
  jobStatement(clock, { tenantId, kind: removeBytesJobKind, key: object, payload: { object } })

export const removeBytesHandler = ({ storage }: Pick<Deps, 'storage'>): JobHandler => ({
  failuresMax,
  run: async ({ payload }) => {
    const { folder, object } = payload as { readonly folder?: unknown; readonly object?: unknown }
    if (typeof object === 'string') {
      await storage.delete(storageKey(...object.split('/')))
      return 'done'
    }
    if (typeof folder !== 'string') throw new JobRefused('the job names no folder')
    await storage.deleteAll(storageKey(...folder.split('/')))
    return 'done'
  },
})

/** Removes the bytes of all files of a tenant; must be called again until it resolves. The caller removes the rows. */
export const removeMediaOf = ({ storage }: Pick<Deps, 'storage'>, tenantId: TenantId): Promise<void> =>
  storage.deleteAll(tenantPrefix(tenantId))
