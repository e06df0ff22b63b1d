// Whether a user belongs to somebody beside an organization: then what its directory says about the user counts for the membership alone.
import { domainOfEmail } from '@bailiwick/contract'
import { hasPassword } from '../../../identity/passwords/passwords.ts'
import { selectConnectionsOf } from '../../../identity/social-connections/connections.ts'
import { type UserRow, emailAddressesOf, phoneNumbersOf } from '../../../identity/users/find-user.ts'
import type { Transaction } from '../../../platform/db/database.ts'
import { sql } from '../../../platform/db/sql.ts'
import { type ConnectionRow, organizationOfDomain } from '../../connections/find-connection.ts'

/** Whether any row of a user exists in a table. */
const has = async (tx: Transaction, statement: ReturnType<typeof sql>) => (await tx.first(statement)) !== undefined

async function hasAddressElsewhere(tx: Transaction, connection: ConnectionRow, user: UserRow): Promise<boolean> {
  const { tenant_id: tenantId, organization_id: organizationId } = connection
  for (const { email } of await emailAddressesOf(tx, tenantId, user.id)) {
    if ((await organizationOfDomain(tx, tenantId, domainOfEmail(email))) !== organizationId) return true
  }
  return false
}

/** Whether the user is a member of anything, or can sign in by anything that the organization does not own. */
export async function hasOtherWayIn(tx: Transaction, connection: ConnectionRow, user: UserRow): Promise<boolean> {
  const { tenant_id: tenantId, id } = user
  const of = sql`tenant_id = ${tenantId} AND user_id = ${id}`
  return (
    (await has(tx, sql`SELECT 1 AS one FROM organization_members WHERE ${of} LIMIT 1`)) ||
    (await has(
      tx,
      sql`SELECT 1 AS one FROM tenant_members WHERE user_tenant_id = ${tenantId} AND user_id = ${id} LIMIT 1`,
    )) ||
    (await has(tx, sql`SELECT 1 AS one FROM passkeys WHERE ${of} LIMIT 1`)) ||
    (await has(
      tx,
      sql`SELECT 1 AS one FROM connection_identities WHERE ${of} AND organization_id <> ${connection.organization_id} LIMIT 1`,
    )) ||
    (await hasPassword(tx, tenantId, id)) ||
    (await selectConnectionsOf(tx, tenantId, id)).length > 0 ||
    (await phoneNumbersOf(tx, tenantId, id)).length > 0 ||
    (await hasAddressElsewhere(tx, connection, user))
  )
}
