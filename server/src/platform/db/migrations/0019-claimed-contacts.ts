// Marks addresses and numbers that were entered at sign-up and not verified: when their owner verifies them, the account changes hands.
// Contacts set by the tenant are not claims. Until now only passwords and connections were marked.
import type { Migration } from '../migrate.ts'

const claimed = (table: string) => `UPDATE ${table} SET is_claimed = 1 WHERE verified_at IS NULL AND (
  EXISTS (SELECT 1 FROM passwords AS p WHERE p.tenant_id = ${table}.tenant_id AND p.user_id = ${table}.user_id
    AND p.is_unproven = 1)
  OR EXISTS (SELECT 1 FROM social_connections AS c WHERE c.tenant_id = ${table}.tenant_id AND c.user_id = ${table}.user_id
    AND c.is_unproven = 1))`

const statements = ['email_addresses', 'phone_numbers'].flatMap((table) => [
  `ALTER TABLE ${table} ADD COLUMN is_claimed INTEGER NOT NULL DEFAULT 0`,
  claimed(table),
])

export const migration: Migration = { sqlite: statements, postgresql: statements }
