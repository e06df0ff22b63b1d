// The settings of an OpenID Connect connection: what a request changes of them, and what it may not.
import type { CreateConnection, OidcSettings, PersonClaims, UpdateOidcConnection } from '@bailiwick/contract'
import { ApiError, invalid } from '../../platform/http/api-error.ts'
import { keptSecretIssues } from '../../platform/http/kept-secrets.ts'
import { toJson } from '../../platform/json-text.ts'
import type { Deps } from '../deps.ts'
import { sealConnectionSecret } from './connection-secret.ts'
import { oidcSettings } from './present.ts'
import type { ConnectionRow } from './queries.ts'

/** The standard claims of OpenID Connect Core 1.0 section 5.1. */
const standardClaims: PersonClaims = {
  email: 'email',
  name: 'name',
  givenName: 'given_name',
  familyName: 'family_name',
}

/** @throws ApiError validation_failed if the settings of the connection's type are missing. */
export function newOidcSettings({ oidc }: Pick<CreateConnection, 'oidc'>): OidcSettings {
  if (oidc === undefined) throw invalid('/oidc', 'required', 'is required for a connection of type oidc')
  const { issuer, clientId = '', scopes = ['email', 'profile'], claims } = oidc
  return { issuer, clientId, scopes: [...new Set(scopes)], claims: { ...standardClaims, ...claims } }
}

/**
 * Returns the row with what was sent put into it.
 * @param isUsed whether somebody has signed in, whose subject another issuer could give to somebody else.
 * @throws ApiError validation_failed for another issuer of a connection in use, and where the secret would be sent to another place.
 */
export function withOidcSettings(
  { sealer }: Pick<Deps, 'sealer'>,
  row: ConnectionRow,
  input: UpdateOidcConnection,
  isUsed: boolean,
): ConnectionRow {
  const before = oidcSettings(row)
  const after: OidcSettings = {
    issuer: input.issuer ?? before.issuer,
    clientId: input.clientId ?? before.clientId,
    scopes: input.scopes === undefined ? before.scopes : [...new Set(input.scopes)],
    claims: { ...before.claims, ...input.claims },
  }
  if (isUsed && after.issuer !== before.issuer)
    throw invalid(
      '/oidc/issuer',
      'connection_in_use',
      'cannot change once somebody has signed in, because another issuer gives the same subject to others; add another connection',
    )
  const { clientSecret } = input
  const issues = keptSecretIssues({
    before: { issuer: before.issuer, clientId: before.clientId },
    after: { issuer: after.issuer, clientId: after.clientId },
    harmless: [],
    kept: clientSecret === undefined && row.secret !== null ? ['/oidc/clientSecret'] : [],
  })
  if (issues.length > 0) throw new ApiError('validation_failed', { issues })
  const secret = clientSecret ? sealConnectionSecret(sealer, row, clientSecret) : clientSecret
  return { ...row, settings: toJson(after), secret: secret === undefined ? row.secret : secret }
}
