import {
  Brand,
  CreateTenant,
  type ClaimsDocument,
  type Environment,
  MoveTenantClock,
  type PagesDocument,
  type TenantAuthSettings,
  UpdateAttributes,
  UpdatePageSettings,
  UpdateTenant,
  UpdateTenantAuth,
  UpdateTenantClaims,
  foldCase,
  slugKey,
} from '@bailiwick/contract'
import type { TObject } from 'typebox'
import { hashToken } from '../../platform/crypto/tokens.ts'
import { anId, anything, derived, documentOf, fieldsOf, matching } from '../../platform/db/accepted.ts'
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
    /** 0 until the claims are changed for the first time. */
    claims_version: integer().default(0),
    /** 0 until the attributes are changed for the first time. */
    attributes_version: integer().default(0),
    /** The same file as in the pages' settings; the reference keeps it from being deleted meanwhile. */
    dark_logo_id: text().nullable(),
    /** By how much its clock is ahead, in test mode. */
    clock_ahead_seconds: integer().default(0),
    deleted_at: time().nullable(),
    ...many(time(), 'created_at', 'updated_at'),
  },
  // The addresses of logo and icon belong to the deployment.
  {
    key: ['id'],
    refusals: { tenants_slug_key: 'slug_taken' },
    madeAnew: ['logo_uri', 'icon_uri'],
    accepts: {
      ...fieldsOf(CreateTenant),
      ...fieldsOf(UpdateTenant),
      clock_ahead_seconds: MoveTenantClock.properties.aheadSeconds,
      kind: matching(/^tenant$/, 'must be tenant'),
      name_key: derived('name', foldCase),
      slug_key: derived('slug', slugKey),
      public_key: matching(/^pk_[a-z]+_[0-9A-Za-z]{22,64}$/, 'must be a public key'),
      auth_id: anId,
      creator_id: anything('an import removes it: it would name somebody of another deployment'),
      dark_logo_id: anId,
      brand: Brand,
    },
  },
)

export const secretKeys = table(
  'secret_keys',
  {
    ...record<SecretKeyId>(),
    ...many(text(), 'hash', 'sealed', 'last4'),
    expires_at: time().nullable(),
  },
  {
    sharding: 'reference',
    sealed: { sealed: 'key' },
    accepts: {
      hash: {
        rule: 'must be the hash of the key',
        test: (hash, { 'sealed:opened': key }) => typeof key === 'string' && hashToken(key) === hash,
      },
      sealed: matching(/^sk_[a-z]+_[0-9A-Za-z]{49}$/, 'must be a secret key'),
      last4: derived('sealed:opened', (key) => key.slice(-4)),
    },
  },
)

/** The documents of which every change is stored as a version. */
const versionsTable = <Document>(name: string, input: TObject) =>
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
    {
      key: ['tenant_id', 'version'],
      accepts: {
        document: documentOf(input),
        actor_type: matching(/^[a-z_]{1,32}$/, 'must be a kind of actor'),
        actor_id: anything('shown as text; an import removes those of console users, who are of another deployment'),
      },
    },
  )

export const authConfigurations = versionsTable<TenantAuthSettings>('auth_configurations', UpdateTenantAuth)
export const brandVersions = versionsTable<Brand>('brand_versions', Brand)
export const pagesVersions = versionsTable<PagesDocument>('pages_versions', UpdatePageSettings)
export const attributesVersions = versionsTable<UpdateAttributes>('attributes_versions', UpdateAttributes)
export const claimsVersions = versionsTable<ClaimsDocument>('claims_versions', UpdateTenantClaims)
