// Signs a person out because the organization's provider says so.
import { canonicalEmail, domainOfEmail, isEmail } from '@bailiwick/contract'
import { findMembershipOf } from '../../identity/organizations/membership-of.ts'
import { endSessionsActingFor, endSessionsOf } from '../../identity/sessions/sessions.ts'
import { emailAddressesOf, findUserByEmail, lockUser } from '../../identity/users/find-user.ts'
import type { Reader, Transaction } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { eventStatement } from '../../platform/events/append.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { TimedReader } from '../../platform/http/ends.ts'
import type { UserId } from '../../platform/ids.ts'
import {
  type ConnectionRow,
  findConnectionIdentity,
  findIdentityOfUser,
  organizationOfDomain,
} from '../connections/find-connection.ts'
import type { Deps } from '../deps.ts'
import { endGrants } from '../scim/users/end-grants.ts'

/** Whom the provider means: a subject identifier of RFC 9493. */
export type SubjectIdentifier =
  | { readonly format: 'email'; readonly email: string }
  | { readonly format: 'iss_sub'; readonly sub: string }

/** Finds who the directory of the connection calls so. */
const selectProvisioned = (db: Reader, { tenant_id: tenantId, id }: ConnectionRow, name: string) =>
  db.first<{ user_id: UserId }>(sql`SELECT user_id FROM scim_users WHERE tenant_id = ${tenantId}
    AND connection_id = ${id} AND (id = ${name} OR external_id = ${name}) LIMIT 1`)

async function findByEmail(timed: TimedReader, connection: ConnectionRow, text: string): Promise<UserId | undefined> {
  const { db } = timed
  const { tenant_id: tenantId, organization_id: organizationId, id } = connection
  if (!isEmail(text)) return undefined
  const email = canonicalEmail(text)
  if ((await organizationOfDomain(db, tenantId, domainOfEmail(email))) !== organizationId) return undefined
  const userId = (await findUserByEmail(db, tenantId, email))?.id
  if (userId === undefined) return undefined
  const isKnown =
    (await findIdentityOfUser(db, tenantId, userId, id)) ??
    (await findMembershipOf(timed, tenantId, organizationId, userId))
  return isKnown === undefined ? undefined : userId
}

async function findSubject(timed: TimedReader, connection: ConnectionRow, subject: SubjectIdentifier) {
  const { db } = timed
  if (subject.format === 'email') return findByEmail(timed, connection, subject.email)
  const identity = await findConnectionIdentity(db, connection.tenant_id, connection.id, subject.sub)
  return identity?.user_id ?? (await selectProvisioned(db, connection, subject.sub))?.user_id
}

/** Whether the account is the organization's own: all its addresses are of domains that the organization has proved by DNS. */
async function isOwnAccount(tx: Transaction, connection: ConnectionRow, userId: UserId): Promise<boolean> {
  const addresses = await emailAddressesOf(tx, connection.tenant_id, userId)
  for (const name of new Set(addresses.map(({ email }) => domainOfEmail(email))))
    if ((await organizationOfDomain(tx, connection.tenant_id, name)) !== connection.organization_id) return false
  return addresses.length > 0
}

/**
 * Ends the sessions and the grants of a person, with their refresh tokens: all of an account that is the organization's own, and of any
 * other those that act for the organization, because nobody signs people out of what is not theirs.
 * @returns false if the connection knows nobody of that name.
 */
export async function signOutSubject(
  deps: Deps,
  connection: ConnectionRow,
  subject: SubjectIdentifier,
  actor: Actor,
): Promise<boolean> {
  const { tenant_id: tenantId, organization_id: organizationId } = connection
  return deps.db.transaction(async (tx) => {
    const userId = await findSubject({ db: tx, clock: deps.clock }, connection, subject)
    if (userId === undefined || (await lockUser(tx, tenantId, userId)) === undefined) return false
    const ending = { tenantId, userId, actor }
    const isWhole = await isOwnAccount(tx, connection, userId)
    const sessions = isWhole
      ? await endSessionsOf(deps, tx, tenantId, userId, actor)
      : await endSessionsActingFor(deps, tx, ending, organizationId)
    await endGrants(deps, tx, ending, isWhole ? undefined : organizationId)
    await tx.run(
      eventStatement(deps.clock, deps.personal, {
        tenantId,
        type: 'connection.user_signed_out',
        actor,
        subjectId: connection.id,
        data: { organizationId, userId, sessions, everywhere: isWhole },
      }),
    )
    return true
  })
}
