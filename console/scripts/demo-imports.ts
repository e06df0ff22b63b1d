// Imports in the background of the demo tenant: one that has finished with a refused line, and one that has come half way.
import type { ImportJob, User } from '@bailiwick/contract'
import { importJobHandler, importJobKind } from '../../server/src/identity/import-jobs/work.ts'
import type { TenantId } from '../../server/src/platform/ids.ts'
import type { TestService } from '../../server/test/harness/service.ts'

const lineCount = 300

export async function addImports(service: TestService, tenantId: string, users: readonly User[]) {
  const [known] = users.flatMap(({ id }) => ({ id }))
  const lines = Array.from({ length: lineCount }, () => known)
  const create = (body: readonly unknown[]) => service.ok<ImportJob>('createImportJob', { query: { tenantId }, body })
  const run = ({ id }: ImportJob, signal: AbortSignal) => {
    const job = { tenantId: tenantId as TenantId, kind: importJobKind, key: id, payload: null }
    return importJobHandler(service.deps).run(job, signal)
  }
  await run(await create([...lines, { email: 'grace@' }]), new AbortController().signal)
  const half = await create(lines)
  const stopping = new AbortController()
  const running = run(half, stopping.signal)
  const done = async () => (await service.ok<ImportJob>('getImportJob', { params: { id: half.id } })).linesDone
  while ((await done()) === 0);
  stopping.abort()
  await running
}
