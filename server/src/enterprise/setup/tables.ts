import type { SetupStep } from '@bailiwick/contract'
import { id, json, many, text, time } from '../../platform/db/columns.ts'
import { table } from '../../platform/db/table.ts'
import type { OrganizationId, SetupLinkId, TenantId } from '../../platform/ids.ts'

export const setupLinks = table(
  'setup_links',
  {
    tenant_id: id<TenantId>(),
    id: id<SetupLinkId>(),
    organization_id: id<OrganizationId>(),
    email: text(),
    steps: json<readonly SetupStep[]>(),
    token_hash: text(),
    /** The hash of what the browser holds that last entered the code. */
    browser_hash: text().nullable(),
    ...many(time().nullable(), 'opened_at', 'finished_at'),
    ...many(time(), 'expires_at', 'created_at'),
  },
  { notExported: 'they belong to the address of this deployment and expire within days' },
)
