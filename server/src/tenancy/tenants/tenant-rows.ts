// The rows of a new tenant that are the tenant itself: its record and its keys.
import { type CreateTenant, type Environment, foldCase, slugKey } from '@bailiwick/contract'
import type { Timestamp } from '../../platform/clock.ts'
import type { Sealer } from '../../platform/crypto/sealed.ts'
import { newPublicKey } from '../../platform/crypto/tokens.ts'
import { type Statement, sql } from '../../platform/db/sql.ts'
import type { Actor } from '../../platform/http/principal.ts'
import { type TenantId, newId } from '../../platform/ids.ts'
import { type NewSecretKey, insertSecretKey, newSecretKey } from './secret-key.ts'

export interface NewTenant extends CreateTenant {
  readonly id: TenantId
  readonly kind: 'tenant' | 'console'
  readonly slug: string
}

const environmentMarks: Readonly<Record<Environment, string>> = {
  development: 'dev',
  staging: 'stage',
  production: 'live',
}

export interface TenantKeys {
  readonly publicKey: string
  readonly secretKey: NewSecretKey
}

export const newTenantKeys = (sealer: Sealer, tenantId: TenantId, environment: Environment): TenantKeys => ({
  publicKey: newPublicKey(`pk_${environmentMarks[environment]}_`),
  secretKey: newSecretKey(sealer, tenantId, environment),
})

function insertTenant(tenant: NewTenant, publicKey: string, actor: Actor, at: Timestamp): Statement {
  const creatorId = actor.type === 'console_user' ? actor.id : null
  return sql`INSERT INTO tenants
    (id, kind, name, name_key, slug, slug_key, public_key, environment, creator_id, project_id, brand, auth_id, auth_version,
     org_id, plan, payment_method_id, payment_method_brand, payment_method_last4, created_at, updated_at)
    VALUES (${tenant.id}, ${tenant.kind}, ${tenant.name}, ${foldCase(tenant.name)}, ${tenant.slug}, ${slugKey(tenant.slug)},
      ${publicKey}, ${tenant.environment}, ${creatorId}, ${tenant.projectId ?? null}, '{}', ${newId()}, 1,
      ${tenant.orgId ?? null}, ${tenant.plan ?? null}, ${tenant.paymentMethodId ?? null},
      ${tenant.paymentMethodBrand ?? null}, ${tenant.paymentMethodLast4 ?? null}, ${at}, ${at})`
}

/** The record comes first: everything else of the tenant refers to it. */
export const tenantRows = (
  tenant: NewTenant,
  { publicKey, secretKey }: TenantKeys,
  actor: Actor,
  at: Timestamp,
): readonly Statement[] => [insertTenant(tenant, publicKey, actor, at), insertSecretKey(tenant.id, secretKey, at)]
