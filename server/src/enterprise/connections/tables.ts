import {
  type AttributeMapping,
  type ConnectionState,
  type ConnectionType,
  CreateConnection,
  OidcSettings,
  type RoleRule,
  SamlSettings,
  connectionStates,
  connectionTypes,
} from '@bailiwick/contract'
import { type ColumnRule, anId, fieldsOf, oneOfThese, shortText } from '../../platform/db/accepted.ts'
import { flag, id, integer, json, many, record, text, time } from '../../platform/db/columns.ts'
import { table } from '../../platform/db/table.ts'
import { issuesOf } from '../../platform/http/body/validate.ts'
import type { ConnectionId, OrganizationId, UserId } from '../../platform/ids.ts'
import { toJson } from '../../platform/json-text.ts'
import { certificateValue, isRsaKey } from '../saml/keys/certificates.ts'

const settingsByType: ColumnRule = {
  rule: 'must be the settings of its type',
  test: (value, { type }) =>
    type === 'saml'
      ? issuesOf(SamlSettings, value).length === 0 &&
        [...(value as SamlSettings).certificates, (value as SamlSettings).ownCertificate].every(
          (each) => certificateValue(each) === each,
        )
      : issuesOf(OidcSettings, value).length === 0,
}
const secretByType: ColumnRule = {
  rule: 'must be the secret of its type',
  test: (value, { type }) => shortText.test(value, {}) && (type !== 'saml' || isRsaKey(value as string)),
}

export const connections = table(
  'connections',
  {
    ...record<ConnectionId>(),
    organization_id: id<OrganizationId>(),
    type: text<ConnectionType>(),
    name: text(),
    state: text<ConnectionState>(),
    /** What the type needs beside its secret. */
    settings: json(),
    /** Of OpenID Connect, the client secret; of SAML, the private key. */
    secret: text().nullable(),
    role_rules: json<readonly RoleRule[]>(),
    attribute_mappings: json<readonly AttributeMapping[]>().default(toJson<readonly AttributeMapping[]>([])),
    jit: text<'off' | 'member'>(),
    required: flag(),
    fallback_user_ids: json<readonly string[]>(),
    second_factor: text<'skip' | 'ask'>(),
    /** The issuer of the settings while agents can redeem its assertions; null otherwise. */
    id_jag_issuer: text().nullable(),
    /** Empty for all scopes. */
    id_jag_scopes: json<readonly string[]>().default(toJson<readonly string[]>([])),
    id_jag_ttl: integer().default(900),
    /** When a sign-in with the present settings last succeeded. */
    tested_at: time().nullable(),
    /** When the end of the last certificate of a SAML provider is announced next. */
    certificate_notice_at: time().nullable(),
  },
  {
    sealed: { secret: 'secret' },
    accepts: {
      ...fieldsOf(CreateConnection),
      type: oneOfThese(connectionTypes),
      state: oneOfThese(connectionStates),
      settings: settingsByType,
      secret: secretByType,
      id_jag_issuer: shortText,
    },
  },
)

/** The last test of each connection. */
export const connectionTests = table(
  'connection_tests',
  {
    tenant_id: record().tenant_id,
    connection_id: id<ConnectionId>(),
    state: text<'open' | 'passed' | 'failed'>(),
    sealed_report: text().nullable(),
    ...many(time(), 'created_at', 'expires_at'),
  },
  {
    key: ['tenant_id', 'connection_id'],
    sealed: { sealed_report: 'report' },
    notExported: 'their reports are kept for a day',
  },
)

/** Who somebody is at a connection: connection and subject alone identify a user, never an address. */
export const connectionIdentities = table(
  'connection_identities',
  {
    ...many(id<ConnectionId>(), 'connection_id'),
    tenant_id: record().tenant_id,
    subject: text(),
    organization_id: id<OrganizationId>(),
    user_id: id<UserId>(),
    ...many(time(), 'created_at', 'last_used_at'),
    /** Whether the connection has made the user, whose attributes it writes then. */
    owns_profile: flag().default(0),
  },
  { key: ['tenant_id', 'connection_id', 'subject'], accepts: { subject: shortText, organization_id: anId } },
)
