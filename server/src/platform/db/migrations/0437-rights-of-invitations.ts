// When the rights end that an invitation to administer a tenant gives.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'
import { textOf } from './version-0-1-0/columns.ts'

const statements = (engine: EngineName): string[] => [
  `ALTER TABLE tenant_invitations ADD COLUMN rights_expire_at ${textOf(engine).text}`,
]

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
