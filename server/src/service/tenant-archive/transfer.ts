// Archives over the operator's interface: a download that is made while it is sent, and an import that tells how far it is. Closing the
// connection ends either.
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ErrorCode, ImportProgress } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import { sql } from '../../platform/db/sql.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import { apiErrorOf } from '../../platform/http/render-error.ts'
import type { TenantId } from '../../platform/ids.ts'
import { getConsoleTenantId } from '../../tenancy/tenants/console-tenant.ts'
import { getTenant } from '../../tenancy/tenants/tenants.ts'
import { ArchiveError } from './archive-error.ts'
import { sealTenant } from './export-tenant.ts'
import { importTenant } from './import-tenant.ts'
import type { Inspection } from './inspect-archive.ts'
import { type Archive, readArchive } from './read-archive.ts'
import type { ReceivedArchive } from './receive-archive.ts'

const progressMs = 1000
const retryAfterSeconds = 10

/** How many archives a node may be working on. Each takes 64 MiB for its key, and a download keeps a connection to the database. */
export class Places {
  #free: number

  constructor(count: number) {
    this.#free = count
  }

  /**
   * Takes a place, and returns what gives it back.
   * @throws ApiError too_many_streams
   */
  take(): () => void {
    if (this.#free === 0) throw new ApiError('too_many_streams', { retryAfterSeconds })
    this.#free--
    let isTaken = true
    return () => {
      if (isTaken) this.#free++
      isTaken = false
    }
  }
}

/**
 * Returns the archive of a tenant as a stream, which is made as it is read.
 * @param leave called when nothing more is read for it.
 * @throws ApiError not_found, or forbidden for the console's own tenant
 */
export async function downloadArchive(
  deps: Deps,
  tenantId: TenantId,
  passphrase: string,
  actor: Actor,
  leave: () => void,
): Promise<Readable> {
  const { db, clock, personal, log } = deps
  await getTenant(deps, tenantId)
  if (tenantId === (await getConsoleTenantId(db))) {
    throw new ApiError('forbidden', { detail: "The console's own tenant belongs to its deployment." })
  }
  await db.write(() => [
    eventStatement(clock, personal, { tenantId, type: 'tenant.exported', actor, subjectId: tenantId, data: {} }),
  ])
  const archive = new PassThrough()
  // The one who sends the stream has listeners of its own; this one is there if nobody does.
  archive.on('error', () => undefined)
  sealTenant(deps, tenantId, passphrase, (pieces) =>
    pipeline(Readable.from(pieces, { objectMode: true, highWaterMark: 1 }), archive),
  )
    .catch((err: unknown) => {
      log.warn({ err, tenantId }, 'a download of an archive ended before the end of the archive')
      archive.destroy(err as Error)
    })
    .finally(leave)
  return archive
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

function errorOf(thrown: unknown): ApiError {
  if (thrown instanceof ArchiveError) {
    return new ApiError('archive_refused', { detail: sentence(thrown.message), cause: thrown })
  }
  return apiErrorOf(thrown)
}

const failed = (code: ErrorCode, message: string, rows: number): ImportProgress => ({
  step: 'failed',
  rows,
  code,
  message,
})

function lastLine({ tenant, rows, conflicts, domainsToVerify }: Inspection): ImportProgress {
  const rowsTotal = Object.values(rows).reduce((sum, count) => sum + count, 0)
  if (conflicts.length === 0) {
    const verifying = domainsToVerify === 0 ? {} : { domainsToVerify }
    return { step: 'imported', rows: rowsTotal, rowsTotal, tenant, ...verifying }
  }
  const message = 'Data of this server conflict with the tenant in the archive.'
  return { ...failed('archive_conflict', message, 0), rowsTotal, tenant, conflicts: [...conflicts] }
}

/** @throws ApiError archive_conflict if the tenant exists, before the archive is read. */
async function assertNew({ db }: Deps, { header: { tenantId } }: Archive) {
  const here = await db.first<{ deleted_at: string | null }>(
    sql`SELECT deleted_at FROM tenants WHERE id = ${tenantId} AND kind <> 'importing'`,
  )
  if (here === undefined) return
  const state =
    here.deleted_at === null ? 'already exists on this server' : 'was deleted on this server, but is not erased yet'
  throw new ApiError('archive_conflict', { detail: `The tenant ${tenantId} ${state}.` })
}

/**
 * Writes how far an import is: when a step begins, and then each second, also while no row is done, so that nobody takes the connection for
 * a dead one.
 */
class Progress {
  readonly #write: (line: ImportProgress) => void
  #line: ImportProgress | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(write: (line: ImportProgress) => void) {
    this.#write = write
  }

  get rows(): number {
    return this.#line?.rows ?? 0
  }

  readonly onRow = (step: 'checking' | 'writing', rowsTotal?: number) => {
    const isNew = step !== this.#line?.step
    const rows = isNew ? 1 : this.rows + 1
    this.#line = { step, rows, ...(rowsTotal === undefined ? {} : { rowsTotal }) }
    if (isNew) this.#tell()
    this.#timer ??= setInterval(() => this.#tell(), progressMs).unref()
  }

  end() {
    clearInterval(this.#timer)
  }

  #tell() {
    if (this.#line !== undefined) this.#write(this.#line)
  }
}

/**
 * Imports an archive that has arrived. Resolves once its first row has been opened, with the lines that say how far the import is; the last
 * one says how it ended.
 * @param signal ends the import, of which nothing is left then.
 * @param leave called when the import has ended, whether or not anybody still reads the lines.
 * @throws ApiError archive_refused or archive_conflict if that is clear by then
 */
export async function importArchive(
  deps: Deps,
  { file, passphrase, trustDomains }: ReceivedArchive,
  actor: Actor,
  signal: AbortSignal,
  serialize: (line: ImportProgress) => string,
  leave: () => void,
): Promise<Readable> {
  const lines = new PassThrough()
  lines.on('error', () => undefined)
  const begun = Promise.withResolvers<void>()
  const progress = new Progress((line) => {
    if (!lines.destroyed) lines.write(`${serialize(line)}\n`)
    begun.resolve()
  })
  const archive = await readArchive(file, async () => passphrase).catch((error: unknown) =>
    Promise.reject(errorOf(error)),
  )
  const run = async () => {
    try {
      await assertNew(deps, archive)
      return await importTenant(deps, archive, { actor, signal, trustDomains, onRow: progress.onRow })
    } finally {
      await archive.close()
    }
  }
  const running = run()
  const ended = running.then(lastLine, (thrown: unknown) => {
    const error = errorOf(signal.aborted ? new ApiError('unavailable', { cause: thrown }) : thrown)
    if (error.statusCode >= 500 && !signal.aborted) deps.log.error({ err: error.cause ?? error }, 'an import failed')
    return failed(error.code, error.message, progress.rows)
  })
  // Not before what was written is taken back: another import may begin then.
  void ended.then((line) => {
    progress.end()
    leave()
    if (!lines.destroyed) lines.end(`${serialize(line)}\n`)
  })
  try {
    await Promise.race([begun.promise, running])
  } catch (error) {
    throw errorOf(error)
  }
  return lines
}
