import type { Brand, Environment, PagesDocument, TenantAuthSettings } from '@bailiwick/contract'
import { id, integer, json, many, record, text, time } from '../../platform/db/columns.ts'
import { table } from '../../platform/db/table.ts'
import type { SecretKeyId, TenantId } from '../../platform/ids.ts'

export const tenants = table(
  'tenants',
  {
    id: id<TenantId>(),
    /** A tenant that is being imported is hidden like a deleted one. */
    kind: text<'tenant' | 'console' | 'importing'>(),
    ...many(text(), 'name', 'name_key', 'slug', 'slug_key', 'public_key', 'auth_id'),
    environment: text<Environment>(),
    ...many(text().nullable(), 'creator_id', 'project_id', 'logo_id', 'logo_uri', 'icon_id', 'icon_uri'),
    ...many(text().nullable(), 'org_id', 'plan', 'payment_method_id', 'payment_method_brand', 'payment_method_last4'),
    brand: json<Brand>(),
    /** 0 until the brand is changed for the first time. */
    brand_version: integer().default(0),
    auth_version: integer(),
    /** 0 until the pages' settings are changed for the first time. */
    pages_version: integer().default(0),
    /** The same file as in the pages' settings; the reference keeps it from being deleted meanwhile. */
    dark_logo_id: text().nullable(),
    deleted_at: time().nullable(),
    ...many(time(), 'created_at', 'updated_at'),
  },
  // The addresses of logo and icon belong to the deployment.
  { key: ['id'], refusals: { tenants_slug_key: 'slug_taken' }, madeAnew: ['logo_uri', 'icon_uri'] },
)

export const secretKeys = table(
  'secret_keys',
  {
    ...record<SecretKeyId>(),
    ...many(text(), 'hash', 'sealed', 'last4'),
    expires_at: time().nullable(),
  },
  { sealed: { sealed: 'key' } },
)

/** The documents of which every change is stored as a version. */
const versionsTable = <Document>(name: string) =>
  table(
    name,
    {
      tenant_id: id<TenantId>(),
      version: integer(),
      /** A document that is older than a setting does not contain it. */
      document: json<Partial<Document>>(),
      actor_type: text(),
      actor_id: text().nullable(),
      created_at: time(),
    },
    { key: ['tenant_id', 'version'] },
  )

export const authConfigurations = versionsTable<TenantAuthSettings>('auth_configurations')
export const brandVersions = versionsTable<Brand>('brand_versions')
export const pagesVersions = versionsTable<PagesDocument>('pages_versions')
