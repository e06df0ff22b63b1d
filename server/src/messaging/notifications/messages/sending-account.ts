// Charges what leaves through the deployment's own channel to the console user who has created the tenant, and not only to the tenant: who
// creates, deletes and creates tenants, or invites addresses of their own to create more, still has the quota of one.
import type { Timestamp } from '../../../platform/clock.ts'
import type { Reader, Transaction } from '../../../platform/db/database.ts'
import type { TenantId, UserId } from '../../../platform/ids.ts'
import { findConsoleTenantId } from '../../../tenancy/tenants/console-tenant.ts'
import { type TenantRow, findTenantRow } from '../../../tenancy/tenants/find-tenant.ts'
import { sendingAccounts } from '../tables.ts'

export interface SendingAccount {
  readonly consoleTenantId: TenantId
  /** A console user, or the tenant of the operator whose administrators have invited one. */
  readonly accountId: string
}

async function accountOfCreator(db: Reader, { creator_id: creatorId }: TenantRow): Promise<SendingAccount | undefined> {
  if (creatorId === null) return undefined
  const consoleTenantId = await findConsoleTenantId(db)
  if (consoleTenantId === undefined) return undefined
  const inherited = await sendingAccounts.byKey(db, consoleTenantId, creatorId as UserId)
  return { consoleTenantId, accountId: inherited?.account_id ?? creatorId }
}

/** Returns the account that answers for a tenant's messages; undefined for a tenant of the operator. */
export async function findSendingAccount(db: Reader, tenantId: TenantId): Promise<SendingAccount | undefined> {
  const tenant = await findTenantRow(db, tenantId)
  return tenant === undefined ? undefined : accountOfCreator(db, tenant)
}

/** Charges the tenants of a new console user to the account of the tenant that has invited the user. */
export async function inheritSendingAccount(
  tx: Transaction,
  user: { readonly tenantId: TenantId; readonly userId: UserId },
  invitingTenantId: TenantId,
  at: Timestamp,
): Promise<void> {
  const account = await findSendingAccount(tx, invitingTenantId)
  await tx.run(
    sendingAccounts.insert({
      tenant_id: user.tenantId,
      user_id: user.userId,
      account_id: account?.accountId ?? invitingTenantId,
      created_at: at,
    }),
  )
}
