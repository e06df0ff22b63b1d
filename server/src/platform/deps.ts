// What the features are given: explicit, made once in main.ts, replaced piece by piece in tests.
import type { Logger } from 'pino'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { CodeHasher } from './crypto/code-hash.ts'
import type { PasswordPool } from './crypto/password-pool.ts'
import type { PersonalSealer } from './crypto/personal.ts'
import type { Sealer } from './crypto/sealed.ts'
import type { Database } from './db/database.ts'
import type { TxtResolver } from '../tenancy/domains/txt-resolver.ts'
import type { KeptImages } from '../media/delivery/kept-images.ts'
import type { ImagePool } from '../media/engine/pool.ts'
import type { Storage } from '../media/storage/storage.ts'
import type { TemplatePool } from '../messaging/notifications/rendering/template-pool.ts'
import type { Egress } from './net/egress.ts'
import type { Signers } from '../identity/session-tokens/signers.ts'
import type { SessionDirectory } from '../identity/sessions/session-directory.ts'
import type { TenantDirectory } from '../tenancy/tenants/tenant-directory.ts'

export interface Deps {
  readonly config: Config
  readonly db: Database
  readonly clock: Clock
  readonly sealer: Sealer
  readonly personal: PersonalSealer
  readonly hashCode: CodeHasher
  readonly passwordPool: PasswordPool
  readonly tenants: TenantDirectory
  readonly sessions: SessionDirectory
  readonly signers: Signers
  /** The only way to an address that a tenant or user has named. */
  readonly egress: Egress
  readonly resolveTxt: TxtResolver
  /** Where the bytes of files are. */
  readonly storage: Storage
  /** The workers that decode and make images. */
  readonly imagePool: ImagePool
  readonly keptImages: KeptImages
  /** The processes that render tenants' message templates. */
  readonly templatePool: TemplatePool
  readonly log: Logger
}
