import { id, record, text, time } from '../../platform/db/columns.ts'
import { table } from '../../platform/db/table.ts'
import type { ConnectionId } from '../../platform/ids.ts'

/** The assertions that have signed somebody in, for as long as they could be sent again. */
export const seenAssertions = table(
  'saml_seen_assertions',
  {
    tenant_id: record().tenant_id,
    connection_id: id<ConnectionId>(),
    /** SHA-256 of the assertion's id, which the provider chooses. */
    assertion_hash: text(),
    expires_at: time(),
  },
  { key: ['tenant_id', 'connection_id', 'assertion_hash'], notExported: 'they expire within minutes' },
)
