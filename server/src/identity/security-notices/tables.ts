import { id, many, text, time } from '../../platform/db/columns.ts'
import { table } from '../../platform/db/table.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'
import type { Notice } from './notices.ts'

/** The links of notices that nobody has used yet. */
export const noticeLinks = table(
  'notice_links',
  {
    tenant_id: id<TenantId>(),
    token_hash: text(),
    user_id: id<UserId>(),
    notice: text<Notice>(),
    /** The verified address that the notice went to. */
    email: text(),
    ...many(time(), 'expires_at', 'created_at'),
  },
  {
    key: ['tenant_id', 'token_hash'],
    notExported: 'they belong to the address of this deployment and expire within days',
  },
)
