// The schema of version 0.1.0, which made it in 33 steps. Times are fixed-width UTC text with microseconds, flags are 0 or 1, and free JSON
// is text, alike on both engines. PostgreSQL compares text by bytes (COLLATE "C"), as SQLite does, and stores each event's transaction for
// ordered feeds.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'
import { applications } from './version-0-1-0/applications.ts'
import { flows } from './version-0-1-0/flows.ts'
import { people } from './version-0-1-0/people.ts'
import { records } from './version-0-1-0/records.ts'
import { tenants } from './version-0-1-0/tenants.ts'

const statements = (engine: EngineName): string[] =>
  [tenants, people, flows, applications, records].flatMap((tables) => tables(engine))

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
