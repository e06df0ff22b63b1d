// Decides whom a provider's answer admits, without writing anything: for the sign-in itself, which holds what it reads, and for tests of
// connections. What a provider says counts for its own organization alone.
import { type ConnectionRefusal, canonicalEmail, domainOfEmail, emailKey, isEmail } from '@bailiwick/contract'
import { type Membership, findMembershipOf } from '../../identity/organizations/membership-of.ts'
import { checkMembershipLimit } from '../../identity/organizations/membership.ts'
import { type UserRow, emailAddressesOf, findUserRow, phoneNumbersOf } from '../../identity/users/find-user.ts'
import { findIdentified } from '../../identity/users/identifier.ts'
import { isDeprovisioned } from '../../identity/users/managed-by-directory.ts'
import type { Reader } from '../../platform/db/database.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { TimedReader } from '../../platform/http/ends.ts'
import type { RoleId, TenantId, UserId } from '../../platform/ids.ts'
import { fromJson } from '../../platform/json-text.ts'
import { currentSettings } from '../../tenancy/auth-configuration/read-settings.ts'
import { findRoleRows } from '../../tenancy/roles/find-role.ts'
import type { AssertedPerson } from './asserted-person.ts'
import { organizationOfDomain } from './find-connection.ts'
import { type ConnectionIdentityRow, type ConnectionRow, selectIdentity, selectIdentityOfUser } from './queries.ts'
import { roleAfter, roleByRules } from './role-rules.ts'

/** Whose the identity is. */
type Whose =
  | { readonly kind: 'known'; readonly userId: UserId }
  /** The user with the address, which the organization's domain vouches for. */
  | {
      readonly kind: 'link'
      readonly userId: UserId
      readonly emailId: string
      /** Whether nobody has proven to own the address yet: then what somebody may have prepared in the account is removed. */
      readonly isTakeOver: boolean
    }
  | { readonly kind: 'new'; readonly userId: undefined; readonly email: string | null }

export type AdmissionPlan =
  | { readonly kind: 'refused'; readonly reason: ConnectionRefusal }
  | (Whose & {
      readonly membership: Membership | undefined
      /** The role that the member has then. */
      readonly roleId: RoleId | null
    })

const refused = (reason: ConnectionRefusal) => ({ kind: 'refused', reason }) as const

type Owner = Exclude<Whose, { readonly kind: 'known' }> | ReturnType<typeof refused>

/** Returns whose an address is that the organization's provider or directory names; nobody believes it for any other organization's domain. */
export async function ownerOfAddress(
  db: Reader,
  { tenant_id: tenantId, organization_id: organizationId }: ConnectionRow,
  said: string,
): Promise<Owner> {
  if (!isEmail(said)) return refused('address_missing')
  const email = canonicalEmail(said)
  const owner = await organizationOfDomain(db, tenantId, domainOfEmail(email))
  if (owner !== organizationId) return refused('domain_not_verified')
  const found = await findIdentified(db, tenantId, { kind: 'email', key: emailKey(email) })
  if (found?.contact === undefined) return { kind: 'new', userId: undefined, email }
  const { userId, contact } = found
  if (contact.verified_at !== null) return { kind: 'link', userId, emailId: contact.id, isTakeOver: false }
  const contacts = [...(await emailAddressesOf(db, tenantId, userId)), ...(await phoneNumbersOf(db, tenantId, userId))]
  const isOtherwiseProven = contacts.some((each) => each.verified_at !== null)
  return isOtherwiseProven
    ? refused('address_claimed')
    : { kind: 'link', userId, emailId: contact.id, isTakeOver: true }
}

async function whose(db: Reader, connection: ConnectionRow, person: AssertedPerson, held?: ConnectionIdentityRow) {
  const { tenant_id: tenantId, id } = connection
  const identity = held ?? (await selectIdentity(db, tenantId, id, person.subject))
  if (identity !== undefined) return { kind: 'known', userId: identity.user_id } as const
  if (person.email !== null) {
    if (person.isEmailUnverified) return refused('address_not_verified')
    const owner = await ownerOfAddress(db, connection, person.email)
    // An address that was given to somebody else, or a provider that was set up anew: a person has to decide.
    const isConnected =
      owner.kind === 'link' && (await selectIdentityOfUser(db, tenantId, owner.userId, id)) !== undefined
    return isConnected ? refused('identity_conflict') : owner
  }
  return { kind: 'new', userId: undefined, email: null } as const
}

async function isFull(db: Reader, tenantId: TenantId, organizationId: string): Promise<boolean> {
  const auth = await currentSettings(db, tenantId)
  try {
    await checkMembershipLimit(db, tenantId, organizationId, auth?.organizationMembershipLimit ?? 0)
    return false
  } catch (error) {
    if (error instanceof ApiError && error.code === 'membership_limit_reached') return true
    throw error
  }
}

/** What the caller's transaction holds. */
interface Concerned {
  readonly user: UserRow | undefined
  /** As it is since the user is held; undefined if that is not known. */
  readonly identity?: ConnectionIdentityRow | undefined
}

/** @param connection as it is in the database now. */
export async function planAdmission(
  timed: TimedReader,
  connection: ConnectionRow,
  person: AssertedPerson,
  { user: known, identity }: Concerned = { user: undefined },
): Promise<AdmissionPlan> {
  const { db } = timed
  const { tenant_id: tenantId, organization_id: organizationId } = connection
  const readMembership = (id: UserId) => findMembershipOf(timed, tenantId, organizationId, id)
  const [found, ofKnown] = await Promise.all([
    whose(db, connection, person, identity),
    known === undefined ? undefined : readMembership(known.id),
  ])
  if (found.kind === 'refused') return found
  const { userId } = found
  let membership: Membership | undefined
  if (userId !== undefined) {
    const isKnown = userId === known?.id
    const user = isKnown ? known : await findUserRow(db, tenantId, userId)
    if (user?.status !== 'active') return refused('user_not_active')
    membership = isKnown ? ofKnown : await readMembership(userId)
  }
  if (membership === undefined) {
    if (connection.jit === 'off') return refused('not_a_member')
    // Whom the organization's directory has removed does not come back by signing in.
    const isRemoved = userId !== undefined && (await isDeprovisioned(db, tenantId, organizationId, userId))
    if (isRemoved) return refused('not_a_member')
    if (await isFull(db, tenantId, organizationId)) return refused('membership_limit_reached')
  }
  const rules = fromJson(connection.role_rules)
  const roles = await findRoleRows(
    db,
    tenantId,
    organizationId,
    rules.map(({ roleId }) => roleId as RoleId),
  )
  const asserted = roleByRules(rules, person.claims, roles)
  return { ...found, membership, roleId: roleAfter(rules, membership?.role?.id ?? null, asserted) }
}
