// A client that has registered itself, as the holder of its registration access token finds and changes it (RFC 7592).
import type { Application, ApplicationWithSecret, CreateApplication } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import { isEqual } from '../../platform/crypto/tokens.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { TenantId } from '../../platform/ids.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import { newRow } from './application-rows.ts'
import { removeApplication, rsaKeyFor, writeChange } from './applications.ts'
import { presentApplication } from './present.ts'
import * as queries from './queries.ts'

type Row = queries.ApplicationRow

const isHeld = (row: Row | undefined, tokenHash: string): row is Row =>
  row !== undefined &&
  row.origin === 'registration' &&
  row.registration_token_hash !== null &&
  isEqual(row.registration_token_hash, tokenHash)

/** Returns the client without its secrets; undefined unless the hash is that of its token. */
export async function findRegistered(
  { db, config }: Deps,
  tenantId: TenantId,
  clientId: string,
  tokenHash: string,
): Promise<Application | undefined> {
  const row = await queries.selectApplication(db, tenantId, clientId)
  return isHeld(row, tokenHash) ? presentApplication(config, row, []) : undefined
}

/** What the client says of itself. All else is the tenant's. */
const ownColumns = [
  'name',
  'redirect_uris',
  'post_logout_redirect_uris',
  'backchannel_logout_uri',
  'grant_types',
  'token_endpoint_auth_method',
  'jwks',
  'jwks_uri',
  'id_token_alg',
  'initiate_login_uri',
  'home_uri',
  'terms_uri',
  'policy_uri',
  'require_par',
  'require_dpop',
] as const satisfies readonly (keyof Row)[]

interface Held {
  readonly tokenHash: string
  /** Of the token that replaces it. */
  readonly nextTokenHash: string
  /** Of the secret that the client has sent with the change; it has to be one of its own. */
  readonly secretHash: string | undefined
}

/** @throws ApiError validation_failed */
function assertSame(row: Row, { type }: Pick<CreateApplication, 'type'>, isOwnSecret: boolean) {
  const issues = [
    ...(row.type === type
      ? []
      : [
          {
            path: '/application_type',
            code: 'never_changes',
            message: 'and the kind of client authentication never change',
          },
        ]),
    ...(isOwnSecret ? [] : [{ path: '/client_secret', code: 'unknown', message: 'must be the secret of this client' }]),
  ]
  if (issues.length > 0) throw new ApiError('validation_failed', { issues })
}

/**
 * Replaces what the client says of itself, and its token. Of several at the same moment one succeeds, since each needs the present token.
 * @returns undefined unless the hash is that of its token.
 * @throws ApiError validation_failed
 */
export async function replaceRegistered(
  deps: Deps,
  tenant: TenantEntry,
  clientId: string,
  { tokenHash, nextTokenHash, secretHash }: Held,
  input: Omit<CreateApplication, 'tenantId'>,
  actor: Actor,
): Promise<ApplicationWithSecret | undefined> {
  const { id: tenantId } = tenant.row
  const rsaKey = await rsaKeyFor(deps, tenantId, input)
  return deps.db.transaction(async (tx) => {
    await tx.run(queries.lockTenant(tenantId))
    const row = await queries.selectApplicationForUpdate(tx, tenantId, clientId)
    if (!isHeld(row, tokenHash)) return undefined
    const secrets =
      secretHash === undefined ? [] : await queries.selectSecrets(tx, tenantId, [row.id], deps.clock.now())
    const isOwnSecret = secretHash === undefined || secrets.some(({ hash }) => isEqual(hash, secretHash))
    assertSame(row, input, isOwnSecret)
    const fresh = newRow(deps, tenantId, input)
    const own = Object.fromEntries(ownColumns.map((name) => [name, fresh[name]])) as Pick<
      Row,
      (typeof ownColumns)[number]
    >
    const changed = { ...row, ...own, registration_token_hash: nextTokenHash }
    const { application, clientSecret } = await writeChange(
      deps,
      tx,
      tenant,
      { row, changed, checks: undefined, rsaKey },
      actor,
    )
    return { ...application, clientSecret }
  })
}

/** Returns whether the client was deleted: only if the hash is that of its token. */
export const deleteRegistered = (
  deps: Deps,
  tenantId: TenantId,
  clientId: string,
  tokenHash: string,
  actor: Actor,
): Promise<boolean> =>
  deps.db.transaction(async (tx) => {
    const row = await queries.selectApplicationForUpdate(tx, tenantId, clientId)
    if (!isHeld(row, tokenHash)) return false
    await removeApplication(deps, tx, row, actor)
    return true
  })
