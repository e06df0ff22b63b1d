// Answers questions about permissions (OpenID AuthZEN Authorization API 1.0) by the roles of users and members, as they are at the moment.
import {
  type EvaluationAnswer,
  type EvaluationDecision,
  type EvaluationQuestion,
  type EvaluationReason,
  type EvaluationRequest,
} from '@bailiwick/contract'
import { ApiError } from '../../platform/http/api-error.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'
import type { MaybePromise } from '../../platform/maybe-promise.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import { getTenant } from '../../tenancy/tenants/tenants.ts'
import type { Deps } from '../deps.ts'
import { type Membership, findMembershipOf } from '../organizations/membership-of.ts'
import { type GrantedRole, type Subject, type Subjects, grantedRole, roleNow } from './subjects.ts'

/** What one request has read: many questions are about one user. */
interface Facts {
  readonly user: (id: string) => MaybePromise<Subject | undefined>
  /** The role of a user at the tenant at this moment. */
  readonly roleAtTenant: (user: Subject) => GrantedRole | undefined
  readonly membership: (organizationId: string, userId: UserId) => Promise<Membership | undefined>
}

/** Returns what reads each value once. */
function readOnce<Value>() {
  const known = new Map<string, Value>()
  return (key: string, read: () => Value): Value => {
    const found = known.get(key) ?? read()
    known.set(key, found)
    return found
  }
}

function createFacts({ db, clock }: Deps, subjects: Subjects, tenant: TenantEntry): Facts {
  const users = readOnce<MaybePromise<Subject | undefined>>()
  const memberships = readOnce<Promise<Membership | undefined>>()
  return {
    user: (id) => users(id, () => subjects.find(tenant, id)),
    roleAtTenant: (user) => roleNow(user, clock.now()),
    membership: (organizationId, userId) =>
      memberships(`${organizationId} ${userId}`, () =>
        findMembershipOf({ db, clock }, tenant.row.id, organizationId, userId),
      ),
  }
}

const textIn = (from: unknown, name: string): string | undefined => {
  const value = (from as Readonly<Record<string, unknown>> | undefined)?.[name]
  return typeof value === 'string' ? value : undefined
}

type Context = NonNullable<EvaluationDecision['context']>

const denied = (reason: EvaluationReason, more: Omit<Context, 'reason'> = {}): Context => ({ reason, ...more })

/** Returns the permission that a question is about: a whole one, or one of the type of the resource. */
const permissionFor = (action: string, type: string) => (action.includes(':') ? action : `${type}:${action}`)

type WholeQuestion = EvaluationQuestion & Required<Pick<EvaluationQuestion, 'subject' | 'action' | 'resource'>>

const parts = ['subject', 'action', 'resource'] as const
const missingParts = (question: EvaluationQuestion) => parts.filter((part) => question[part] === undefined)
const isWhole = (question: EvaluationQuestion): question is WholeQuestion => missingParts(question).length === 0

async function judge(facts: Facts, { auth }: TenantEntry, question: WholeQuestion): Promise<Context> {
  const { subject, action, resource, context } = question
  const isOrganization = resource.type === 'organization'
  const permission = permissionFor(action.name, isOrganization ? 'org' : resource.type)
  const user = subject.type === 'user' ? await facts.user(subject.id) : undefined
  if (user === undefined) return denied('unknown_subject', { permission })
  if (user.status !== 'active') return denied('subject_not_active', { permission })
  const organizationId =
    (isOrganization ? resource.id : undefined) ??
    textIn(resource.properties, 'organizationId') ??
    textIn(context, 'organizationId')
  if (organizationId === undefined) {
    const role = facts.roleAtTenant(user)
    return decide(permission, role === undefined ? [] : [role])
  }
  if (!auth.organizationsEnabled) return denied('organizations_disabled', { permission, organizationId })
  const membership = await facts.membership(organizationId, user.id)
  if (membership === undefined) return denied('not_a_member', { permission, organizationId })
  return { ...decide(permission, membership.roles.map(grantedRole)), organizationId }
}

/** @param roles a member's own role first, then those of the member's groups. */
function decide(permission: string, roles: readonly GrantedRole[]): Context {
  const [first] = roles
  if (first === undefined) return denied('no_role', { permission })
  const permitting = roles.find(({ permissions }) => permissions.has(permission))
  const reason = permitting === undefined ? 'not_in_role' : 'permitted'
  return { reason, permission, role: (permitting ?? first).name }
}

/** Denies one of several questions that cannot be asked (AuthZEN Authorization API 1.0, errors of the Access Evaluations API). */
function incomplete(question: EvaluationQuestion): EvaluationDecision {
  const message = `The evaluation has no ${missingParts(question).join(' and no ')}.`
  return { decision: false, context: { reason: 'incomplete', error: { status: 400, message } } }
}

async function answerTo(facts: Facts, tenant: TenantEntry, question: WholeQuestion): Promise<EvaluationDecision> {
  const context = await judge(facts, tenant, question)
  const decision = context.reason === 'permitted'
  const { explain } = (question.context ?? {}) as { readonly explain?: unknown }
  return explain === true ? { decision, context } : { decision }
}

const stopsAt = { execute_all: undefined, deny_on_first_deny: false, permit_on_first_permit: true } as const

/**
 * Answers one question, or several in their order.
 * @throws ApiError not_found for a tenant that does not exist; validation_failed for a single question that lacks a part.
 */
export async function evaluate(
  deps: Deps,
  subjects: Subjects,
  tenantId: TenantId,
  { evaluations, options, ...defaults }: EvaluationRequest,
): Promise<EvaluationAnswer> {
  const tenant = await getTenant(deps, tenantId)
  const facts = createFacts(deps, subjects, tenant)
  if (evaluations === undefined || evaluations.length === 0) {
    if (isWhole(defaults)) return answerTo(facts, tenant, defaults)
    const issues = missingParts(defaults).map((part) => ({
      path: `/${part}`,
      code: 'required',
      message: 'is required',
    }))
    throw new ApiError('validation_failed', { issues })
  }
  const last = stopsAt[options?.evaluations_semantic ?? 'execute_all']
  const answers: EvaluationDecision[] = []
  for (const question of evaluations) {
    const whole = { ...defaults, ...question }
    const answer = isWhole(whole) ? await answerTo(facts, tenant, whole) : incomplete(whole)
    answers.push(answer)
    if (answer.decision === last) break
  }
  return { evaluations: answers }
}
