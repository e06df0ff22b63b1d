// The templates of messages that carry codes or links. Who writes one decides what becomes of the code: a picture whose address contains it
// is enough. They need the right to change users.
import { type TenantAuthSettings, channelTypes } from '@bailiwick/contract'
import type { Transaction } from '../../../platform/db/database.ts'
import { notFound } from '../../../platform/http/api-error.ts'
import { assertMayChangeUsers } from '../../../platform/http/credentials/authorize.ts'
import type { Principal } from '../../../platform/http/credentials/principal.ts'
import type { TenantId } from '../../../platform/ids.ts'
import { settingsOf } from '../../../tenancy/auth-configuration/read-settings.ts'
import { lockTenant } from '../../../tenancy/tenants/find-tenant.ts'
import { secretTypes, templateSetting } from '../rendering/default-messages.ts'
import { selectTemplate } from '../template-queries.ts'

const names: ReadonlySet<string> = new Set(
  secretTypes.flatMap((type) => [type, ...channelTypes.map((channel) => `${type}-${channel}`)]),
)
const settings = secretTypes.flatMap((type) => [templateSetting(type, 'email'), templateSetting(type, 'sms')])

/** Returns `a`, `a.b`, `a.b.c`: a template's own name, and those that it may translate. */
const withTranslated = (name: string) => name.split('.').map((_part, index, all) => all.slice(0, index + 1).join('.'))

async function configuredIds(tx: Transaction, tenantId: TenantId): Promise<readonly string[]> {
  const auth: Partial<TenantAuthSettings> | undefined = await settingsOf(tx, await lockTenant(tx, tenantId))
  if (auth === undefined) throw notFound()
  return settings.flatMap((setting) => {
    const id = setting === undefined ? undefined : auth[setting]
    return typeof id === 'string' ? [id] : []
  })
}

/**
 * @param changes what is written, by id where it exists, with all its names.
 * @throws ApiError forbidden
 */
export async function assertMayWriteTemplates(
  principal: Principal,
  tx: Transaction,
  tenantId: TenantId,
  changes: readonly { readonly id: string | undefined; readonly names: readonly string[] }[],
): Promise<void> {
  const ids = await configuredIds(tx, tenantId)
  const configured = await Promise.all(ids.map((id) => selectTemplate(tx, tenantId, id)))
  const secret = new Set([...names, ...configured.flatMap((row) => (row === undefined ? [] : [row.name]))])
  const isSecret = changes.some(
    ({ id, names: named }) =>
      (id !== undefined && ids.includes(id)) || named.flatMap(withTranslated).some((name) => secret.has(name)),
  )
  if (isSecret) assertMayChangeUsers(principal, tenantId, 'change a template of messages that carry codes or links')
}
