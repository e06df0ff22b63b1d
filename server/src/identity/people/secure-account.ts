// "This was not me": ends all access to an account whose owner says, by the link of a security notice, that somebody else has used it.
import { emailKey } from '@bailiwick/contract'
import { addMilliseconds } from '../../platform/clock.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { type Statement, sql } from '../../platform/db/sql.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'
import { removeAuthenticatorsSince } from '../authenticators/remove-all.ts'
import type { Deps } from '../deps.ts'
import { endCodesOf } from '../one-time-codes/one-time-codes.ts'
import { rememberPassword } from '../passwords/password-history.ts'
import { deletePassword } from '../passwords/passwords.ts'
import { type NoticeLinkRow, deleteNoticeLinks, findNoticeLink } from '../security-notices/notices.ts'
import { endSessionsOf } from '../sessions/sessions.ts'
import { removeConnection, selectConnectionsOf } from '../social-connections/connections.ts'
import { deleteCandidatesOf } from '../users/contact-candidates.ts'
import { type ContactKind, emailKind, phoneKind } from '../users/contact-kinds.ts'
import { emailAddressesOf, findUserByEmail, findUserRow, lockUser, phoneNumbersOf } from '../users/find-user.ts'
import type { EmailAddressRow, PhoneNumberRow, UserRow } from '../users/user-records.ts'
import { addContact, removeContact } from './contacts.ts'
import { proveContact } from './proven-contact.ts'

/** What a change wrote before its notice may be older by the time that its transaction took. */
const transactionMs = 60_000

/** Ends what applications were allowed; the wings above know it. Resolves with how many grants there were. */
export type EndGrants = (
  deps: Deps,
  tx: Transaction,
  owner: { readonly tenantId: TenantId; readonly userId: UserId },
  actor: Actor,
) => Promise<number>

const forgetDevices = (tenantId: TenantId, userId: UserId): Statement =>
  sql`DELETE FROM known_devices WHERE tenant_id = ${tenantId} AND user_id = ${userId}`

/** Removes the addresses or numbers that are newer, except the one that the notice went to; the primary one last. */
async function removeNewer<Row extends EmailAddressRow | PhoneNumberRow>(
  deps: Deps,
  tx: Transaction,
  kind: ContactKind<Row>,
  { user, rows, actor }: { readonly user: UserRow; readonly rows: readonly Row[]; readonly actor: Actor },
) {
  const isPrimary = ({ id }: Row) => id === user[kind.primaryColumn]
  for (const row of rows.toSorted((one, other) => Number(isPrimary(one)) - Number(isPrimary(other))))
    await removeContact(deps, tx, kind, user, row, actor)
  return rows.length
}

/** Gives the address back that the notice went to, if a stranger has removed it and nobody else has it. */
async function restoreAddress(deps: Deps, tx: Transaction, link: NoticeLinkRow, actor: Actor) {
  const { tenant_id: tenantId, user_id: userId, email } = link
  const user = await findUserRow(tx, tenantId, userId)
  if (user === undefined || (await findUserByEmail(tx, tenantId, emailKey(email))) !== undefined) return
  const { id } = await addContact(deps, tx, emailKind, user, { value: email }, actor)
  await proveContact(deps, tx, tenantId, userId, { table: 'email_addresses', id, isInSession: true }, actor)
}

async function removeContactsSince(deps: Deps, tx: Transaction, user: UserRow, link: NoticeLinkRow, actor: Actor) {
  const { tenant_id: tenantId, user_id: userId } = link
  const since = addMilliseconds(link.created_at, -transactionMs)
  const isOwn = (row: EmailAddressRow) => emailKey(row.email) === emailKey(link.email)
  const emails = (await emailAddressesOf(tx, tenantId, userId)).filter((row) => row.created_at >= since && !isOwn(row))
  const phones = (await phoneNumbersOf(tx, tenantId, userId)).filter((row) => row.created_at >= since)
  await tx.run(deleteCandidatesOf(tenantId, userId))
  return (
    (await removeNewer(deps, tx, emailKind, { user, rows: emails, actor })) +
    (await removeNewer(deps, tx, phoneKind, { user, rows: phones, actor }))
  )
}

/**
 * Uses the link: ends every session, trusted device and authorization, and removes the password and what was added since the notice.
 * @throws ApiError attempt_not_open for a token that is unknown, used or expired.
 */
export async function secureAccount(deps: Deps, endGrants: EndGrants, tenantId: TenantId, token: string, actor: Actor) {
  const { clock, personal, db } = deps
  const tenant = await deps.tenants.byId(tenantId)
  return db.transaction(async (tx) => {
    const found = await findNoticeLink(tx, tenantId, token)
    const user = found && (await lockUser(tx, tenantId, found.user_id))
    // Read again: another request may have used it before the user was held.
    const link = await findNoticeLink(tx, tenantId, token)
    if (user === undefined || link === undefined || link.expires_at <= clock.now()) {
      throw new ApiError('attempt_not_open')
    }
    const { id: userId } = user
    await tx.run(deleteNoticeLinks(tenantId, userId))
    const since = addMilliseconds(link.created_at, -transactionMs)
    // What somebody else may know is not taken again.
    if (tenant !== undefined) await rememberPassword(tx, tenant.auth, { tenantId, userId })
    const hadPassword = (await tx.run(deletePassword(tenantId, userId))) > 0
    const authenticators = await removeAuthenticatorsSince(deps, tx, user, since, actor)
    const connections = (await selectConnectionsOf(tx, tenantId, userId)).filter((row) => row.created_at >= since)
    for (const row of connections) await removeConnection(deps, tx, row, { salt: user.personal_salt, actor })
    const contacts = await removeContactsSince(deps, tx, user, link, actor)
    await restoreAddress(deps, tx, link, actor)
    await tx.run(endCodesOf(tenantId, userId))
    await tx.run(forgetDevices(tenantId, userId))
    const sessions = await endSessionsOf(deps, tx, tenantId, userId, actor)
    const grants = await endGrants(deps, tx, { tenantId, userId }, actor)
    const counts = { authenticators, connections: connections.length, contacts, grants, sessions }
    const data = { notice: link.notice, hadPassword, ...counts }
    await tx.run(eventStatement(clock, personal, { tenantId, type: 'user.secured', actor, subjectId: userId, data }))
  })
}
