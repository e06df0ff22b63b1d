// Stores a random number with each password, by which one of a tenant's passwords is picked: a sign-in for an unknown user, or for one
// without a password, must take as long as verifying a hash like the tenant's others.
import type { Migration } from '../migrate.ts'

const index = 'CREATE INDEX passwords_draw ON passwords (tenant_id, draw)'

export const migration: Migration = {
  // SQLite cannot add a column whose default differs from row to row.
  sqlite: [
    'ALTER TABLE passwords ADD COLUMN draw INTEGER NOT NULL DEFAULT 0',
    'UPDATE passwords SET draw = random() & 2147483647',
    index,
  ],
  // Also for rows that the previous version writes while it runs beside this one.
  postgresql: [
    'ALTER TABLE passwords ADD COLUMN draw INTEGER NOT NULL DEFAULT CAST(floor(random() * 2147483648) AS INTEGER)',
    index,
  ],
}
