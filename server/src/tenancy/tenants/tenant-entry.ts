// What the directory keeps of a tenant in memory.
import type { Attribute, PagesDocument, TenantAuthSettings } from '@bailiwick/contract'
import type { CacheUse, TenantMemory } from '../../platform/cache/memory.ts'
import type { Timestamp } from '../../platform/clock.ts'
import type { Serialized } from '../../platform/http/answer.ts'
import type { ApiKeyPrincipal } from '../../platform/http/credentials/principal.ts'
import type { ApiKeyId, TenantId } from '../../platform/ids.ts'
import type { MaybePromise } from '../../platform/maybe-promise.ts'
import type { CompiledClaims } from './claims/compile.ts'
import type { KeptValues } from './kept-with-tenant.ts'
import type { DomainRow, SecretKeyRow, TenantRow } from './queries.ts'

/** A key that the tenant has created. */
export interface ApiKeyEntry {
  readonly tenantId: TenantId
  readonly id: ApiKeyId
  readonly hash: string
  readonly principal: ApiKeyPrincipal
  lastUsedAt: Timestamp | null
}

/** Whether organizations of a tenant have live connections, and whether users of one must sign in with theirs. */
export type LiveConnections = 'none' | 'live' | 'required'

export interface TenantEntry {
  readonly row: TenantRow
  readonly auth: TenantAuthSettings
  readonly authUpdatedAt: Timestamp
  /** Whether there is a social provider with which people can sign in. */
  readonly hasSocialProvider: boolean
  readonly liveConnections: LiveConnections
  /** Undefined if the tenant adds no claims of its own to tokens. */
  readonly claims: CompiledClaims | undefined
  /** What the tenant asks its users beside the standard fields. */
  readonly attributes: readonly Attribute[]
  readonly domains: readonly DomainRow[]
  readonly secretKeys: readonly SecretKeyRow[]
  readonly apiKeys: readonly ApiKeyEntry[]
  /** The tenant's record as answers show it, made when it is first needed. */
  record: Serialized | undefined
  /** The settings of its pages, read when they are first needed. */
  pages: Promise<PagesDocument> | undefined
  /** What else requests have read of the tenant. */
  readonly kept: KeptValues
}

/** What is in memory is found without a promise. */
export type Found<T> = MaybePromise<T | undefined>

export interface TenantDirectory extends TenantMemory {
  readonly byId: (tenantId: string) => Found<TenantEntry>
  readonly byPublicKey: (publicKey: string) => Found<TenantEntry>
  readonly bySlugKey: (slugKey: string) => Found<TenantEntry>
  /** Returns the tenant that has verified a domain, by the domain's key. */
  readonly byDomainKey: (domainKey: string) => Found<TenantEntry>
  /**
   * Returns the tenant of a live secret key; if a public key was sent too, it must belong to the same tenant.
   * @param beforeLookUp called before the database is asked.
   */
  readonly bySecretKey: (hash: string, publicKey: string | undefined, beforeLookUp?: () => void) => Found<TenantId>
  /**
   * Returns a live API key by its hash.
   * @param beforeLookUp called before the database is asked.
   */
  /** @param tenantId the tenant that the key names, if it names one. */
  readonly byApiKey: (hash: string, beforeLookUp?: () => void, tenantId?: string) => Found<ApiKeyEntry>
  /** Returns whether the entries in memory may be used at this moment. */
  readonly isConfirmed: () => boolean
  readonly cacheUse: () => CacheUse
}
