// Records the processed images that are kept, so that their size can be limited, and what to make of an upload as soon as it is a file.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'

function statements(engine: EngineName): string[] {
  const text = engine === 'postgresql' ? 'TEXT COLLATE "C"' : 'TEXT'
  const required = `${text} NOT NULL`
  return [
    `CREATE TABLE media_kept_images (tenant_id ${required}, file_id ${required}, storage_key ${required},
      size BIGINT NOT NULL, used_at ${required}, created_at ${required},
      CONSTRAINT media_kept_images_pkey PRIMARY KEY (tenant_id, file_id, storage_key),
      FOREIGN KEY (tenant_id) REFERENCES tenants (id) ON DELETE CASCADE)`,
    'CREATE INDEX media_kept_images_use ON media_kept_images (tenant_id, used_at)',
    `ALTER TABLE media_uploads ADD COLUMN transformations ${text}`,
  ]
}

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
