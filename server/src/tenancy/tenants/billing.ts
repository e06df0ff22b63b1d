import type { Billing, UpdateBilling } from '@bailiwick/contract'
import type { Reader } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { RowOf } from '../../platform/db/table.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { notFound } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { TenantId } from '../../platform/ids.ts'
import type { Deps } from '../deps.ts'
import { tenants } from './tables.ts'

const billing = tenants.only('org_id', 'plan', 'payment_method_id', 'payment_method_brand', 'payment_method_last4')
type BillingRow = RowOf<typeof billing>
const setBilling = tenants.update('org_id', 'plan', 'payment_method_id', 'payment_method_brand', 'payment_method_last4')

const selectBilling = (db: Reader, tenantId: TenantId, lock = sql``) =>
  billing.first(db)`id = ${tenantId} AND deleted_at IS NULL${lock}`

const presentBilling = (row: BillingRow): Billing => ({
  orgId: row.org_id,
  plan: row.plan,
  paymentMethodId: row.payment_method_id,
  paymentMethodBrand: row.payment_method_brand,
  paymentMethodLast4: row.payment_method_last4,
})

/** @throws ApiError not_found */
export async function getBilling({ db }: Deps, tenantId: TenantId): Promise<Billing> {
  const row = await selectBilling(db, tenantId)
  if (row === undefined) throw notFound()
  return presentBilling(row)
}

/** @throws ApiError not_found */
export async function updateBilling(
  deps: Deps,
  tenantId: TenantId,
  input: UpdateBilling,
  actor: Actor,
): Promise<Billing> {
  const { db, clock, personal } = deps
  return db.transaction(async (tx) => {
    const row = await selectBilling(tx, tenantId, sql.forUpdate)
    if (row === undefined) throw notFound()
    const before = presentBilling(row)
    const after: Billing = { ...before, ...input }
    await tx.run(
      setBilling({
        id: tenantId,
        org_id: after.orgId,
        plan: after.plan,
        payment_method_id: after.paymentMethodId,
        payment_method_brand: after.paymentMethodBrand,
        payment_method_last4: after.paymentMethodLast4,
      }),
    )
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'tenant.billing_updated',
        actor,
        subjectId: tenantId,
        data: { before: { plan: before.plan }, after: { plan: after.plan }, fields: Object.keys(input) },
      }),
    )
    return after
  })
}
