// What follows when a tenant no longer keeps the tokens of a provider: its users' access there ends, in the background, however many they are.
import type { AnyProviderKey } from '@bailiwick/contract'
import type { Clock } from '../../platform/clock.ts'
import type { Transaction } from '../../platform/db/database.ts'
import type { TenantId } from '../../platform/ids.ts'
import { jobStatement } from '../../platform/jobs/jobs.ts'

/** The key of such a job is that of the provider. */
export const endKeptTokensKind = 'provider-tokens.end'

interface Keeping {
  readonly tenant_id: TenantId
  readonly provider_key: AnyProviderKey
  readonly keep_tokens: number
}

/** @param after undefined for a provider that is deleted. */
export async function endTokensUnlessKept(clock: Clock, tx: Transaction, before: Keeping, after?: Keeping) {
  if (before.keep_tokens === 0 || after?.keep_tokens === 1) return
  const { tenant_id: tenantId, provider_key: key } = before
  await tx.run(jobStatement(clock, { tenantId, kind: endKeptTokensKind, key }))
}
