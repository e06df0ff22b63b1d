// Gives each tenant of a database what its authorization server needs, without a request for each: a signing key of its own and a machine
// application with one scope of one resource.
import { hashToken, newToken } from '@bailiwick/server/src/platform/crypto/tokens.ts'
import { sql } from '@bailiwick/server/src/platform/db/sql.ts'
import { type TenantId, newId } from '@bailiwick/server/src/platform/ids.ts'
import { toJson } from '@bailiwick/server/src/platform/json-text.ts'
import { applicationSecrets, applications } from '../../../server/src/applications/applications/tables.ts'
import { resources } from '../../../server/src/applications/resources/tables.ts'
import type { Deps } from '../../../server/src/identity/deps.ts'
import { insertSigningKey, newSigningKey } from '../../../server/src/tenancy/signing-keys/signing-keys.ts'
import { withStoreDeps } from './deps-of-store.ts'
import type { Store } from './store.ts'

/** A machine application of a tenant. */
export interface Machine {
  readonly tenantId: string
  readonly clientId: string
  readonly clientSecret: string
}

interface Resource {
  readonly indicator: string
  readonly scope: string
}

const tenantsPerWrite = 100

async function createRows({ clock, sealer }: Deps, tenantId: TenantId, { indicator, scope }: Resource) {
  const times = { created_at: clock.next(), updated_at: clock.now() }
  const place = { tenant_id: tenantId, ...times }
  const [resourceId, applicationId] = [newId<'ResourceId'>(), newId<'ApplicationId'>()]
  const secret = newToken('as_')
  const statements = [
    // The keys of tenants that were copied belong to the first one.
    sql`DELETE FROM signing_keys WHERE tenant_id = ${tenantId}`,
    insertSigningKey({ ...(await newSigningKey(sealer, tenantId)), ...times }),
    resources.insert({
      ...place,
      id: resourceId,
      indicator,
      name: 'Articles',
      scopes: toJson([{ name: scope, description: null }]),
      access_token_format: 'jwt',
    }),
    applications.insert({
      ...place,
      id: applicationId,
      client_id: applicationId,
      origin: 'manual',
      name: 'Worker',
      type: 'machine',
      redirect_uris: toJson([]),
      post_logout_redirect_uris: toJson([]),
      cors_origins: toJson([]),
      grant_types: toJson(['client_credentials']),
      token_endpoint_auth_method: 'client_secret_basic',
      access_token_format: 'jwt',
      machine_scopes: toJson([{ resourceId, scopes: [scope] }]),
    }),
    applicationSecrets.insert({
      ...place,
      id: newId<'ApplicationSecretId'>(),
      application_id: applicationId,
      hash: hashToken(secret),
      last4: secret.slice(-4),
    }),
  ]
  return { statements, machine: { tenantId, clientId: applicationId, clientSecret: secret } satisfies Machine }
}

/** Call it while no service runs on the store. */
export const openAuthorizationServers = (store: Store, resource: Resource): Promise<Machine[]> =>
  withStoreDeps(store, async (deps) => {
    const tenants = await deps.db.all<{ id: TenantId }>(sql`SELECT id FROM tenants WHERE kind = 'tenant'`)
    const machines: Machine[] = []
    for (let from = 0; from < tenants.length; from += tenantsPerWrite) {
      const some = tenants.slice(from, from + tenantsPerWrite)
      const made = await Promise.all(some.map(({ id }) => createRows(deps, id, resource)))
      await deps.db.write(() => made.flatMap(({ statements }) => statements))
      machines.push(...made.map(({ machine }) => machine))
    }
    return machines
  })
