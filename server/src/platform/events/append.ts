// Every change of data appends one event in its own transaction; the audit log, webhooks, streams and caches read them.
import type { Clock } from '../clock.ts'
import type { PersonalSealer } from '../crypto/personal.ts'
import { type SqlValue, type Statement, sql } from '../db/sql.ts'
import type { Actor } from '../http/principal.ts'
import { type TenantId, type UserId, newId } from '../ids.ts'

export interface NewEvent {
  readonly tenantId: TenantId
  /** `resource.verb`, such as `user.created`. */
  readonly type: string
  readonly actor: Actor
  readonly subject: { readonly type: string; readonly id: string }
  /** Before and after of what changed; no secrets, and nothing about a person. */
  readonly data: Readonly<Record<string, unknown>>
  /** What the event says about a person, sealed so that erasing the person makes it unreadable. */
  readonly personal?: {
    readonly salt: string
    /** The user whose salt it is; the subject unless said. */
    readonly userId?: UserId
    readonly data: Readonly<Record<string, unknown>>
  }
}

function valuesOf(clock: Clock, personal: PersonalSealer, event: NewEvent): SqlValue[] {
  const id = newId()
  const { tenantId, type, actor, subject } = event
  const { salt, data } = event.personal ?? {}
  return [
    tenantId,
    id,
    type,
    actor.type,
    actor.id,
    subject.type,
    subject.id,
    JSON.stringify(
      actor.impersonatedBy === undefined ? event.data : { ...event.data, impersonatedBy: actor.impersonatedBy },
    ),
    salt === undefined ? null : personal.seal(salt, id, JSON.stringify(data)),
    event.personal?.userId ?? null,
    actor.ip,
    actor.ua,
    clock.next(),
  ]
}

/** Several events, at least one, in one statement. */
export const eventsStatement = (clock: Clock, personal: PersonalSealer, events: readonly NewEvent[]): Statement =>
  sql`INSERT INTO events
    (tenant_id, id, type, actor_type, actor_id, subject_type, subject_id, data, personal, personal_user_id, ip, ua, created_at)
    ${sql.values(events.map((event) => valuesOf(clock, personal, event)))}`

export const eventStatement = (clock: Clock, personal: PersonalSealer, event: NewEvent): Statement =>
  eventsStatement(clock, personal, [event])
