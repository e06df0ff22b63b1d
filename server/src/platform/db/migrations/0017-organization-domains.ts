// Domains of organizations. Several organizations of a tenant may claim the same one; the first to prove it gets it. An invitation that was
// sent because of a domain records which.
import type { EngineName } from '../database.ts'
import type { Migration } from '../migrate.ts'

function statements(engine: EngineName): string[] {
  const text = engine === 'postgresql' ? 'TEXT COLLATE "C"' : 'TEXT'
  const required = `${text} NOT NULL`
  return [
    `CREATE TABLE organization_domains (tenant_id ${required}, id ${required}, organization_id ${required}, name ${required},
      verified_at ${text}, verification_token ${required}, verification_reason ${text}, created_at ${required},
      updated_at ${required},
      CONSTRAINT organization_domains_pkey PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, organization_id) REFERENCES organizations (tenant_id, id) ON DELETE CASCADE)`,
    'CREATE UNIQUE INDEX organization_domains_name_key ON organization_domains (tenant_id, organization_id, name)',
    'CREATE UNIQUE INDEX organization_domains_verified_key ON organization_domains (tenant_id, name) WHERE verified_at IS NOT NULL',
    'CREATE INDEX organization_domains_list ON organization_domains (tenant_id, organization_id, created_at)',
    'CREATE UNIQUE INDEX organization_domains_created_key ON organization_domains (tenant_id, created_at)',
    `ALTER TABLE organization_invitations ADD COLUMN domain_id ${text}`,
    'CREATE INDEX organization_invitations_address ON organization_invitations (tenant_id, organization_id, email_key)',
  ]
}

export const migration: Migration = { sqlite: statements('sqlite'), postgresql: statements('postgresql') }
