// Addresses and numbers that somebody gave who signed up, and has not shown to own: when their owner comes, the account changes hands.
// What a tenant says of its users is no claim. Until now it was known of passwords and connections alone.
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
