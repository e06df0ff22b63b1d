// Explains why somebody can or cannot sign in, with the rules that the flows themselves use.
import {
  type ExplainSignIn,
  type SignInExplanation,
  type SignInStrategy,
  type TenantAuthSettings,
  type UserStatus,
  parseCursor,
} from '@bailiwick/contract'
import { connectionsFor } from '../../enterprise/connections/sign-on-rules.ts'
import { type FactorRule, findFactorRules } from '../../identity/authenticators/factor-rules.ts'
import { type Offer, firstFactors, offered, secondFactors, switchedOn } from '../../identity/authenticators/offers.ts'
import { enrolledSecondFactors } from '../../identity/authenticators/second-factors.ts'
import { codesAllowed, findContactFor } from '../../identity/authenticators/verified-contact.ts'
import type { Deps } from '../../identity/deps.ts'
import { findSessionRules } from '../../identity/organizations/organization-security.ts'
import { hasPassword } from '../../identity/passwords/passwords.ts'
import { findUserRow } from '../../identity/users/find-user.ts'
import { findIdentified, parseIdentifier, type IdentifierKind } from '../../identity/users/identifier.ts'
import type { Timestamp } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { notFound } from '../../platform/http/api-error.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'
import { strategyFacts } from '../../tenancy/auth-configuration/auth-configuration.ts'
import { settingsAt } from '../../tenancy/auth-configuration/read-settings.ts'
import type { StrategyFacts } from '../../tenancy/auth-configuration/usable-strategies.ts'
import type { SecondFactorStrategy } from '../../tenancy/tenants/second-factor-settings.ts'
import { getTenant } from '../../tenancy/tenants/tenants.ts'
import { withConnections } from './explain-connections.ts'
import { withHooks } from './explain-hooks.ts'
import { type UsedUp, locksOf, selectUsedUp } from './locks.ts'

/** What is known of the user who has the identifier. */
export interface KnownUser {
  readonly id: UserId
  readonly status: UserStatus
  readonly hasPassword: boolean
  /** Whether the identifier itself is verified; true for a username, which needs no verification. */
  readonly isVerified: boolean
  readonly enrolled: readonly SecondFactorStrategy[]
  /** The codes that can be sent to a verified address of the user. */
  readonly codes: readonly SignInStrategy[]
  /** Whether a social account is connected. */
  readonly isConnected: boolean
  /** How much of the budget guesses from unknown devices have used up. */
  readonly usedUp: UsedUp
}

interface Situation {
  readonly auth: TenantAuthSettings
  readonly facts: StrategyFacts
  readonly kind: IdentifierKind
  readonly user: KnownUser | undefined
  /** The rules that ask the user for a second factor. */
  readonly rules: readonly FactorRule[]
}

const isPassword = (strategy: SignInStrategy) => strategy.endsWith('_password')

function lacksOf(strategy: SignInStrategy, { auth, kind, user }: Situation): string[] {
  if (user === undefined) return ['no user has this identifier']
  const needsVerified =
    (kind === 'email' && auth.emailVerificationRequired) || (kind === 'phone' && auth.phoneVerificationRequired)
  return [
    ...(isPassword(strategy) && !user.hasPassword ? ['the user has no password'] : []),
    ...(isPassword(strategy) && needsVerified && !user.isVerified
      ? [`the ${kind === 'email' ? 'e-mail address' : 'phone number'} is not verified`]
      : []),
    // If the address is verified, an account can be connected by signing in with it.
    ...(strategy === 'oauth' && !user.isConnected && !(kind === 'email' && user.isVerified)
      ? ['the user has connected no social account']
      : []),
    ...(strategy === 'security_key' && !user.enrolled.includes('security_key') ? ['the user has no security key'] : []),
  ]
}

const stepOf = (situation: Situation, { strategy, blockedBy }: Offer) => {
  const lacks = blockedBy === undefined ? lacksOf(strategy, situation) : []
  const isOffered = blockedBy === undefined
  return {
    strategy,
    offered: isOffered,
    usable: isOffered && lacks.length === 0,
    reasons: [...(blockedBy === undefined ? [] : [blockedBy]), ...lacks],
  }
}

/** A pure function: its result depends only on its arguments. */
export function explain(
  situation: Situation,
): Pick<SignInExplanation, 'canSignIn' | 'reasons' | 'firstFactors' | 'secondFactors'> {
  const { auth, facts, kind, user } = situation
  const steps = firstFactors(auth, facts, kind).map((offer) => stepOf(situation, offer))
  const reasons = [
    ...(auth.signInEnabled ? [] : ['signInEnabled is off']),
    ...(user === undefined ? ['no user has this identifier'] : []),
    ...(user !== undefined && user.status !== 'active' ? [`the user is ${user.status}`] : []),
    ...(steps.some(({ usable }) => usable) ? [] : ['no first factor can be used']),
  ]
  return {
    canSignIn: reasons.length === 0,
    reasons,
    firstFactors: steps,
    secondFactors: secondSteps(situation),
  }
}

/** What follows the first factor: the factors that the user has set up, or those of which the user must set up one. */
function secondSteps({ auth, user, rules }: Situation): SignInExplanation['secondFactors'] {
  if (user === undefined) return []
  const usable = offered(secondFactors(auth, user.enrolled))
  if (usable.length > 0) return usable.map((strategy) => ({ strategy, offered: true, usable: true, reasons: [] }))
  if (rules.every(({ by }) => by === 'organization')) return []
  const codes = codesAllowed(auth).filter((strategy) => user.codes.includes(strategy))
  if (codes.length > 0) return codes.map((strategy) => ({ strategy, offered: true, usable: true, reasons: [] }))
  const reasons = ['the user must set up a second factor while signing in']
  return switchedOn(auth, 'second').map((strategy) => ({ strategy, offered: true, usable: false, reasons }))
}

const selectConnection = (db: Reader, tenantId: TenantId, userId: UserId) =>
  db.first(sql`SELECT id FROM social_connections WHERE tenant_id = ${tenantId} AND user_id = ${userId} LIMIT 1`)

/** @throws ApiError not_found, also for a time before the tenant existed. */
export async function explainSignIn(deps: Deps, tenantId: TenantId, input: ExplainSignIn): Promise<SignInExplanation> {
  const { db, clock } = deps
  const tenant = await getTenant(deps, tenantId)
  const at = (input.at === undefined ? undefined : (parseCursor(input.at)?.to as Timestamp | undefined)) ?? clock.now()
  const found = await settingsAt(db, tenantId, at)
  if (found === undefined) throw notFound()
  const { version, settings: auth } = found
  const identifier = parseIdentifier(input.identifier)
  const facts = await strategyFacts(deps, db, tenantId, auth)
  const user = await knownUser(deps, tenantId, identifier, facts)
  const rules = user === undefined ? [] : await findFactorRules(db, auth, { tenantId, userId: user.id }, at)
  const explanation = explain({ auth, facts, kind: identifier.kind, user, rules })
  const usable = explanation.firstFactors.filter((step) => step.usable).map(({ strategy }) => strategy)
  const ways = { usable, enrolled: user?.enrolled ?? [], passwordsEnabled: auth.passwordsEnabled, facts }
  const locks = user === undefined ? [] : locksOf(user.usedUp, ways, clock.now())
  const blockedUntil = locks.find(({ what }) => what === 'password')?.until ?? null
  const answered = withConnections(explanation, await connectionsFor(db, tenant, identifier), user?.id)
  return {
    identifierKind: identifier.kind,
    configurationVersion: version,
    at,
    user: user === undefined ? null : { id: user.id, status: user.status, hasPassword: user.hasPassword, blockedUntil },
    locks,
    secondFactorRules: rules,
    organizationRules: await organizationRules(deps, tenantId, auth, answered.firstFactors, user),
    ...(await withHooks(deps, tenant, answered, { user, isAsked: input.withHooks === true })),
  }
}

/** Names the organizations that limit which sessions act for them, and says whether the user can sign in as they want. */
async function organizationRules(
  deps: Deps,
  tenantId: TenantId,
  { organizationsEnabled }: TenantAuthSettings,
  steps: SignInExplanation['firstFactors'],
  user: KnownUser | undefined,
): Promise<SignInExplanation['organizationRules']> {
  if (user === undefined || !organizationsEnabled) return []
  const rules = await findSessionRules(deps, tenantId, user.id)
  const usable: readonly string[] = steps.flatMap((step) => (step.usable ? [step.strategy] : []))
  return rules.map(({ organizationId, name, allowedStrategies, sessionMaximumLifetime }) => ({
    organizationId,
    name,
    allowedStrategies,
    usable: allowedStrategies.length === 0 || allowedStrategies.some((strategy) => usable.includes(strategy)),
    sessionMaximumLifetime,
  }))
}

async function codesFor(db: Reader, tenantId: TenantId, userId: UserId, facts: StrategyFacts) {
  const found = await Promise.all(
    (['email_code', 'phone_code'] as const).map((name) => findContactFor(db, tenantId, userId, facts, name)),
  )
  return found.flatMap((contact) => (contact === undefined ? [] : [contact.strategy]))
}

async function knownUser(
  deps: Deps,
  tenantId: TenantId,
  identifier: ReturnType<typeof parseIdentifier>,
  facts: StrategyFacts,
): Promise<KnownUser | undefined> {
  const { db } = deps
  const identified = await findIdentified(db, tenantId, identifier)
  const row = identified && (await findUserRow(db, tenantId, identified.userId))
  if (row === undefined) return undefined
  return {
    id: row.id,
    status: row.status,
    hasPassword: await hasPassword(db, tenantId, row.id),
    isVerified: identified?.contact === undefined || identified.contact.verified_at !== null,
    enrolled: await enrolledSecondFactors(db, tenantId, row.id),
    codes: await codesFor(db, tenantId, row.id, facts),
    isConnected: (await selectConnection(db, tenantId, row.id)) !== undefined,
    usedUp: await selectUsedUp(deps, tenantId, row.id, identifier),
  }
}
