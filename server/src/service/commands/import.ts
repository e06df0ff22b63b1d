import type { Config } from '../../platform/config.ts'
import { importTenant } from '../tenant-archive/import-tenant.ts'
import { type Inspection, inspectArchive } from '../tenant-archive/inspect-archive.ts'
import { type Archive, openArchive } from '../tenant-archive/read-archive.ts'
import { ensureConsoleTenant } from '../tenant-lifecycle/create-tenant.ts'
import { type CommandDeps, reading, writing } from '../open-deployment.ts'
import { totalOf } from './export.ts'
import { CommandRefused, type Outcome, exitStatus } from '../outcome.ts'
import { readPassphrase } from './passphrase.ts'

function outcome({ tenant, rows, conflicts }: Inspection, isDryRun: boolean): Outcome {
  const json = { tenantId: tenant.id, slug: tenant.slug, rows, conflicts, dryRun: isDryRun }
  const verb = isDryRun ? 'would be imported' : 'imported'
  if (conflicts.length === 0) return { text: `${tenant.slug} (${tenant.id}): ${totalOf(rows)} rows ${verb}`, json }
  const lines = [`${tenant.slug} (${tenant.id}) cannot be imported:`, ...conflicts]
  return { text: lines.join('\n  - '), json, status: exitStatus.problems }
}

/** Restores a tenant from its file; with `dryRun` it only says whether that would succeed. */
export async function importCommand(
  config: Config,
  file: string,
  options: { readonly dryRun?: true; readonly passphraseFile?: string },
): Promise<Outcome> {
  const withArchive = async (deps: CommandDeps, use: (deps: CommandDeps, archive: Archive) => Promise<Inspection>) => {
    const archive = await openArchive(file, () => readPassphrase(config, options.passphraseFile, false))
    try {
      return await use(deps, archive)
    } finally {
      await archive.close()
    }
  }
  if (options.dryRun === true) {
    return outcome(await reading(config, (deps) => withArchive(deps, inspectArchive)), true)
  }
  const inspection = await writing(config, async (deps) => {
    await ensureConsoleTenant(deps)
    return withArchive(deps, importTenant)
  })
  if (inspection.conflicts.length === 0) return outcome(inspection, false)
  throw new CommandRefused(`nothing was imported: ${inspection.conflicts.join('; ')}`)
}
