// A random number with each password, by which a tenant's passwords are drawn from: whoever asks for somebody who is not there, or who has
// no password, is to wait for a hash such as the tenant's others are.
import type { Migration } from '../migrate.ts'

const index = 'CREATE INDEX passwords_draw ON passwords (tenant_id, draw)'

export const migration: Migration = {
  // SQLite adds no column whose default differs from row to row.
  sqlite: [
    'ALTER TABLE passwords ADD COLUMN draw INTEGER NOT NULL DEFAULT 0',
    'UPDATE passwords SET draw = random() & 2147483647',
    index,
  ],
  // For rows of the version before, while it runs beside this one, too.
  postgresql: [
    'ALTER TABLE passwords ADD COLUMN draw INTEGER NOT NULL DEFAULT CAST(floor(random() * 2147483648) AS INTEGER)',
    index,
  ],
}
