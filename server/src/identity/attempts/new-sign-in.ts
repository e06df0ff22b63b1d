// Attempts to sign in as new rows: what is written when a browser begins one, or goes on from a sign-up.
import type { SignInAttempt, SignInStrategy } from '@bailiwick/contract'
import { addMilliseconds } from '../../platform/clock.ts'
import { addToCounters } from '../../platform/db/counters.ts'
import type { WriteContext } from '../../platform/db/database.ts'
import type { Statement } from '../../platform/db/sql.ts'
import { type NewEvent, eventsStatement } from '../../platform/events/append.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import { type TenantId, type UserId, newId } from '../../platform/ids.ts'
import { toJson } from '../../platform/json-text.ts'
import type { Deps } from '../deps.ts'
import { signInKind } from './attempts.ts'
import { type SignInAttemptRow, signInAttempts } from './tables.ts'

const attemptMs = 10 * 60_000

export interface NewAttempt {
  readonly tenantId: TenantId
  readonly userId: UserId | null
  readonly identifier: string | null
  readonly factors: readonly SignInStrategy[]
  readonly redirectUri: string | null
}

/** An attempt about to be written: its row as it will then be, and further statements. */
export interface AttemptWrite {
  readonly row: SignInAttemptRow
  readonly statements: readonly Statement[]
  readonly events: readonly NewEvent[]
  readonly counts: Readonly<Record<string, number>>
}

export function newAttemptRow({ clock }: Deps, input: NewAttempt): SignInAttemptRow {
  const at = clock.next()
  return {
    tenant_id: input.tenantId,
    id: newId(),
    user_id: input.userId,
    identifier: input.identifier,
    status: input.identifier === null ? 'needs_identifier' : 'needs_factor_one',
    strategy: null,
    supported_first_factors: toJson(input.factors),
    supported_second_factors: toJson([]),
    oauth_provider_id: null,
    redirect_uri: input.redirectUri,
    flow_hash: null,
    expires_at: addMilliseconds(clock.now(), attemptMs),
    created_at: at,
    updated_at: at,
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
}

/** Writes an attempt for the first time, with the present time. */
export function insertSignIn({ clock }: Deps, begun: SignInAttemptRow, flowHash: string, actor: Actor): AttemptWrite {
  const at = clock.next()
  const row = { ...begun, flow_hash: flowHash, created_at: at, updated_at: at }
  const created: NewEvent = {
    tenantId: row.tenant_id,
    type: 'sign_in_attempt.created',
    actor,
    subjectId: row.id,
    data: {},
  }
  return { row, statements: [signInAttempts.insert(row)], events: [created], counts: { sign_in_attempts: 1 } }
}

/** Returns a new attempt as a row, and the statements that write it. */
export function attemptStatements(
  deps: Deps,
  context: WriteContext,
  begun: SignInAttemptRow,
  { flowHash }: { readonly flowHash: string },
  actor: Actor,
) {
  const { row, ...write } = insertSignIn(deps, begun, flowHash, actor)
  return { row, statements: statementsOf(deps, context, row.tenant_id, write) }
}

/** All of a write that contains nothing else. */
export const statementsOf = (
  { clock, personal }: Deps,
  context: WriteContext,
  tenantId: TenantId,
  { statements, events, counts }: Omit<AttemptWrite, 'row'>,
): Statement[] => [
  ...(Object.keys(counts).length === 0 ? [] : [addToCounters(context, tenantId, counts)]),
  ...statements,
  ...(events.length === 0 ? [] : [eventsStatement(clock, personal, events)]),
]

/** The attempt shows its user only once the first factor is proven, and never why a step was refused: that would reveal who exists. */
export function presentSignIn(row: SignInAttemptRow): SignInAttempt {
  const isProven = row.status !== 'needs_identifier' && row.status !== 'needs_factor_one'
  const { failure: _hidden, ...visible } = signInKind.present(row)
  return { ...visible, userId: isProven ? row.user_id : null }
}
