import type { Deps as PlatformDeps } from '../platform/deps.ts'
import type { TxtResolver } from './domains/txt-resolver.ts'
import type { TenantDirectory } from './tenants/tenant-entry.ts'

export interface Deps extends PlatformDeps {
  readonly tenants: TenantDirectory
  readonly resolveTxt: TxtResolver
}
