// What providers and directories of organizations write to attributes of the tenant, and whose attributes these are.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'
import { flag, textOf } from './version-0-1-0/columns.ts'

const statements = (engine: EngineName): string[] => [
  `ALTER TABLE connections ADD COLUMN attribute_mappings ${textOf(engine).required} DEFAULT '[]'`,
  `ALTER TABLE connection_identities ADD COLUMN owns_profile ${flag}`,
]

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
