import type { Deps as TenancyDeps } from '../tenancy/deps.ts'
import type { TemplatePool } from './notifications/rendering/template-pool.ts'

export interface Deps extends TenancyDeps {
  /** The processes that render tenants' message templates. */
  readonly templatePool: TemplatePool
}
