import type { Config } from '../../platform/config.ts'
import { type CommandDeps, reading, writing } from '../open-deployment.ts'
import { CommandRefused, type Outcome, exitStatus } from '../outcome.ts'
import { importTenant } from '../tenant-archive/import-tenant.ts'
import { type Inspection, inspectArchive } from '../tenant-archive/inspect-archive.ts'
import { type Archive, openArchive } from '../tenant-archive/read-archive.ts'
import { ensureConsoleTenant } from '../tenant-lifecycle/create-tenant.ts'
import { totalOf } from './export.ts'
import { readPassphrase } from './terminal/passphrase.ts'
import type { Tell } from './terminal/progress.ts'

function outcome({ tenant, rows, conflicts, domainsToVerify }: Inspection, isDryRun: boolean): Outcome {
  const json = { tenantId: tenant.id, slug: tenant.slug, rows, conflicts, domainsToVerify, dryRun: isDryRun }
  const verb = isDryRun ? 'would be imported' : 'imported'
  if (conflicts.length === 0) {
    const domains =
      domainsToVerify === 0
        ? ''
        : `; domains that were verified elsewhere and have to be verified again: ${domainsToVerify}`
    return { text: `${tenant.slug} (${tenant.id}): ${totalOf(rows)} rows ${verb}${domains}`, json }
  }
  const lines = [`${tenant.slug} (${tenant.id}) cannot be imported:`, ...conflicts]
  return { text: lines.join('\n  - '), json, status: exitStatus.problems }
}

/** Counts the rows of each step. */
function rowCounter(tell: Tell) {
  const rows = { checking: 0, writing: 0 }
  const labels = { checking: 'Rows checked', writing: 'Rows written' }
  return (step: keyof typeof rows, total?: number) => tell(labels[step], ++rows[step], total)
}

/** Restores a tenant from its file; with `dryRun` it only says whether that would succeed. */
export async function importCommand(
  config: Config,
  file: string,
  options: { readonly dryRun?: true; readonly trustDomains?: true; readonly passphraseFile?: string },
  tell: Tell,
): Promise<Outcome> {
  const onRow = rowCounter(tell)
  const withArchive = async (deps: CommandDeps, use: (deps: CommandDeps, archive: Archive) => Promise<Inspection>) => {
    const archive = await openArchive(file, () => readPassphrase(config, options.passphraseFile, false))
    try {
      return await use(deps, archive)
    } finally {
      await archive.close()
    }
  }
  const trustDomains = options.trustDomains === true
  if (options.dryRun === true) {
    const inspect = (deps: CommandDeps, archive: Archive) =>
      inspectArchive(deps, archive, { isTrusted: trustDomains, onRow: () => onRow('checking') })
    return outcome(await reading(config, (deps) => withArchive(deps, inspect)), true)
  }
  const inspection = await writing(config, async (deps) => {
    await ensureConsoleTenant(deps)
    return withArchive(deps, (each, archive) => importTenant(each, archive, { trustDomains, onRow }))
  })
  if (inspection.conflicts.length === 0) return outcome(inspection, false)
  throw new CommandRefused(`nothing was imported: ${inspection.conflicts.join('; ')}`)
}
