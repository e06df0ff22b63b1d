// The rows of a new tenant that are the tenant itself: its record and its keys.
import { type CreateTenant, type Environment, foldCase, slugKey, tokenPrefixes } from '@bailiwick/contract'
import type { Timestamp } from '../../platform/clock.ts'
import type { Sealer } from '../../platform/crypto/sealed.ts'
import { newPublicKey } from '../../platform/crypto/tokens.ts'
import type { Statement } from '../../platform/db/sql.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import { type TenantId, newId } from '../../platform/ids.ts'
import { toJson } from '../../platform/json-text.ts'
import { environmentMarks, newSecretKey } from './secret-key.ts'
import { secretKeys, tenants } from './tables.ts'

export interface NewTenant extends CreateTenant {
  readonly id: TenantId
  readonly kind: 'tenant' | 'console'
  readonly slug: string
}

interface TenantKeys {
  readonly publicKey: string
  readonly secretKey: ReturnType<typeof newSecretKey>
}

export const newTenantKeys = (sealer: Sealer, tenantId: TenantId, environment: Environment): TenantKeys => ({
  publicKey: newPublicKey(`${tokenPrefixes.publicKey}${environmentMarks[environment]}_`),
  secretKey: newSecretKey(sealer, tenantId, environment),
})

function insertTenant(tenant: NewTenant, publicKey: string, actor: Actor, at: Timestamp): Statement {
  const creatorId = actor.type === 'console_user' ? actor.id : null
  return tenants.insert({
    id: tenant.id,
    kind: tenant.kind,
    name: tenant.name,
    name_key: foldCase(tenant.name),
    slug: tenant.slug,
    slug_key: slugKey(tenant.slug),
    public_key: publicKey,
    environment: tenant.environment,
    creator_id: creatorId,
    project_id: tenant.projectId ?? null,
    brand: toJson({}),
    auth_id: newId(),
    auth_version: 1,
    org_id: tenant.orgId ?? null,
    plan: tenant.plan ?? null,
    payment_method_id: tenant.paymentMethodId ?? null,
    payment_method_brand: tenant.paymentMethodBrand ?? null,
    payment_method_last4: tenant.paymentMethodLast4 ?? null,
    created_at: at,
    updated_at: at,
  })
}

/** The record comes first: everything else of the tenant refers to it. */
export const tenantRows = (
  tenant: NewTenant,
  { publicKey, secretKey }: TenantKeys,
  actor: Actor,
  at: Timestamp,
): readonly Statement[] => [
  insertTenant(tenant, publicKey, actor, at),
  secretKeys.insert({ ...secretKey.row, created_at: at, updated_at: at }),
]
