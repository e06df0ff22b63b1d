// A client that describes itself in a document gets a record when the first user, or the provider of an organization, allows it something, for
// grants to refer to. Its description of itself is read from its document each time.
import { idJagGrant } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import { invalidateTenant } from '../../platform/cache/invalidation.ts'
import type { Clock } from '../../platform/clock.ts'
import { addToCounters } from '../../platform/db/counters.ts'
import { ConstraintError, type Transaction } from '../../platform/db/database.ts'
import { eventStatement } from '../../platform/events/append.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import { type ApplicationId, type TenantId, newId } from '../../platform/ids.ts'
import { fromJson, toJson } from '../../platform/json-text.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import { assertRoom } from './application-limit.ts'
import type { ApplicationRow } from './application-records.ts'
import { lockTenant } from './queries.ts'
import { applications } from './tables.ts'

const nameLengthMax = 128

/** Returns the name that a client gives itself as one line without invisible characters; the host of its document if nothing is left. */
export function nameOfSelfDescribed(clientId: string, name: string | undefined): string {
  const line = (name ?? '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '')
    .trim()
  const short = Array.from(line).slice(0, nameLengthMax).join('').trim()
  return short === '' ? new URL(clientId).host : short
}

/** What the record of such a client takes from its document. */
export interface SelfDescription {
  readonly clientId: string
  readonly clientName?: string | undefined
  readonly applicationType?: string | undefined
  readonly redirectUris?: readonly string[] | undefined
  readonly grantTypes?: readonly string[] | undefined
  readonly clientAuthMethod?: string | undefined
  readonly idTokenSignedResponseAlg?: string | undefined
}

/** Returns the record of a client as its document describes it. What a document cannot say has the strictest value. */
const recordOf = (
  { clientId, clientName, applicationType, redirectUris, grantTypes, ...client }: SelfDescription,
  tenantId: TenantId,
  clock: Clock,
): ApplicationRow => ({
  tenant_id: tenantId,
  id: newId<'ApplicationId'>(),
  client_id: clientId,
  origin: 'document',
  name: nameOfSelfDescribed(clientId, clientName),
  type: applicationType === 'native' ? 'native' : 'web',
  redirect_uris: toJson(redirectUris ?? []),
  post_logout_redirect_uris: toJson([]),
  cors_origins: toJson([]),
  grant_types: toJson(grantTypes ?? []),
  backchannel_logout_uri: null,
  token_endpoint_auth_method: client.clientAuthMethod === 'private_key_jwt' ? 'private_key_jwt' : 'none',
  jwks: null,
  jwks_uri: null,
  id_token_alg: client.idTokenSignedResponseAlg === 'RS256' ? 'RS256' : 'ES256',
  access_token_format: 'jwt',
  access_token_ttl: null,
  refresh_token_ttl: null,
  refresh_token_rotation: 1,
  require_pkce: 1,
  require_consent: 1,
  require_par: 0,
  require_dpop: 0,
  require_second_factor: 0,
  machine_scopes: toJson([]),
  exchange_from: toJson([]),
  exchange_to: toJson([]),
  logo_id: null,
  logo_uri: null,
  registration_token_hash: null,
  initiate_login_uri: null,
  home_uri: null,
  terms_uri: null,
  policy_uri: null,
  created_at: clock.next(),
  updated_at: clock.now(),
})

/** Returns the record of a client that a user is about to allow something, and what writes it. */
export function applicationForConsent(deps: Deps, tenant: TenantEntry, client: SelfDescription) {
  const { clock, personal, tenants } = deps
  const tenantId = tenant.row.id
  const row = recordOf(client, tenantId, clock)
  const { client_id: clientId, name, type } = row
  const redirectUris = [...(client.redirectUris ?? [])]
  const grantTypes = [...(client.grantTypes ?? [])]
  return {
    row,
    /**
     * @throws ConstraintError if somebody else has allowed it something meanwhile. Then it counts as an application, so
     * the row is written before they are counted.
     * @throws ApiError application_limit_reached
     */
    async write(tx: Transaction, actor: Actor) {
      await tx.run(lockTenant(tenantId))
      await tx.run(applications.insert(row))
      await assertRoom(tx, tenantId)
      await tx.run(addToCounters(tx, tenantId, { applications: 1 }))
      await invalidateTenant(tx, tenants, tenantId)
      await tx.run(
        eventStatement(clock, personal, {
          tenantId,
          type: 'application.created',
          actor,
          subjectId: row.id,
          data: { after: { clientId, name, type, redirectUris, grantTypes } },
        }),
      )
    },
  }
}

const readGrants = ({ grant_types: types }: ApplicationRow) => fromJson(types)

/** A client whose record is older than its wish to be an agent is listed as one from now on. */
async function becomeAgent(deps: Deps, tenantId: TenantId, id: ApplicationId, client: SelfDescription, actor: Actor) {
  const { clock, db, personal, tenants } = deps
  const grantTypes = [...(client.grantTypes ?? [])]
  await db.transaction(async (tx) => {
    const before = await applications.lock(tx, tenantId, id)
    if (before === undefined || readGrants(before).includes(idJagGrant)) return
    await tx.run(setGrants({ ...before, grant_types: toJson(grantTypes), updated_at: clock.now() }))
    await invalidateTenant(tx, tenants, tenantId)
    const data = { before: { grantTypes: [...readGrants(before)] }, after: { grantTypes } }
    await tx.run(eventStatement(clock, personal, { tenantId, type: 'application.updated', actor, subjectId: id, data }))
  })
}

const setGrants = applications.update('grant_types', 'updated_at')
const selectByClient = ({ db }: Deps, tenantId: TenantId, clientId: string) =>
  applications.first(db)`tenant_id = ${tenantId} AND client_id = ${clientId}`

/**
 * Returns the application of a client that redeems an identity assertion, with a record that says that it is an agent.
 * @throws ApiError application_limit_reached
 */
export async function ensureAgent(
  deps: Deps,
  tenant: TenantEntry,
  client: SelfDescription,
  actor: Actor,
): Promise<ApplicationId> {
  const tenantId = tenant.row.id
  const known = await selectByClient(deps, tenantId, client.clientId)
  if (known !== undefined) {
    if (!readGrants(known).includes(idJagGrant)) await becomeAgent(deps, tenantId, known.id, client, actor)
    return known.id
  }
  const made = applicationForConsent(deps, tenant, client)
  try {
    await deps.db.transaction((tx) => made.write(tx, actor))
    return made.row.id
  } catch (error) {
    if (!(error instanceof ConstraintError && error.constraint === 'applications_client_key')) throw error
    // It redeemed another assertion at the same moment.
    const present = await selectByClient(deps, tenantId, client.clientId)
    if (present === undefined) throw error
    return present.id
  }
}
