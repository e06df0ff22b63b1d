// The brand of a tenant. The tenant's row has the present one; every change is stored as a version.
import type { Brand } from '@bailiwick/contract'
import type { DocumentBasis } from '../../../platform/http/change-basis.ts'
import type { Actor } from '../../../platform/http/credentials/principal.ts'
import type { TenantId } from '../../../platform/ids.ts'
import { type JsonText, fromJson, toJson } from '../../../platform/json-text.ts'
import type { Deps } from '../../deps.ts'
import { presentBrand } from '../present.ts'
import { updateTenantBrand } from '../queries.ts'
import { type Versioned, writeVersion } from './versions.ts'

const parse = (document: JsonText<Partial<Brand>>) => fromJson(document) as Brand

export const brandVersions: Versioned<Brand> = {
  table: 'brand_versions',
  eventOf: ({ before, after }) => ({ type: 'tenant.brand_updated', data: { before, after } }),
  numberOf: (tenant) => tenant.brand_version,
  presentOf: presentBrand,
  parse,
  restored: (_before, document) => parse(document),
  settingsOf: (brand) => brand,
  point: (tenantId, version, at, brand) => updateTenantBrand(tenantId, toJson(brand), version, at),
}

/**
 * Replaces the whole brand.
 * @throws ApiError not_found
 */
export const replaceBrand = (deps: Deps, tenantId: TenantId, brand: Brand, actor: Actor, basis?: DocumentBasis) =>
  writeVersion(deps, brandVersions, tenantId, actor, () => brand, basis)
