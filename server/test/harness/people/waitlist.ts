import { waitlistEntries } from '../../../src/identity/waitlist/tables.ts'
import { type TenantId, newId } from '../../../src/platform/ids.ts'
import type { TestService } from '../service.ts'

/** An address on the waiting list. */
export async function insertWaitlistEntry(
  { deps: { db, clock } }: TestService,
  tenantId: string,
  email: string,
): Promise<string> {
  const id = newId<'WaitlistEntryId'>()
  const row = waitlistEntries.insert({
    tenant_id: tenantId as TenantId,
    id,
    email,
    email_key: email,
    status: 'waiting',
    token_hash: null,
    approved_at: null,
    expires_at: null,
    created_at: clock.next(),
    updated_at: clock.now(),
  })
  await db.write(() => [row])
  return id
}
