// Exports of users: all users of a tenant, line by line, or one person with all data about them. Both are streamed, because nothing limits
// their size.
import type {
  Event,
  ExportedUser,
  OrganizationMember,
  OwnDataExport,
  OwnEvent,
  OwnMembership,
  UserDataExport,
} from '@bailiwick/contract'
import type { Reader } from '../../platform/db/database.ts'
import { newestFirst } from '../../platform/db/newest-first.ts'
import { type Fragment, sql } from '../../platform/db/sql.ts'
import { type EventRow, eventColumns } from '../../platform/events/feed.ts'
import { presentEvents } from '../../platform/events/present.ts'
import type { TenantId } from '../../platform/ids.ts'
import { findRolesOfHolders } from '../../tenancy/roles/roles.ts'
import { getTenant } from '../../tenancy/tenants/tenants.ts'
import { attemptsOfUser, signInKind, signUpKind } from '../attempts/attempts.ts'
import { authenticatorsOf } from '../authenticators/present.ts'
import type { Deps } from '../deps.ts'
import { membershipsOfUser } from '../organizations/memberships-of-user.ts'
import { presentOrganizationMember } from '../organizations/present.ts'
import { sessionsOfUser } from '../sessions/sessions.ts'
import { listConnections } from '../social-connections/connections.ts'
import { tenantMembershipsOfUser } from '../tenant-members/memberships-of-user.ts'
import { emailKind, phoneKind, selectClaimedOf } from '../users/contact-kinds.ts'
import { type UserRecord, presentUser } from '../users/present.ts'
import { type UserRow, selectUsersBefore } from '../users/user-records.ts'
import { withContacts } from '../users/users.ts'
import { profileOf } from './profile.ts'

/** Yields all users of a tenant, newest first, each as one line of JSON. Users who exist throughout the export appear exactly once. */
export async function* exportUsers(
  { db, clock }: Deps,
  tenantId: TenantId,
  serialize: (user: ExportedUser) => string,
): AsyncGenerator<string> {
  for await (const rows of newestFirst<UserRow>((before, limit) => selectUsersBefore(db, tenantId, before, limit))) {
    const users = await withContacts({ db, clock }, tenantId, rows)
    const claimed = await claimedOf(db, tenantId, rows)
    const lines = users.map((user) => ({ ...presentUser(user), claimed: claimed.get(user.row.id) ?? [] }))
    yield lines.map((line) => `${serialize(line)}\n`).join('')
  }
}

/** Returns what each user only claims to own. If an export lost that, the one who claimed it would share the account with its owner. */
async function claimedOf(db: Reader, tenantId: TenantId, users: readonly UserRow[]) {
  const ids = users.map(({ id }) => id)
  const rows = [
    ...(await selectClaimedOf(db, emailKind, tenantId, ids)),
    ...(await selectClaimedOf(db, phoneKind, tenantId, ids)),
  ]
  const byUser = new Map<string, string[]>()
  for (const { id, user_id: userId } of rows) byUser.set(userId, [...(byUser.get(userId) ?? []), id])
  return byUser
}

async function* events(deps: Deps, tenantId: TenantId, where: Fragment) {
  const batches = newestFirst<EventRow>((before, limit) => {
    const bound = before === undefined ? sql`` : sql`AND created_at < ${before}`
    return deps.db.all(sql`SELECT ${eventColumns} FROM events
      WHERE tenant_id = ${tenantId} AND ${where} ${bound} ORDER BY created_at DESC LIMIT ${limit}`)
  })
  for await (const rows of batches) yield* await presentEvents(deps, tenantId, rows)
}

async function* memberships(db: Reader, user: UserRecord): AsyncGenerator<OrganizationMember> {
  const { tenant_id: tenantId, id } = user.row
  for await (const rows of membershipsOfUser(db, tenantId, id)) {
    const roleFor = await findRolesOfHolders(db, tenantId, rows)
    for (const row of rows) yield presentOrganizationMember(row, user, roleFor(row))
  }
}

async function* tenantMemberships(db: Reader, { row: { tenant_id: tenantId, id } }: UserRecord) {
  for await (const rows of tenantMembershipsOfUser(db, tenantId, id)) {
    for (const row of rows) {
      yield {
        id: row.id,
        tenantId: row.tenant_id,
        expiresAt: row.expires_at,
        createdAt: row.created_at,
        updatedAt: row.updated_at,
      }
    }
  }
}

/** The events about the user, about what belongs to the user, and about the memberships that still exist. */
async function* personEvents(deps: Deps, { row: { tenant_id: tenantId, id } }: UserRecord) {
  yield* events(deps, tenantId, sql`subject_id = ${id}`)
  yield* events(deps, tenantId, sql`personal_user_id = ${id} AND subject_id <> ${id}`)
  for await (const rows of membershipsOfUser(deps.db, tenantId, id)) {
    for (const row of rows) yield* events(deps, tenantId, sql`subject_id = ${row.id} AND personal_user_id IS NULL`)
  }
}

async function* array(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  let separator = '['
  for await (const item of items) {
    yield separator + JSON.stringify(item)
    separator = ','
  }
  yield separator === '[' ? '[]' : ']'
}

type PartName = 'apiKeys' | 'waitlist' | 'authorizations' | 'connections' | 'connectionSignIns' | 'directories'

/** A list of records about a person that a wing above knows. The service wing hands these parts to the routes of both exports. */
export interface DataPart {
  /** The property of both exports. */
  readonly name: PartName
  /** Yields the records as the tenant may see them. */
  readonly forTenant: (deps: Deps, user: UserRecord) => AsyncIterable<UserDataExport[PartName][number]>
  /** Yields the same records as the user may see them. */
  readonly forUser: (deps: Deps, user: UserRecord) => AsyncIterable<OwnDataExport[PartName][number]>
}

/** What the tenant's export and the user's own export show differently. */
interface Shown {
  readonly user: object
  readonly membership: (membership: OrganizationMember) => object
  readonly event: (event: Event) => object
  readonly parts: readonly { readonly name: string; readonly items: AsyncIterable<object> }[]
}

async function* mapped<Item>(items: AsyncIterable<Item>, show: (item: Item) => object): AsyncGenerator<object> {
  for await (const item of items) yield show(item)
}

/** Yields all data about one person, as one JSON document. */
export const exportUserData = (deps: Deps, user: UserRecord, parts: readonly DataPart[]): AsyncGenerator<string> =>
  documentOf(deps, user, {
    user: presentUser(user),
    membership: (membership) => membership,
    event: (event) => event,
    parts: parts.map(({ name, forTenant }) => ({ name, items: forTenant(deps, user) })),
  })

function ownMembership({
  id,
  organizationId,
  roleId,
  role,
  publicMeta,
  expiresAt,
  roleExpiresAt,
  createdAt,
  updatedAt,
}: OrganizationMember): OwnMembership {
  const shownRole = role && {
    id: role.id,
    name: role.name,
    description: role.description,
    permissions: role.permissions,
  }
  return { id, organizationId, roleId, role: shownRole, publicMeta, expiresAt, roleExpiresAt, createdAt, updatedAt }
}

/** Administrators are people too: the user learns what they did, but not who they are or where they did it from. */
function ownEvent({ id, type, actor, data, ip, ua, createdAt }: Event, userId: string): OwnEvent {
  const byUser = actor.type === 'user' && actor.id === userId
  return { id, type, byUser, data: byUser ? data : null, ip: byUser ? ip : null, ua: byUser ? ua : null, createdAt }
}

/** Does the same for the user, without what only the tenant may see. */
export async function* exportOwnUserData(
  deps: Deps,
  user: UserRecord,
  parts: readonly DataPart[],
): AsyncGenerator<string> {
  yield* documentOf(deps, user, {
    user: await profileOf(deps.db, user),
    membership: ownMembership,
    event: (event) => ownEvent(event, user.row.id),
    parts: parts.map(({ name, forUser }) => ({ name, items: forUser(deps, user) })),
  })
}

async function* documentOf(deps: Deps, user: UserRecord, shown: Shown): AsyncGenerator<string> {
  const { tenant_id: tenantId, id } = user.row
  const tenant = await getTenant(deps, tenantId)
  yield `{"exportedAt":${JSON.stringify(deps.clock.now())},"user":${JSON.stringify(shown.user)}`
  yield ',"organizationMemberships":'
  yield* array(mapped(memberships(deps.db, user), shown.membership))
  yield ',"tenantMemberships":'
  yield* array(tenantMemberships(deps.db, user))
  yield `,"socialConnections":${JSON.stringify(await listConnections(deps.db, tenantId, id))}`
  yield ',"sessions":'
  yield* array(sessionsOfUser(deps.db, tenant, id))
  yield `,"authenticators":${JSON.stringify(await authenticatorsOf(deps.db, tenantId, id))}`
  yield ',"signInAttempts":'
  yield* array(attemptsOfUser(deps.db, signInKind, tenantId, id))
  yield ',"signUpAttempts":'
  yield* array(attemptsOfUser(deps.db, signUpKind, tenantId, id))
  for (const { name, items } of shown.parts) {
    yield `,${JSON.stringify(name)}:`
    yield* array(items)
  }
  yield ',"events":'
  yield* array(mapped(personEvents(deps, user), shown.event))
  yield '}'
}
