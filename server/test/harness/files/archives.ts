// Exports and imports between services of any engine, for tests.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import type { Deps } from '../../../src/identity/deps.ts'
import type { EngineName } from '../../../src/platform/db/database.ts'
import { type OpenDatabase, openDatabase } from '../../../src/platform/db/open.ts'
import { type CommandDeps } from '../../../src/service/open-deployment.ts'
import { exportTenant } from '../../../src/service/tenant-archive/export-tenant.ts'
import { type ImportOptions, importTenant } from '../../../src/service/tenant-archive/import-tenant.ts'
import { inspectArchive } from '../../../src/service/tenant-archive/inspect-archive.ts'
import { type Archive, openArchive } from '../../../src/service/tenant-archive/read-archive.ts'
import { newDatabase } from '../databases/databases.ts'
import { type TestService, startTestService, testEnv } from '../service.ts'

export const passphrase = 'as long as nobody guesses it'
const folder = mkdtempSync(join(tmpdir(), 'bailiwick-archive-'))
const closers: (() => Promise<unknown>)[] = [async () => rmSync(folder, { recursive: true })]
after(async () => {
  for (const close of closers.toReversed()) await close()
})

/** A deployment of its own: another database, another master key. */
export async function newService(engine: EngineName, replace?: (deps: Deps) => Partial<Deps>): Promise<TestService> {
  const { options, remove } = await newDatabase(engine)
  closers.push(remove)
  const database = await openDatabase(options)
  closers.push(() => database.close())
  const env = { ...testEnv, BAILIWICK_MASTER_KEY: randomBytes(32).toString('base64') }
  const service = await startTestService(database, env, replace)
  closers.push(() => service.app.close())
  return service
}

export const commandDeps = ({ deps }: TestService): CommandDeps => ({ ...deps, db: deps.db as OpenDatabase })

/** The path of a new file with the tenant in it. */
export async function exported(service: TestService, tenantId: string): Promise<string> {
  const path = join(folder, `${randomBytes(6).toString('hex')}.bailiwick`)
  await exportTenant(commandDeps(service), tenantId, path, passphrase)
  return path
}

async function withArchive<T>(path: string, use: (archive: Awaited<ReturnType<typeof openArchive>>) => Promise<T>) {
  const archive = await openArchive(path, async () => passphrase)
  try {
    return await use(archive)
  } finally {
    await archive.close()
  }
}

export const imported = (service: TestService, path: string, options?: ImportOptions) =>
  withArchive(path, (archive) => importTenant(service.deps, archive, options))

export const inspected = (service: TestService, path: string) =>
  withArchive(path, (archive) => inspectArchive(service.deps, archive))

export type ArchivedLine = Archive['lines'] extends () => AsyncGenerator<infer Each> ? Each : never

/** The lines of an archive in memory, to be edited as somebody with its passphrase can. */
export const opened = (path: string) =>
  withArchive(path, async (archive) => {
    const kept: ArchivedLine[] = []
    for await (const line of archive.lines()) kept.push(line)
    return { header: archive.header, kept }
  })

export function importedAs(
  service: TestService,
  { header, kept }: Awaited<ReturnType<typeof opened>>,
  edit: (line: ArchivedLine) => ArchivedLine,
  options?: ImportOptions,
) {
  const lines: Archive['lines'] = async function* () {
    yield* kept.map(edit)
  }
  return importTenant(service.deps, { header, lines, close: async () => undefined }, options)
}
