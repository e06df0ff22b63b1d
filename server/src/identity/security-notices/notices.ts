// Tells users by e-mail that their account was used or changed, because that may have been somebody else, with a link that secures it.
import { tokenPrefixes } from '@bailiwick/contract'
import { queueMessage } from '../../messaging/notifications/messages/queue-message.ts'
import { addMilliseconds } from '../../platform/clock.ts'
import { hashToken, newToken } from '../../platform/crypto/tokens.ts'
import type { Reader, Transaction } from '../../platform/db/database.ts'
import { type Statement, sql } from '../../platform/db/sql.ts'
import type { RowOf } from '../../platform/db/table.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'
import { takeUse } from '../../platform/quotas/quotas.ts'
import { settingsOf } from '../../tenancy/auth-configuration/read-settings.ts'
import { findTenantRow } from '../../tenancy/tenants/find-tenant.ts'
import { hostedRootOfId } from '../../tenancy/tenants/hosted-pages.ts'
import type { Deps } from '../deps.ts'
import { type UserRow, emailAddressesOf } from '../users/find-user.ts'
import { noticeLinks } from './tables.ts'

/** Each kind of notice, with the setting that turns it off. */
const settings = {
  'new-device': 'noticeNewDevice',
  'failed-attempts': 'noticeFailedAttempts',
  'password-changed': 'noticePasswordChanged',
  'email-changed': 'noticeContactsChanged',
  'phone-changed': 'noticeContactsChanged',
  'factor-added': 'noticeFactorsChanged',
  'factor-removed': 'noticeFactorsChanged',
  'recovery-code-used': 'noticeRecoveryCodeUsed',
} as const
export type Notice = keyof typeof settings

/** What the list of messages calls them. */
const purposes: Readonly<Record<Notice, string>> = {
  'new-device': 'security_notice',
  'failed-attempts': 'security_notice',
  'password-changed': 'password_changed',
  'email-changed': 'email_changed',
  'phone-changed': 'phone_changed',
  'factor-added': 'security_notice',
  'factor-removed': 'security_notice',
  'recovery-code-used': 'security_notice',
}
export type NoticeLinkRow = RowOf<typeof noticeLinks>

const dayMs = 24 * 60 * 60_000
const linkDays = 7
/** How many notices of each kind a user gets in a day: whoever causes more of them only fills the mailbox. */
const noticesPerDay = 10
/** To how many addresses one notice goes. */
const addressesMax = 5

interface NewNotice {
  readonly type: Notice
  /** What the user reads. */
  readonly language: string | undefined
  readonly variables?: Readonly<Record<string, unknown>>
}

/** Returns the primary address, and for changes of addresses the oldest others too: a stranger may have made another one primary. */
async function recipients(tx: Transaction, user: UserRow, type: Notice): Promise<readonly string[]> {
  const addresses = await emailAddressesOf(tx, user.tenant_id, user.id)
  const verified = addresses.filter(({ verified_at: at }) => at !== null)
  const isPrimary = ({ id }: { readonly id: string }) => id === user.primary_email_id
  const others = settings[type] === 'noticeContactsChanged' ? verified.filter((row) => !isPrimary(row)) : []
  return [...verified.filter(isPrimary), ...others].slice(0, addressesMax).map(({ email }) => email)
}

async function isWanted(tx: Transaction, tenantId: TenantId, type: Notice): Promise<boolean> {
  const tenant = await findTenantRow(tx, tenantId)
  return tenant !== undefined && (await settingsOf(tx, tenant))?.[settings[type]] !== false
}

/** Notifies the user in the caller's transaction, if the tenant wants it, and never at an address that is not verified. */
export async function notifyUser(
  deps: Deps,
  tx: Transaction,
  user: UserRow,
  { type, language, variables = {} }: NewNotice,
): Promise<void> {
  const { tenant_id: tenantId, id: userId } = user
  const { clock, config } = deps
  if (!(await isWanted(tx, tenantId, type))) return
  const addresses = await recipients(tx, user, type)
  if (addresses.length === 0) return
  const now = clock.now()
  const key = { tenant_id: tenantId, name: `notices:${type}`, subject: hashToken(userId) }
  const span = { usesMax: noticesPerDay, now, endsAt: addMilliseconds(now, dayMs) }
  if ((await takeUse(tx, { table: 'quotas', key }, span)) > 0) return
  for (const to of addresses) {
    const token = newToken(tokenPrefixes.securityNotice)
    const row = { tenant_id: tenantId, token_hash: hashToken(token), user_id: userId, notice: type, email: to }
    await tx.run(noticeLinks.insert({ ...row, expires_at: addMilliseconds(now, linkDays * dayMs), created_at: now }))
    await queueMessage(tx, deps, {
      tenantId,
      channelType: 'email',
      template: { type },
      to,
      userId,
      language,
      variables: {
        user: { name: user.name },
        ...variables,
        link: `${hostedRootOfId(config, tenantId)}/secure-account?token=${token}`,
      },
      purpose: purposes[type],
    })
  }
}

/** Returns the link's row, whether or not it has expired. */
export const findNoticeLink = (db: Reader, tenantId: TenantId, token: string) =>
  noticeLinks.byKey(db, tenantId, hashToken(token))

/** Uses up every link of a user: what one of them does makes the others pointless. */
export const deleteNoticeLinks = (tenantId: TenantId, userId: UserId): Statement =>
  sql`DELETE FROM notice_links WHERE tenant_id = ${tenantId} AND user_id = ${userId}`
