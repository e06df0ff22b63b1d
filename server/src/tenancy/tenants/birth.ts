// A tenant is born whole: everything that it needs to be used is written in the one transaction that creates it.
import {
  type CreateTenant,
  type Environment,
  defaultTenantAuthSettings,
  domainKey,
  foldCase,
  slugKey,
} from '@bailiwick/contract'
import type { Timestamp } from '../../platform/clock.ts'
import { generateSigningKey } from '../../platform/crypto/signing-keys.ts'
import { newPublicKey } from '../../platform/crypto/tokens.ts'
import { addToCounters } from '../../platform/db/counters.ts'
import type { WriteContext } from '../../platform/db/database.ts'
import { type Statement, sql } from '../../platform/db/sql.ts'
import type { Deps } from '../../platform/deps.ts'
import { eventStatement } from '../../platform/events/append.ts'
import type { Actor } from '../../platform/http/principal.ts'
import { type TenantId, newId } from '../../platform/ids.ts'
import { defaultTemplates } from './default-templates.ts'
import { insertSecretKey, newSecretKey } from './secret-key.ts'

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

const defaultRoles = [
  {
    name: 'admin',
    description: 'Manages an organization: its members, invitations, domains and settings',
    // All that `member` holds is among them, because nobody gives a role that holds more than their own.
    permissions: [
      'org:read',
      'org:manage',
      'org:delete',
      'org:members:manage',
      'org:invitations:manage',
      'org:domains:manage',
    ],
  },
  { name: 'member', description: 'Takes part in an organization', permissions: ['org:read'] },
]

const defaultTransformations = [
  { name: 'avatar', description: 'A square picture of a person', side: 256, mode: 'crop' },
  { name: 'thumbnail', description: 'A small picture for lists', side: 400, mode: 'maximum' },
  { name: 'original', description: 'The picture in its own size', side: 0, mode: 'maximum' },
]

/** What takes time or chance, made before the transaction: keys. */
export async function prepareBirth({ sealer }: Deps, tenantId: TenantId, environment: Environment) {
  const mark = environmentMarks[environment]
  const signing = await generateSigningKey()
  const signingKeyId = newId()
  return {
    publicKey: newPublicKey(`pk_${mark}_`),
    secretKey: newSecretKey(sealer, tenantId, environment),
    signing: {
      id: signingKeyId,
      kid: signing.kid,
      publicPem: signing.publicPem,
      sealed: sealer.seal(signing.privatePem, `signing_keys:${tenantId}:${signingKeyId}:private_pem`),
    },
  }
}
export type PreparedBirth = Awaited<ReturnType<typeof prepareBirth>>

function insertTenant(
  tenant: NewTenant,
  { publicKey }: PreparedBirth,
  authId: string,
  actor: Actor,
  at: Timestamp,
): Statement {
  const creatorId = actor.type === 'console_user' ? actor.id : null
  return sql`INSERT INTO tenants
    (id, kind, name, name_key, slug, slug_key, public_key, environment, creator_id, project_id, brand, auth_id, auth_version,
     org_id, plan, payment_method_id, payment_method_brand, payment_method_last4, created_at, updated_at)
    VALUES (${tenant.id}, ${tenant.kind}, ${tenant.name}, ${foldCase(tenant.name)}, ${tenant.slug}, ${slugKey(tenant.slug)},
      ${publicKey}, ${tenant.environment}, ${creatorId}, ${tenant.projectId ?? null}, '{}', ${authId}, 1,
      ${tenant.orgId ?? null}, ${tenant.plan ?? null}, ${tenant.paymentMethodId ?? null},
      ${tenant.paymentMethodBrand ?? null}, ${tenant.paymentMethodLast4 ?? null}, ${at}, ${at})`
}

function insertRoles({ clock }: Deps, tenantId: TenantId): Statement {
  const rows = defaultRoles.map(({ name, description, permissions }) => {
    const at = clock.next()
    return [tenantId, newId(), name, foldCase(name), description, JSON.stringify(permissions), at, at]
  })
  return sql`INSERT INTO roles (tenant_id, id, name, name_key, description, permissions, created_at, updated_at)
    ${sql.values(rows)}`
}

function insertTransformations({ clock }: Deps, tenantId: TenantId): Statement {
  const rows = defaultTransformations.map(({ name, description, side, mode }) => {
    const at = clock.next()
    return [tenantId, newId(), name, description, 'auto', 80, 6, side, side, mode, '[]', at, at]
  })
  return sql`INSERT INTO transformations
    (tenant_id, id, name, description, output_format, output_quality, output_compression, output_width, output_height,
     output_resize_mode, steps, created_at, updated_at) ${sql.values(rows)}`
}

/** The templates, and the settings that point to them. */
function insertTemplates({ clock }: Deps, tenantId: TenantId) {
  const settings: Record<string, string> = {}
  const rows = defaultTemplates.map(({ setting, type, name, subject, body }) => {
    const at = clock.next()
    const id = newId()
    settings[setting] = id
    return [tenantId, id, type, name, subject, body, at, at]
  })
  const statement = sql`INSERT INTO templates (tenant_id, id, type, name, subject, body, created_at, updated_at)
    ${sql.values(rows)}`
  return { statement, settings }
}

function insertFirstDomain({ clock }: Deps, tenantId: TenantId, name: string): Statement {
  const at = clock.next()
  return sql`INSERT INTO domains
    (tenant_id, id, name, name_key, is_primary, type, verified_at, verification_token, created_at, updated_at)
    VALUES (${tenantId}, ${newId()}, ${name}, ${domainKey(name)}, 1, 'external', ${null}, ${newPublicKey('')}, ${at}, ${at})`
}

function insertFoundingMember(
  { clock }: Deps,
  tenantId: TenantId,
  consoleTenantId: TenantId,
  userId: string,
): Statement {
  const at = clock.next()
  return sql`INSERT INTO tenant_members
    (tenant_id, id, user_tenant_id, user_id, role_admin, role_edit_organizations, role_edit_users, role_edit_config,
     role_view_users, role_view_organizations, role_view_config, role_view_billing, role_edit_billing, created_at, updated_at)
    VALUES (${tenantId}, ${newId()}, ${consoleTenantId}, ${userId}, 1, 1, 1, 1, 1, 1, 1, 1, 1, ${at}, ${at})`
}

/** Every row of a new tenant, for one all-or-nothing write. */
export function birthStatements(
  deps: Deps,
  context: WriteContext,
  tenant: NewTenant,
  prepared: PreparedBirth,
  actor: Actor,
  consoleTenantId: TenantId | undefined,
): Statement[] {
  const { clock, personal } = deps
  const { id } = tenant
  const at = clock.next()
  const templates = insertTemplates(deps, id)
  const auth = JSON.stringify({ ...defaultTenantAuthSettings(), ...templates.settings })
  const { signing } = prepared
  const founder = actor.type === 'console_user' && consoleTenantId !== undefined ? actor.id : null
  return [
    insertTenant(tenant, prepared, newId(), actor, at),
    sql`INSERT INTO auth_configurations (tenant_id, version, document, actor_type, actor_id, created_at)
      VALUES (${id}, 1, ${auth}, ${actor.type}, ${actor.id}, ${at})`,
    insertSecretKey(id, prepared.secretKey, at),
    sql`INSERT INTO signing_keys (tenant_id, id, kid, public_pem, sealed_private_pem, created_at, updated_at)
      VALUES (${id}, ${signing.id}, ${signing.kid}, ${signing.publicPem}, ${signing.sealed}, ${at}, ${at})`,
    insertRoles(deps, id),
    insertTransformations(deps, id),
    templates.statement,
    ...(tenant.domain === undefined ? [] : [insertFirstDomain(deps, id, tenant.domain)]),
    ...(founder === null || consoleTenantId === undefined
      ? []
      : [insertFoundingMember(deps, id, consoleTenantId, founder)]),
    addToCounters(context, id, {
      roles: defaultRoles.length,
      transformations: defaultTransformations.length,
      templates: defaultTemplates.length,
      'templates:email': defaultTemplates.filter(({ type }) => type === 'email').length,
      'templates:sms': defaultTemplates.filter(({ type }) => type === 'sms').length,
      members: founder === null ? 0 : 1,
    }),
    eventStatement(clock, personal, {
      tenantId: id,
      type: 'tenant.created',
      actor,
      subject: { type: 'tenant', id },
      data: { name: tenant.name, slug: tenant.slug, environment: tenant.environment, domain: tenant.domain ?? null },
    }),
  ]
}
