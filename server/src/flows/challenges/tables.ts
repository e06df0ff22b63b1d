import { type CaptchaProvider, type ChallengeFailureRule, PutChallengeProvider } from '@bailiwick/contract'
import { fieldsOf } from '../../platform/db/accepted.ts'
import { id, many, text, time } from '../../platform/db/columns.ts'
import { table } from '../../platform/db/table.ts'
import type { TenantId } from '../../platform/ids.ts'

/** The puzzles whose answers were used, until they expire. */
export const spentChallenges = table(
  'spent_challenges',
  { tenant_id: id<TenantId>(), challenge: text(), expires_at: time() },
  { key: ['tenant_id', 'challenge'], notExported: 'they expire within minutes' },
)

/** The provider whose puzzles a tenant uses in place of the service's own. */
export const challengeProviders = table(
  'challenge_providers',
  {
    tenant_id: id<TenantId>(),
    provider: text<CaptchaProvider>(),
    ...many(text(), 'site_key', 'sealed_secret'),
    on_failure: text<ChallengeFailureRule>(),
    ...many(time(), 'created_at', 'updated_at'),
  },
  {
    key: ['tenant_id'],
    sealed: { sealed_secret: 'secret' },
    accepts: { ...fieldsOf(PutChallengeProvider), sealed_secret: PutChallengeProvider.properties.secret },
  },
)
