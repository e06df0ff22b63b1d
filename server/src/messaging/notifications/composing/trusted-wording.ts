// What a tenant may say through the deployment's own channel. Until the operator trusts it, only the service's wording with the tenant's
// name and brand leaves there: the operator's sender answers for whatever a message says.
import type { PagesDocument } from '@bailiwick/contract'
import type { Reader } from '../../../platform/db/database.ts'
import type { TenantId } from '../../../platform/ids.ts'
import type { TenantRow } from '../../../tenancy/tenants/find-tenant.ts'
import type { MessageVariables } from '../messages/queue-message.ts'
import { trustedTenants } from '../tables.ts'

export const isTrusted = async (db: Reader, tenantId: TenantId): Promise<boolean> =>
  (await trustedTenants.byKey(db, tenantId)) !== undefined

/** What may be said: `own` is everything, `names` is the service's wording in which plain names of people and groups may stand. */
export type Wording = 'own' | 'names'

/** The console's own tenant is the operator's, and so is its wording; the names in it are not. */
export const mayUseOwnTexts = (wording: Wording, tenant: TenantRow): boolean =>
  wording === 'own' || tenant.kind === 'console'

/** Returns the pages without what the tenant has written itself. */
export const withoutOwnTexts = (pages: PagesDocument): PagesDocument => ({ ...pages, texts: {}, supportUri: null })

const nameLengthMax = 64
/** An address of the web or of mail, also without its scheme: mail programs make links of it. */
const addressLike = /[:/\\@]|[.\u3002\uff0e\uff61]\p{L}{2}|\bwww\b/iu

const isPlainName = (name: unknown): boolean =>
  typeof name === 'string' && name.length <= nameLengthMax && !addressLike.test(name)

/** Returns the variables without names that say something else than a name. */
export function withPlainNames(variables: MessageVariables, tenantName: string): MessageVariables {
  const named = Object.entries({ user: null, inviter: null, organization: tenantName })
  const replaced = named.flatMap(([key, name]) => {
    const record = variables[key]
    if (typeof record !== 'object' || record === null || !('name' in record)) return []
    return isPlainName(record.name) ? [] : [[key, { ...record, name }] as const]
  })
  return { ...variables, ...Object.fromEntries(replaced) }
}
