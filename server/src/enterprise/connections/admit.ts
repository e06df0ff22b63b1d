// Admits a person whom an organization's provider has identified, in the transaction that signs the person in: finds or makes the user and the
// membership.
import {
  type Attribute,
  type ConnectionRefusal,
  type SamlRefusalReason,
  domainOfEmail,
  isEmail,
} from '@bailiwick/contract'
import { giveRoleUnlessLastManager } from '../../identity/organizations/member-role.ts'
import { addMember, newMemberRow } from '../../identity/organizations/members.ts'
import { findMembershipOf } from '../../identity/organizations/membership-of.ts'
import { proveContact } from '../../identity/people/proven-contact.ts'
import { type UserRow, lockFoundUser, lockUser } from '../../identity/users/find-user.ts'
import { userStatements } from '../../identity/users/users.ts'
import { decideUser } from '../../messaging/hooks/new-user.ts'
import type { Transaction } from '../../platform/db/database.ts'
import type { Statement } from '../../platform/db/sql.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import { type RoleId, type UserId, newId } from '../../platform/ids.ts'
import { currentSettings } from '../../tenancy/auth-configuration/read-settings.ts'
import { type AttributeValues, demandedAttributes, isLacking } from '../../tenancy/tenants/attributes/values.ts'
import type { Deps } from '../deps.ts'
import type { AssertedPerson } from './asserted-person.ts'
import {
  type MappedValues,
  fittingBeside,
  recordRefusedValues,
  valuesOfClaims,
  writeValues,
} from './attribute-mappings.ts'
import { type AdmissionPlan, planAdmission } from './plan-admission.ts'
import * as queries from './queries.ts'

type Admitting = Exclude<AdmissionPlan, { readonly kind: 'refused' }>

export type Admission =
  | {
      readonly userId: UserId
      /** As the transaction holds it, if nothing of it was changed. */
      readonly user: UserRow | undefined
      /** What the caller's transaction has yet to run. */
      readonly statements: readonly Statement[]
    }
  | { readonly refusal: ConnectionRefusal }

/** The connection as it was when it identified the person. */
export type VerifiedConnection = Pick<queries.ConnectionRow, 'tenant_id' | 'id' | 'organization_id' | 'settings'>

/** Who acts, once it is known which user it is. */
export type ActorOf = (userId: UserId | null) => Actor

/** Returns the statement that records why nobody was admitted; the address itself is personal, its domain says enough. */
export function refusalStatement(
  { clock, personal }: Deps,
  connection: Pick<queries.ConnectionRow, 'tenant_id' | 'id' | 'organization_id'>,
  reason: ConnectionRefusal | SamlRefusalReason,
  { email, actor }: { readonly email: string | null; readonly actor: Actor },
): Statement {
  const domain = email !== null && isEmail(email) ? domainOfEmail(email) : null
  return eventStatement(clock, personal, {
    tenantId: connection.tenant_id,
    type: 'connection.sign_in_refused',
    actor,
    subjectId: connection.id,
    data: { organizationId: connection.organization_id, reason, domain },
  })
}

/** What the tenant asks new users for, and what the person has given of it. */
export interface AskedAttributes {
  readonly attributes: readonly Attribute[]
  readonly values: AttributeValues
}

/** The person is proven, but would be a new user without an attribute that the tenant requires. Nothing is written. */
export class AttributesMissing extends ApiError {}

/** @throws AttributesMissing */
function assertGiven({ attributes, values }: AskedAttributes) {
  const lacking = demandedAttributes(attributes).filter((attribute) => isLacking(attribute, values))
  if (lacking.length === 0) return
  const [code, message] = ['required', 'is required by this tenant']
  const issues = lacking.map(({ key }) => ({ path: `/attributes/${key}`, code, message }))
  throw new AttributesMissing('validation_failed', { issues })
}

/** What the provider says counts before what the person enters, unless it is no answer to what the tenant requires. */
function chosenValues({ attributes, values }: AskedAttributes, said: AttributeValues): AttributeValues {
  const lacking = new Set(demandedAttributes(attributes).flatMap((each) => (isLacking(each, said) ? [each.key] : [])))
  return { ...values, ...Object.fromEntries(Object.entries(said).filter(([key]) => !lacking.has(key))) }
}

async function createUser(deps: Deps, tx: Transaction, step: Step, email: string | null): Promise<UserId> {
  const { connection, person, actorOf, asked, mapped } = step
  const { name, givenName, familyName } = person
  const values = chosenValues(asked, mapped.values)
  assertGiven({ ...asked, values })
  const prepared = {
    id: newId<'UserId'>(),
    salt: deps.personal.newSalt(),
    password: undefined,
    role: undefined,
  }
  const input = {
    ...(email === null ? {} : { email, emailVerified: true }),
    ...(name === null ? {} : { name }),
    ...(givenName === null ? {} : { firstName: givenName }),
    ...(familyName === null ? {} : { lastName: familyName }),
    ...(Object.keys(values).length === 0 ? {} : { publicMeta: values }),
  }
  const tenantId = connection.tenant_id
  const decided = await decideUser(tx, tenantId, 'connection', { input, prepared })
  const { statements } = userStatements(deps, tx, tenantId, decided.input, decided.prepared, actorOf(prepared.id))
  await tx.runAll(statements)
  return prepared.id
}

/** Returns the user of the plan, whom this makes or connects if the person has not signed in with the connection before. */
async function userOfPlan(deps: Deps, tx: Transaction, step: Step): Promise<UserId> {
  const { connection, person, plan, actorOf } = step
  const { tenant_id: tenantId, organization_id: organizationId, id } = connection
  if (plan.kind === 'known') return plan.userId
  const userId = plan.kind === 'new' ? await createUser(deps, tx, step, plan.email) : plan.userId
  if (plan.kind === 'link' && plan.isTakeOver) {
    const contact = { table: 'email_addresses', id: plan.emailId, isTakeOver: true } as const
    await proveContact(deps, tx, tenantId, userId, contact, actorOf(userId))
  }
  const at = deps.clock.next()
  await tx.run(
    queries.insertIdentity({
      tenant_id: tenantId,
      connection_id: id,
      subject: person.subject,
      organization_id: organizationId,
      user_id: userId,
      created_at: at,
      last_used_at: at,
      owns_profile: Number(plan.kind === 'new'),
    }),
  )
  return userId
}

/** Writes the attributes of a user whom the connection or its directory has made, and records which values cannot be used. */
async function writeAttributes(
  deps: Deps,
  tx: Transaction,
  { connection, plan, actorOf, mapped }: Step,
  userId: UserId,
) {
  const { tenant_id: tenantId, id } = connection
  const { values, refused } = mapped
  if (Object.keys(values).length + refused.length === 0) return
  if (!(await queries.isMadeBy(tx, tenantId, id, userId))) return
  const actor = actorOf(userId)
  // A new user has them already.
  const unwritten = plan.kind === 'new' ? [] : await writeValues(deps, tx, tenantId, { userId, values, actor })
  await recordRefusedValues(deps, tx, connection, { userId, refused: [...refused, ...unwritten], actor })
}

interface Step {
  readonly connection: queries.ConnectionRow
  readonly person: AssertedPerson
  readonly plan: Admitting
  readonly actorOf: ActorOf
  readonly asked: AskedAttributes
  /** What the claims give of the tenant's attributes. */
  readonly mapped: MappedValues
}

/** Makes the user a member with the role of the rules, or gives a member that role; returns the role that the member has then. */
async function ensureMember(deps: Deps, tx: Transaction, { connection, plan, actorOf }: Step, userId: UserId) {
  const { tenant_id: tenantId, organization_id: organizationId } = connection
  const actor = actorOf(userId)
  // Proving an address never makes a member, but what it ends may.
  const membership =
    plan.kind === 'known'
      ? plan.membership
      : await findMembershipOf({ db: tx, clock: deps.clock }, tenantId, organizationId, userId)
  if (membership === undefined) {
    const row = newMemberRow({ tenantId, organizationId, userId, roleId: plan.roleId, at: deps.clock.next() })
    const auth = await currentSettings(tx, tenantId)
    // Whoever joins meanwhile counts, so the plan's answer may be too old: then the sign-in fails as a whole.
    await addMember(deps, tx, row, auth?.organizationMembershipLimit ?? 0, actor)
    return { id: row.id as string, roleId: plan.roleId, isNew: true }
  }
  const before = membership.role?.id ?? null
  if (before === plan.roleId) return { id: membership.id, roleId: before, isNew: false }
  const roleId = await giveRoleUnlessLastManager(deps, tx, tenantId, membership.id, plan.roleId, actor)
  return { id: membership.id, roleId, isNew: false }
}

async function recordProvisioned(
  { clock, personal }: Deps,
  tx: Transaction,
  { connection, plan, actorOf }: Step,
  userId: UserId,
  member: { readonly id: string; readonly roleId: RoleId | null; readonly isNew: boolean },
) {
  const isSame = !member.isNew && member.roleId === (plan.membership?.role?.id ?? null)
  if (isSame && plan.kind !== 'new') return
  await tx.run(
    eventStatement(clock, personal, {
      tenantId: connection.tenant_id,
      type: 'member.provisioned',
      actor: actorOf(userId),
      subjectId: member.id,
      data: {
        organizationId: connection.organization_id,
        connectionId: connection.id,
        userId,
        roleId: member.roleId,
        created: [...(plan.kind === 'new' ? ['user' as const] : []), ...(member.isNew ? ['membership' as const] : [])],
      },
    }),
  )
}

/** First sign-ins at one connection happen one after the other, so that nobody becomes two users. */
async function holdNewcomer(
  { clock }: Deps,
  tx: Transaction,
  connection: queries.ConnectionRow,
  person: AssertedPerson,
): Promise<UserRow | undefined> {
  const { tenant_id: tenantId, id } = connection
  await queries.holdConnection(tx, tenantId, id)
  const plan = await planAdmission({ db: tx, clock }, connection, person)
  return plan.kind === 'refused' || plan.userId === undefined ? undefined : lockUser(tx, tenantId, plan.userId)
}

/**
 * Returns the user, or why nobody is admitted, which this records: the caller commits in both cases.
 * @param verified the connection against which the person was verified.
 * @throws ApiError attempt_not_open if what decides has changed at the same moment.
 * @throws AttributesMissing
 */
export async function admit(
  deps: Deps,
  tx: Transaction,
  verified: VerifiedConnection,
  person: AssertedPerson,
  actorOf: ActorOf,
  asked: AskedAttributes,
): Promise<Admission> {
  const { tenant_id: tenantId, id } = verified
  const [connection, owner, identity] = await Promise.all([
    queries.selectConnection(tx, tenantId, id),
    lockFoundUser(tx, tenantId, queries.userOfIdentity(tenantId, id, person.subject)),
    // Sent after the user is held, so that it is what counts.
    queries.selectIdentity(tx, tenantId, id, person.subject),
  ])
  const refuse = async (refusal: ConnectionRefusal) => {
    await tx.run(refusalStatement(deps, verified, refusal, { email: person.email, actor: actorOf(null) }))
    return { refusal }
  }
  // It may have been switched off, or led to another provider, while the person was there.
  if (connection?.state !== 'live' || connection.settings !== verified.settings) return refuse('connection_off')
  const isNewcomer = owner === undefined && identity === undefined
  const user = isNewcomer ? await holdNewcomer(deps, tx, connection, person) : owner
  const plan = await planAdmission({ db: tx, clock: deps.clock }, connection, person, { user, identity })
  if (plan.kind === 'refused') return refuse(plan.reason)
  if (plan.userId !== user?.id) throw new ApiError('attempt_not_open')
  const said = valuesOfClaims(asked.attributes, connection, person.claims)
  const mapped = plan.kind === 'new' ? fittingBeside(said, asked.values) : said
  const step: Step = { connection, person, plan, actorOf, asked, mapped }
  const userId = await userOfPlan(deps, tx, step)
  await writeAttributes(deps, tx, step, userId)
  const member = await ensureMember(deps, tx, step, userId)
  await recordProvisioned(deps, tx, step, userId, member)
  const isUnchanged = plan.kind === 'known' && Object.keys(mapped.values).length === 0
  const key = { tenant_id: tenantId, connection_id: id, subject: person.subject }
  const uses = plan.kind === 'known' ? [queries.updateIdentityUse({ ...key, last_used_at: deps.clock.now() })] : []
  return { userId, user: isUnchanged ? user : undefined, statements: uses }
}
