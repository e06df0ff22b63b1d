// Uploads, and the files that they become.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'

function statements(engine: EngineName): string[] {
  const text = engine === 'postgresql' ? 'TEXT COLLATE "C"' : 'TEXT'
  const required = `${text} NOT NULL`
  const records = (name: string, ...columns: string[]) => [
    `CREATE TABLE ${name} (tenant_id ${required}, id ${required}, access ${required}, original_filename ${text},
      mime ${required}, size BIGINT NOT NULL, meta ${required}, ${columns.join(', ')}, created_at ${required},
      updated_at ${required}, CONSTRAINT ${name}_pkey PRIMARY KEY (id, tenant_id),
      FOREIGN KEY (tenant_id) REFERENCES tenants (id) ON DELETE CASCADE)`,
    `CREATE UNIQUE INDEX ${name}_created_key ON ${name} (tenant_id, created_at)`,
  ]
  return [
    ...records(
      'media_uploads',
      `path ${text}`,
      // Null once the upload's address accepts nothing any more.
      `token_hash ${text}`,
      `expires_at ${required}`,
      // The process that is receiving the bytes, its deadline, and where the bytes are stored.
      `claim ${text}`,
      `claimed_until ${text}`,
      `storage_key ${text}`,
      // Where the storage accepts bytes directly from clients, before anybody has checked them.
      `direct_key ${text}`,
      `actor_type ${required}`,
      `actor_id ${text}`,
      `finished_at ${text}`,
    ),
    'CREATE INDEX media_uploads_expiry ON media_uploads (expires_at) WHERE finished_at IS NULL',
    ...records(
      'media_files',
      `path ${required}`,
      `description ${text}`,
      'width INTEGER',
      'height INTEGER',
      'frames INTEGER NOT NULL',
      'duration INTEGER',
      `transformation_id ${text}`,
      `storage_key ${required}`,
      `sha256 ${required}`,
    ),
  ]
}

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
