import type { FastifyRequest } from 'fastify'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { TenantId } from '../../platform/ids.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import type { LiveSession } from './live-session.ts'

/** What an operation of the signed-in user on their own account knows about the request. */
export interface OwnCall {
  readonly tenant: TenantEntry
  readonly tenantId: TenantId
  readonly signedIn: LiveSession
  readonly request: FastifyRequest
  /** The signed-in user, in the form that the events of the request use. */
  readonly actor: () => Actor
  /** Takes the token under which the session continues; returns the properties that the answer carries because of it. */
  readonly reissueSessionToken: (token: string) => Record<string, string>
}
