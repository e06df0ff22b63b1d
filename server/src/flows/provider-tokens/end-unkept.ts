// Ends the access that a tenant no longer keeps, because it has switched that off for the provider or has deleted the provider.
import type { AnyProviderKey } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import { type ProviderTokensRow, endAccess } from '../../identity/provider-tokens/provider-tokens.ts'
import { providerTokens } from '../../identity/provider-tokens/tables.ts'
import { findConnection } from '../../identity/social-connections/connections.ts'
import { lockUser } from '../../identity/users/find-user.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { JobHandler } from '../../platform/jobs/jobs.ts'
import { findProviderByKey } from '../../tenancy/social-providers/find-provider.ts'

const batch = 100
const system: Actor = { type: 'system', id: null, ip: null, ua: null }

const endOne = (deps: Deps, { tenant_id: tenantId, user_id: userId, connection_id: id }: ProviderTokensRow) =>
  deps.db.transaction(async (tx) => {
    await lockUser(tx, tenantId, userId)
    const connection = await findConnection(tx, tenantId, id)
    if (connection !== undefined) await endAccess(deps, tx, connection, system)
  })

export const unkeptHandler = (deps: Deps): JobHandler => ({
  async run({ tenantId, key }, signal) {
    const { db, clock } = deps
    let after = ''
    while (!signal.aborted) {
      // It may have been switched on again meanwhile.
      const provider = await findProviderByKey(db, tenantId, key as AnyProviderKey)
      if (provider?.keep_tokens === 1) return 'done'
      const rows = await providerTokens.all(db)`tenant_id = ${tenantId} AND provider_key = ${key}
        AND created_at > ${after} ORDER BY created_at LIMIT ${batch}`
      for (const row of rows) await endOne(deps, row)
      if (rows.length < batch) return 'done'
      after = rows.at(-1)?.created_at ?? after
    }
    return { againAt: clock.now() }
  },
})
