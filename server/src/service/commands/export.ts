import { resolve } from 'node:path'
import type { Config } from '../../platform/config.ts'
import { sql } from '../../platform/db/sql.ts'
import { reading } from '../open-deployment.ts'
import { CommandRefused, type Outcome } from '../outcome.ts'
import { exportTenant } from '../tenant-archive/export-tenant.ts'
import { countRows } from '../tenant-tables/count-rows.ts'
import { getNamedTenant } from './terminal/named-tenant.ts'
import { readPassphrase } from './terminal/passphrase.ts'
import type { Tell } from './terminal/progress.ts'

export const totalOf = (rows: Readonly<Record<string, number>>) =>
  Object.values(rows).reduce((sum, count) => sum + count, 0)

/** Writes one tenant into an encrypted file. */
export const exportCommand = (
  config: Config,
  name: string,
  options: { readonly output: string; readonly passphraseFile?: string },
  tell: Tell,
): Promise<Outcome> =>
  reading(config, async (deps) => {
    const tenant = await getNamedTenant(deps.db, name)
    const ofConsole = await deps.db.first(
      sql`SELECT 1 AS one FROM tenants WHERE id = ${tenant.id} AND kind = 'console'`,
    )
    if (ofConsole !== undefined) throw new CommandRefused("the console's own tenant cannot be exported")
    const file = resolve(options.output)
    const passphrase = await readPassphrase(config, options.passphraseFile, true)
    const total = await countRows(deps.db, tenant.id)
    const rows = await exportTenant(deps, tenant.id, file, passphrase, (done) => tell('Rows written', done, total))
    return {
      text: `${tenant.slug}: ${totalOf(rows)} rows in ${file}. It cannot be opened without the passphrase.`,
      json: { tenantId: tenant.id, file, rows },
    }
  })
