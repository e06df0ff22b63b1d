import { CreateApplication, type IdTokenAlgorithm, applicationOrigins, isWebUri } from '@bailiwick/contract'
import { type ColumnRule, aHash, fieldsOf, lastFour, oneOfThese } from '../../platform/db/accepted.ts'
import { flag, id, integer, json, many, record, text, time } from '../../platform/db/columns.ts'
import { table } from '../../platform/db/table.ts'
import type { ApplicationId, ApplicationSecretId } from '../../platform/ids.ts'
import { toJson } from '../../platform/json-text.ts'
import type { MachineScopes } from '../resources/scopes-of-resources.ts'

const clientId: ColumnRule = {
  rule: 'must be the id of the record, or the address of a document',
  test: (value, { id: own, origin }) =>
    origin === 'document' ? typeof value === 'string' && isWebUri(value) : value === own,
}

export const applications = table(
  'applications',
  {
    ...record<ApplicationId>(),
    /** The record's id; for a client that describes itself in a document, the document's address. */
    client_id: text(),
    origin: text<'manual' | 'document' | 'registration'>(),
    name: text(),
    type: text<'web' | 'spa' | 'native' | 'machine' | 'device'>(),
    ...many(json<readonly string[]>(), 'redirect_uris', 'post_logout_redirect_uris', 'cors_origins', 'grant_types'),
    backchannel_logout_uri: text().nullable(),
    token_endpoint_auth_method: text<'none' | 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt'>(),
    /** The public keys of a client that authenticates by `private_key_jwt`; at most one of the two is set. */
    jwks: json<{ readonly keys: readonly object[] }>().nullable(),
    jwks_uri: text().nullable(),
    /** The algorithm of its ID tokens and logout tokens. */
    id_token_alg: text<IdTokenAlgorithm>().default('ES256'),
    access_token_format: text<'jwt' | 'opaque'>(),
    /** In seconds; null is the tenant's default. */
    ...many(integer().nullable(), 'access_token_ttl', 'refresh_token_ttl'),
    ...many(
      flag().default(0),
      'refresh_token_rotation',
      'require_pkce',
      'require_consent',
      'require_par',
      'require_dpop',
      'require_second_factor',
    ),
    machine_scopes: json<readonly MachineScopes[]>(),
    /** The ids of the resources whose tokens it may exchange, and of those that it may get tokens for in exchange. */
    ...many(json<readonly string[]>().default(toJson<readonly string[]>([])), 'exchange_from', 'exchange_to'),
    /** Of the token by which a client that has registered itself manages its registration. */
    registration_token_hash: text().nullable(),
    /** Where users begin to sign in to it, and its own first page. */
    ...many(text().nullable(), 'initiate_login_uri', 'home_uri'),
    ...many(text().nullable(), 'logo_id', 'logo_uri', 'terms_uri', 'policy_uri'),
  },
  // A logo that is shown has an address of the deployment.
  {
    counted: [{ counter: 'applications' }],
    madeAnew: ['logo_uri'],
    accepts: {
      ...fieldsOf(CreateApplication),
      client_id: clientId,
      origin: oneOfThese(applicationOrigins),
      id_token_alg: CreateApplication.properties.idTokenSigningAlg,
      registration_token_hash: aHash,
    },
  },
)

/** The secrets of applications, at most two for each. */
export const applicationSecrets = table(
  'application_secrets',
  {
    ...record<ApplicationSecretId>(),
    application_id: id<ApplicationId>(),
    ...many(text(), 'hash', 'last4'),
    expires_at: time().nullable(),
  },
  { accepts: { hash: aHash, last4: lastFour } },
)
