// Every table that holds rows of tenants: what an export takes, what the erasure of a tenant removes and which columns are
// sealed. A test fails for a table that is not here, so that whoever adds one decides.
export type TenantRowValues = Readonly<Record<string, unknown>>

export interface SealedColumn {
  readonly column: string
  /** The column that says in `boundTo` which row it is. */
  readonly idColumn: string
  /** What the text is bound to, as it was when it was sealed. */
  readonly boundTo: (row: TenantRowValues) => string
}

export interface TenantTable {
  readonly name: string
  /** What, behind tenant_id, names one row and has an index: rows are read and removed along it. */
  readonly key: readonly string[]
  /** Why an export of a tenant leaves it out; undefined: it is in. */
  readonly notExported: string | undefined
  /** Which rows an export takes along; undefined: all. */
  readonly isExported: ((row: TenantRowValues) => boolean) | undefined
  readonly sealed: readonly SealedColumn[]
}

const byTime = ['created_at'] as const
const nothing = undefined

const sealedColumn = (table: string, column: string, as: string, idColumn = 'id'): SealedColumn => ({
  column,
  idColumn,
  boundTo: (row) => `${table}:${String(row['tenant_id'])}:${String(row[idColumn])}:${as}`,
})

const table = (
  name: string,
  { key = byTime, notExported = nothing, isExported = nothing, sealed = [] }: Partial<Omit<TenantTable, 'name'>> = {},
): TenantTable => ({ name, key, notExported, isExported, sealed })

/** What is referred to stands before what refers to it. */
export const tenantTables: readonly TenantTable[] = [
  table('auth_configurations', { key: ['version'] }),
  table('brand_versions', { key: ['version'] }),
  table('pages_versions', { key: ['version'] }),
  table('domains'),
  table('secret_keys', { sealed: [sealedColumn('secret_keys', 'sealed', 'key')] }),
  table('api_keys'),
  table('signing_keys', { sealed: [sealedColumn('signing_keys', 'sealed_private_pem', 'private_pem')] }),
  table('roles'),
  table('transformations'),
  table('templates'),
  table('channels', { sealed: [sealedColumn('channels', 'sealed_secrets', 'secrets')] }),
  table('social_providers', { sealed: [sealedColumn('social_providers', 'sealed_client_secret', 'client_secret')] }),
  table('webhooks', {
    sealed: [
      sealedColumn('webhooks', 'sealed_secret', 'secret'),
      sealedColumn('webhooks', 'sealed_previous_secret', 'previous_secret'),
    ],
  }),
  table('users'),
  // Sealed are those that came from another service; our own hashes stand as they are.
  table('passwords', { key: ['user_id'], sealed: [sealedColumn('passwords', 'hash', 'hash', 'user_id')] }),
  table('authenticator_codes', { sealed: [sealedColumn('authenticator_codes', 'sealed_secret', 'secret')] }),
  table('recovery_codes', { key: ['user_id', 'code_hash'] }),
  table('passkeys'),
  table('passkey_challenges', { key: ['subject', 'purpose'], notExported: 'they expire within minutes' }),
  table('email_addresses'),
  table('phone_numbers'),
  table('contact_candidates', { notExported: 'they expire within a day' }),
  table('social_connections'),
  table('organizations'),
  table('organization_members'),
  table('organization_invitations'),
  table('organization_domains'),
  table('tenant_members', { notExported: "they are people of the deployment's own console" }),
  table('tenant_invitations', { notExported: "they lead to the deployment's own console" }),
  table('sessions', { notExported: 'a sign-in holds where it was made' }),
  table('sign_in_attempts', { notExported: 'they expire within minutes' }),
  table('sign_up_attempts', {
    notExported: 'they expire within minutes',
    sealed: [sealedColumn('sign_up_attempts', 'sealed_fields', 'fields')],
  }),
  table('verifications', { key: ['flow_id', 'purpose'], notExported: 'they expire within minutes' }),
  table('oauth_states', {
    key: ['state_hash'],
    notExported: 'they expire within minutes',
    sealed: [
      sealedColumn('oauth_states', 'sealed_secrets', 'secrets', 'state_hash'),
      sealedColumn('oauth_states', 'sealed_identity', 'identity', 'state_hash'),
    ],
  }),
  table('password_resets', { notExported: 'they expire within minutes' }),
  table('tenant_limits', { key: ['tenant_id'], notExported: "they are the operator's, for this deployment" }),
  table('quotas', { key: ['name', 'subject'], notExported: 'they count what happened where it was counted' }),
  table('guesses', { key: ['subject', 'device'], notExported: 'they count what happened where it was counted' }),
  table('known_devices', { key: ['user_id', 'token_hash'], notExported: 'a device is known where it has signed in' }),
  table('webhook_deliveries', { notExported: 'what was sent stays with who sent it' }),
  table('messages', {
    notExported: 'what was sent stays with who sent it',
    sealed: [
      sealedColumn('messages', 'sealed_variables', 'variables'),
      sealedColumn('messages', 'sealed_content', 'content'),
    ],
  }),
  table('media_files'),
  table('media_kept_images', { key: ['file_id', 'storage_key'], notExported: 'they are made anew of their files' }),
  // One that is unfinished expires within the hour.
  table('media_uploads', { isExported: (row) => row['finished_at'] !== null }),
  table('idempotency_keys', {
    key: ['id'],
    notExported: 'they are gone within a day',
    sealed: [sealedColumn('idempotency_keys', 'sealed', 'sealed')],
  }),
  table('jobs', { notExported: 'work under way is done where it was begun' }),
  table('events', { notExported: 'the log is chained and signed for the place where it was written' }),
  table('event_seals', { key: ['sequence'], notExported: 'as the events' }),
  table('event_checkpoints', { key: ['tenant_id'], notExported: 'as the events' }),
  table('counters', { key: ['name', 'shard'], notExported: 'counted anew, but for those of days that are past' }),
]

/** Hold a tenant's id without being its data. */
export const othersWithTenantId: Readonly<Record<string, string>> = {
  cache_invalidations: 'what nodes shall forget; each row is gone within two hours',
}
