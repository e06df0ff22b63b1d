// Applications as the engine's clients. The engine checks a client's metadata each time that it makes one, so existing clients are kept
// with the record that they were made from.
import { randomBytes } from 'node:crypto'
import { idJagGrant } from '@bailiwick/contract'
import { LRUCache } from 'lru-cache'
import type Provider from 'oidc-provider'
import { entriesAtMost } from '../../../platform/cache/memory.ts'
import { hashToken, isEqual } from '../../../platform/crypto/tokens.ts'
import { fromJson } from '../../../platform/json-text.ts'
import {
  type ApplicationRecord,
  type ApplicationRow,
  findApplicationOfClient,
} from '../../applications/application-records.ts'
import { openGrants } from '../../applications/application-rules.ts'
import { currentTenancy, useRsaKey } from '../tenancy.ts'

/** The placeholder for a secret where the engine requires one. Nobody knows it; the real ones are compared below, by their hashes. */
const nobodysSecret = randomBytes(32).toString('base64url')

const usesSecret = ({ token_endpoint_auth_method: method }: ApplicationRow) => method.startsWith('client_secret_')

export function clientMetadata({ row }: ApplicationRecord): Record<string, unknown> {
  const redirects = fromJson(row.redirect_uris)
  const grantTypes = fromJson(row.grant_types)
  return {
    client_id: row.client_id,
    client_name: row.name,
    application_type: row.type === 'native' || row.type === 'device' ? 'native' : 'web',
    redirect_uris: redirects,
    post_logout_redirect_uris: fromJson(row.post_logout_redirect_uris),
    grant_types: grantTypes,
    response_types: grantTypes.includes('authorization_code') ? ['code'] : [],
    token_endpoint_auth_method: row.token_endpoint_auth_method,
    ...(usesSecret(row) ? { client_secret: nobodysSecret } : {}),
    ...(row.jwks === null ? {} : { jwks: fromJson(row.jwks) }),
    ...(row.jwks_uri === null ? {} : { jwks_uri: row.jwks_uri }),
    ...(row.backchannel_logout_uri === null
      ? {}
      : { backchannel_logout_uri: row.backchannel_logout_uri, backchannel_logout_session_required: true }),
    ...(row.require_par === 1 ? { require_pushed_authorization_requests: true } : {}),
    ...(row.require_dpop === 1 ? { dpop_bound_access_tokens: true } : {}),
    id_token_signed_response_alg: row.id_token_alg,
  }
}

type Client = InstanceType<Provider['Client']>
/** A client takes as much memory as its record, and little time to be made. */
const clientsMax = 1000
const clients = new LRUCache<ApplicationRecord, Client>(entriesAtMost(clientsMax))
const records = new WeakMap<object, ApplicationRecord>()

/** Returns the application that a client of the engine was made from; undefined for one that describes itself. */
export const applicationOf = (client: object | undefined): ApplicationRecord | undefined =>
  client && records.get(client)

/** Returns whether a secret is one of the application's that have not expired. */
function hasSecret({ secrets }: ApplicationRecord, given: string, now: string): boolean {
  const hash = hashToken(given)
  return secrets.filter(({ expires_at: at }) => at === null || at > now).some((secret) => isEqual(secret.hash, hash))
}

/**
 * Returns the origins of the pages that may ask for tokens. A single-page app without any of its own has those of its redirect addresses, where
 * its pages are.
 */
export function allowedOrigins({
  type,
  cors_origins: own,
  redirect_uris: redirects,
}: ApplicationRow): readonly string[] {
  const origins = fromJson(own)
  if (origins.length > 0 || type !== 'spa') return origins
  return fromJson(redirects).map((uri) => new URL(uri).origin)
}

/** Returns whether the tenant itself has registered the client, rather than the client itself, or its document. */
export const isOfTenant = (client: object | undefined): boolean => applicationOf(client)?.row.origin === 'manual'

/** No client needs a longer address for its document, and the databases' indexes have limits. */
const clientIdLengthMax = 2000

type Checked = new (metadata: object, ...rest: unknown[]) => object

interface ClientClass {
  new (metadata: object): Client
  /** What the constructor makes of metadata: checked, with all defaults. */
  readonly Schema: Checked
  find: (id: string) => Promise<Client | undefined>
  prototype: {
    compareClientSecret: (this: object, given: string) => boolean
    grantTypeAllowed: (this: object, type: string) => boolean
    includeSid: () => boolean
  }
}

/** Room for so many applications that differ in more than their names. */
const checkedMax = 1000

/**
 * Lets the engine check the metadata of applications that differ in nothing but their ids and names once: that is nearly all of the time
 * that making a client takes, and only those that were used last are kept.
 */
function reuseChecks(Class: ClientClass) {
  const { Schema } = Class
  const checked = new LRUCache<string, object>(entriesAtMost(checkedMax))
  const reuse = (metadata: object, rest: readonly unknown[]): object => {
    // A client that describes itself comes with more than its metadata.
    if (!ours.has(metadata)) return new Schema(metadata, ...rest)
    const { client_id: id, client_name: name, ...common } = metadata as Record<string, unknown>
    const key = JSON.stringify(common)
    const known = checked.get(key) ?? { ...new Schema(metadata, ...rest) }
    checked.set(key, known)
    return { ...known, client_id: id, client_name: name }
  }
  const value = function ReusedSchema(metadata: object, ...rest: unknown[]) {
    return reuse(metadata, rest)
  }
  Object.defineProperty(Class, 'Schema', { value })
}

/** The metadata of applications, which were checked when they were stored. */
const ours = new WeakSet<object>()

/** Makes the engine find clients among the tenant's applications and compare secrets by their hashes. */
export function useApplications(provider: Provider) {
  // oidc-provider's types leave out the class.
  const Class = provider.Client as unknown as ClientClass
  const findElsewhere = Class.find.bind(Class)
  reuseChecks(Class)
  Class.find = async (id) => {
    if (typeof id !== 'string' || id === '' || id.length > clientIdLengthMax || id.includes('\0')) return undefined
    const { deps, tenant, store } = currentTenancy()
    const record = await findApplicationOfClient(deps.db, tenant, id)
    // A client that describes itself is read from its document each time; its record says only that somebody has allowed it.
    if (record === undefined || record.row.origin === 'document') {
      if (record !== undefined) store.applicationOf.set(id, record.row.id)
      // Whoever refuses a client asks for it once more, and a document may take seconds.
      const described = (store.described as Map<string, Promise<Client | undefined>>).get(id) ?? findElsewhere(id)
      store.described.set(id, described)
      const client = await described
      if (client?.idTokenSignedResponseAlg === 'RS256') await useRsaKey()
      return client
    }
    store.applicationOf.set(id, record.row.id)
    if (record.row.id_token_alg === 'RS256') await useRsaKey()
    let client = clients.get(record)
    if (client === undefined) {
      const metadata = clientMetadata(record)
      ours.add(metadata)
      client = new Class(metadata)
      clients.set(record, client)
      records.set(client, record)
    }
    return client
  }
  const isGrantAllowed = Class.prototype.grantTypeAllowed
  Class.prototype.grantTypeAllowed = function grantTypeAllowed(type) {
    if (!isGrantAllowed.call(this, type)) return false
    // Anybody can publish a document that lists any grant. The provider that signs an assertion names the client that may redeem it, so one
    // that proves its key may.
    const isNamed = type === idJagGrant && (this as Client).clientAuthMethod === 'private_key_jwt'
    return records.has(this) || openGrants.includes(type) || isNamed
  }
  Class.prototype.includeSid = () => true
  Class.prototype.compareClientSecret = function compareClientSecret(given) {
    const record = records.get(this)
    return record !== undefined && hasSecret(record, given, currentTenancy().deps.clock.now())
  }
}
