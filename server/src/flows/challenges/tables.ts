import { id, text, time } from '../../platform/db/columns.ts'
import { table } from '../../platform/db/table.ts'
import type { TenantId } from '../../platform/ids.ts'

/** The puzzles whose answers were used, until they expire. */
export const spentChallenges = table(
  'spent_challenges',
  { tenant_id: id<TenantId>(), challenge: text(), expires_at: time() },
  { key: ['tenant_id', 'challenge'], notExported: 'they expire within minutes' },
)
