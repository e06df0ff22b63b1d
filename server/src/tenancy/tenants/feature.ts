import type { Feature } from '../../platform/feature.ts'
import type { Deps } from '../deps.ts'
import { tenantRoutes } from './routes.ts'
import {
  attributesVersions,
  authConfigurations,
  brandVersions,
  claimsVersions,
  pagesVersions,
  secretKeys,
  tenants,
} from './tables.ts'

export const feature: Feature<Deps> = {
  name: 'tenancy/tenants',
  sharedTables: [tenants],
  tables: [attributesVersions, authConfigurations, brandVersions, claimsVersions, pagesVersions, secretKeys],
  management: tenantRoutes,
}
