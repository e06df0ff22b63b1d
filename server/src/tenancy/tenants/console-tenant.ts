// The console's own tenant: the people who administer tenants are its users. Made once per deployment, shown in no list.
import { ConstraintError, type Database, type Reader } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Deps } from '../../platform/deps.ts'
import { type TenantId, newId } from '../../platform/ids.ts'
import { birthStatements, prepareBirth } from './birth.ts'
import { parseAuthDocument, selectAuthInUse, selectTenant } from './queries.ts'

const settingName = 'console_tenant_id'
const actor = { type: 'system', id: null, ip: null, ua: null } as const

export async function findConsoleTenantId(db: Reader): Promise<TenantId | undefined> {
  const row = await db.first<{ value: TenantId }>(sql`SELECT value FROM deployment WHERE name = ${settingName}`)
  return row?.value
}

/** Of each database that this process has open; once made, it stays for ever. */
const known = new WeakMap<Database, TenantId>()

export async function getConsoleTenantId(db: Database): Promise<TenantId> {
  const tenantId = known.get(db) ?? (await findConsoleTenantId(db))
  if (tenantId === undefined) throw new Error('this deployment has no console tenant; it is made at the start')
  known.set(db, tenantId)
  return tenantId
}

/** Whether sign-up is enabled in the stored settings of the console's tenant, which count for nothing; undefined where there is none. */
export async function storedConsoleSignUp(db: Reader): Promise<boolean | undefined> {
  const tenantId = await findConsoleTenantId(db)
  const row = tenantId === undefined ? undefined : await selectTenant(db, tenantId)
  const stored = row && (await selectAuthInUse(db, row.id, row.auth_version))
  return stored && parseAuthDocument(stored.document).signUpEnabled
}

/** Makes the console's tenant where there is none; of several nodes that start at once, one does. */
export async function ensureConsoleTenant(deps: Deps): Promise<TenantId> {
  const { db, config } = deps
  const existing = await findConsoleTenantId(db)
  if (existing !== undefined) return existing
  const id = newId<'TenantId'>()
  const environment = config.env
  const prepared = await prepareBirth(deps, id, environment)
  const tenant = { id, kind: 'console', name: 'Console', slug: id, environment } as const
  try {
    await db.write((context) => [
      sql`INSERT INTO deployment (name, value) VALUES (${settingName}, ${id})`,
      ...birthStatements(deps, context, tenant, prepared, actor, undefined),
    ])
    return id
  } catch (error) {
    if (!(error instanceof ConstraintError)) throw error
    return getConsoleTenantId(db)
  }
}
