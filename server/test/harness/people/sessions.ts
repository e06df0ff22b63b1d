// Sessions and attempts as sign-in creates them, and signed-in console users.
import { type RoleFlag, type User, roleFlags } from '@bailiwick/contract'
import {
  type SignInAttemptRow,
  type SignUpAttemptRow,
  signInAttempts,
  signUpAttempts,
} from '../../../src/identity/attempts/tables.ts'
import { createSessionDirectory } from '../../../src/identity/sessions/session-directory.ts'
import { type CreatedSession, type NewSessionInput, createSession } from '../../../src/identity/sessions/sessions.ts'
import { decidedTransaction, decisionAt } from '../../../src/messaging/hooks/decisions.ts'
import { addMilliseconds, createClock, toMs } from '../../../src/platform/clock.ts'
import { hashToken } from '../../../src/platform/crypto/tokens.ts'
import { addToCounters } from '../../../src/platform/db/counters.ts'
import type { OpenDatabase } from '../../../src/platform/db/open.ts'
import { sql } from '../../../src/platform/db/sql.ts'
import type { Actor } from '../../../src/platform/http/credentials/principal.ts'
import { type TenantId, newId } from '../../../src/platform/ids.ts'
import { toJson } from '../../../src/platform/json-text.ts'
import { createTenantDirectory } from '../../../src/tenancy/directory/tenant-directory.ts'
import { getConsoleTenantId } from '../../../src/tenancy/tenants/console-tenant.ts'
import { getTenant } from '../../../src/tenancy/tenants/tenants.ts'
import { createUser, unique } from '../factories.ts'
import { type TestService, startTestService, testEnv } from '../service.ts'

export const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0'

/** Signs a user in without any proof. */
export async function openSession(
  { deps }: TestService,
  tenantId: string,
  userId: string,
  input: Partial<NewSessionInput> = {},
): Promise<CreatedSession> {
  const tenant = await getTenant(deps, tenantId as TenantId)
  const actor: Actor = { type: 'user', id: userId, ip: '192.0.2.7', ua: firefox }
  return decidedTransaction(deps, tenant.row.id, async (tx) => {
    await decisionAt(tx, tenant.row.id, 'sign_in.before_session', { user: { id: userId } })
    return createSession(deps, tx, { tenant, userId, ip: actor.ip, ua: actor.ua, actor, ...input })
  })
}

export interface SignedIn {
  readonly user: User
  readonly email: string
  readonly sessionId: string
  readonly token: string
}

/** A new console user with a verified address, signed in. */
export async function signInConsoleUser(
  service: TestService,
  email = `${unique()}@console.example`,
): Promise<SignedIn> {
  const consoleTenantId = await getConsoleTenantId(service.deps.db)
  const user = await createUser(service, consoleTenantId, { email })
  await service.ok('verifyEmailAddress', { body: { id: user.primaryEmailId } })
  const { row, token } = await openSession(service, consoleTenantId, user.id)
  return { user, email, sessionId: row.id, token }
}

export const flagsOf = (...flags: readonly RoleFlag[]) =>
  Object.fromEntries(roleFlags.map((flag) => [flag, flags.includes(flag)])) as Record<RoleFlag, boolean>

/** Makes a console user a member of a tenant, with these flags. */
export const addMember = (service: TestService, tenantId: string, { email }: SignedIn, ...flags: RoleFlag[]) =>
  service.ok<{ id: string }>('createTenantMember', { body: { tenantId, email, ...flagsOf(...flags) } })

const attemptMs = 10 * 60_000

/** An attempt to sign in and one to sign up, of one user. */
export async function insertAttempts({ deps: { db, clock } }: TestService, tenantId: string, userId: string | null) {
  const attempt = () => {
    const at = clock.now()
    return {
      tenant_id: tenantId as TenantId,
      user_id: userId as SignInAttemptRow['user_id'],
      identifier: 'ada@acme.example',
      strategy: 'email_password' as const,
      supported_first_factors: toJson(['email_password' as const, 'email_code' as const]),
      supported_second_factors: toJson([]),
      oauth_provider_id: null,
      redirect_uri: null,
      flow_hash: null,
      expires_at: addMilliseconds(at, attemptMs),
      created_at: at,
      updated_at: at,
    }
  }
  const signIn: SignInAttemptRow = {
    ...attempt(),
    id: newId(),
    status: 'needs_factor_one',
    first_factor: null,
    first_factor_at: null,
    session_id: null,
    level: null,
    failures: 0,
    failure_reason: null,
    failed_strategy: null,
    failed_at: null,
    failure_ip: null,
    failure_ua: null,
  }
  const signUp: SignUpAttemptRow = {
    ...attempt(),
    id: newId(),
    status: 'needs_verification',
    required_fields: toJson(['email']),
    missing_fields: toJson([]),
    required_verifications: toJson(['email']),
    missing_verifications: toJson(['email']),
    sealed_fields: null,
  }
  await db.write((context) => [
    signInAttempts.insert(signIn),
    signUpAttempts.insert(signUp),
    addToCounters(context, tenantId, { sign_in_attempts: 1, sign_up_attempts: 1 }),
  ])
  return { signIn, signUp }
}

/** Returns when the session was last used, as it is stored. */
export async function storedSession({ deps: { db } }: TestService, id: string) {
  return db.first<{ last_active_at: string; expires_at: string; ended_at: string | null }>(
    sql`SELECT last_active_at, expires_at, ended_at FROM sessions WHERE id = ${id}`,
  )
}

/** When the uses of sessions were last made to be recorded, by their tokens. */
const recorded = new Map<string, number>()

/**
 * Uses a session and waits until that is recorded, so that it is not recorded again within half a minute. Uses are recorded once a minute: one
 * that is as old as that is forgotten, so that the next one may not come due within a slow test.
 */
export async function useSession(service: TestService, token: string): Promise<void> {
  const { db, sessions } = service.deps
  const now = createClock().now()
  if (toMs(now) - (recorded.get(token) ?? 0) > 30_000) {
    const forgotten = sql`UPDATE sessions SET last_active_at = ${addMilliseconds(now, -61_000)} WHERE token_hash = ${hashToken(token)}`
    await db.write(() => [forgotten])
    sessions.clear()
    recorded.set(token, toMs(now))
  }
  await service.ok('whoAmI', { token })
  await sessions.settle()
}

/** A service whose clock the test advances. */
export async function startServiceWithClock(database: OpenDatabase, env: NodeJS.ProcessEnv = testEnv) {
  let aheadMs = 0
  let heldAtMs: number | undefined
  const service = await startServiceAt(database, () => (heldAtMs ?? Date.now()) + aheadMs, env)
  return {
    service,
    advance: (ms: number) => {
      aheadMs += ms
    },
    /** Time stands still during the work, however slow the machine is. */
    atOneMoment: async (work: () => Promise<void>) => {
      heldAtMs = Date.now()
      await work().finally(() => (heldAtMs = undefined))
    },
  }
}

/** A service that takes the time from the test. */
export function startServiceAt(database: OpenDatabase, nowMs: () => number, env: NodeJS.ProcessEnv = testEnv) {
  const clock = createClock(nowMs)
  return startTestService(database, env, ({ log }) => {
    const tenants = createTenantDirectory(database, clock)
    return { clock, tenants, sessions: createSessionDirectory(database, tenants, clock, log) }
  })
}
