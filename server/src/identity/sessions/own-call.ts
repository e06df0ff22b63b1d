import type { FastifyRequest } from 'fastify'
import type { Actor } from '../../platform/http/principal.ts'
import type { TenantId } from '../../platform/ids.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-directory.ts'
import type { LiveSession } from './session-directory.ts'

/** What an operation of the signed-in user on the user's own account knows of the request for it. */
export interface OwnCall {
  readonly tenant: TenantEntry
  readonly tenantId: TenantId
  readonly signedIn: LiveSession
  readonly request: FastifyRequest
  /** The signed-in user, as the events of the request name the user. */
  readonly actor: () => Actor
  /** Hands over the token under which the session goes on; returns what the answer carries of it. */
  readonly reissueSessionToken: (token: string) => Record<string, string>
}
