// A stored passkey, for tests of what is done with one that was added before.
import { insertPasskey } from '../../../src/identity/authenticators/passkey-queries.ts'
import { type AuthenticatorId, type TenantId, type UserId, newId } from '../../../src/platform/ids.ts'
import { toJson } from '../../../src/platform/json-text.ts'
import { unique } from '../factories.ts'
import type { TestService } from '../service.ts'

export async function storePasskey({ deps: { db, clock } }: TestService, tenantId: string, userId: string) {
  const id: AuthenticatorId = newId()
  await db.transaction((tx) => {
    const at = clock.now()
    const row = {
      tenant_id: tenantId as TenantId,
      id,
      user_id: userId as UserId,
      credential_id: unique(),
      public_key: 'AAAA',
      relying_party_id: 'localhost',
      name: 'Laptop',
      transports: toJson([]),
      counter: 0,
      is_backup_eligible: 0,
      is_backed_up: 0,
      aaguid: null,
      is_second_factor: 1,
      last_used_at: null,
      flagged_at: null,
      created_at: at,
      updated_at: at,
    }
    return tx.run(insertPasskey(row))
  })
  return id
}
