// Revokes tokens at the provider that are no longer kept here.
import type { Deps } from '../../identity/deps.ts'
import type { KeptTokens } from '../../identity/provider-tokens/provider-tokens.ts'
import { providerRevocations } from '../../identity/provider-tokens/tables.ts'
import { addMilliseconds } from '../../platform/clock.ts'
import { removeExpired } from '../../platform/db/remove-expired.ts'
import type { RowOf } from '../../platform/db/table.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { JobHandler } from '../../platform/jobs/jobs.ts'
import { findProviderByKey } from '../../tenancy/social-providers/find-provider.ts'
import { openProviderClient } from '../providers/provider-client.ts'
import { settingsOf } from '../providers/provider-settings.ts'
import { revokeTokens } from '../providers/provider-tokens.ts'

/** With the pauses between the attempts, a provider that answers again within half an hour is asked. */
const failuresMax = 10
/** Nobody tries for longer than this. */
const keptMs = 2 * 24 * 60 * 60_000

async function revoke(deps: Deps, row: RowOf<typeof providerRevocations>) {
  const provider = await findProviderByKey(deps.db, row.tenant_id, row.provider_key)
  if (provider === undefined) return
  try {
    const client = await openProviderClient(deps, settingsOf(deps, provider))
    // Tokens go only to the provider that has issued them.
    if (client.issuer !== row.issuer) return
    const tokens = deps.sealer.open(row.sealed_tokens, providerRevocations.place('sealed_tokens', row))
    await revokeTokens(deps, client, JSON.parse(tokens) as KeptTokens)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'provider_unusable') return
    throw error
  }
}

export const revocationHandler = (deps: Deps): JobHandler => ({
  async run({ tenantId, key }) {
    const row = await providerRevocations.first(deps.db)`tenant_id = ${tenantId} AND id = ${key}`
    if (row === undefined) return 'done'
    await revoke(deps, row)
    await deps.db.write(() => [providerRevocations.delete(tenantId, row.id)])
    return 'done'
  },
  failuresMax,
})

/** Removes tokens that could not be revoked. */
export const removeOldRevocations = ({ db, clock }: Deps) =>
  removeExpired(db, [
    {
      table: 'provider_revocations',
      key: ['tenant_id', 'id'],
      column: 'created_at',
      before: addMilliseconds(clock.now(), -keptMs),
    },
  ])
