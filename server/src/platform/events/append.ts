// Every change of data appends one event in its own transaction; the audit log, webhooks, streams and caches read them.
import { type EventDataByType, type EventType, type PersonalDataByType, eventCatalogue } from '@bailiwick/contract'
import type { Clock } from '../clock.ts'
import type { PersonalSealer } from '../crypto/personal.ts'
import { type SqlValue, type Statement, sql } from '../db/sql.ts'
import type { Actor } from '../http/principal.ts'
import { type TenantId, type UserId, newId } from '../ids.ts'

interface AnyEvent<Type, Data, PersonalData> {
  readonly tenantId: TenantId
  readonly type: Type
  readonly actor: Actor
  /** The id of what the event is about. The catalogue says what kind of record events of the type are about. */
  readonly subjectId: string
  /** Before and after of what changed; no secrets, and nothing about a person. */
  readonly data: Data
  /** What the event says about a person, sealed so that erasing the person makes it unreadable. */
  readonly personal?: {
    readonly salt: string
    /** The user whose salt it is; the subject unless said. */
    readonly userId?: UserId
    readonly data: PersonalData
  }
}

/** An event of a type that is known where it is made, with the data that the catalogue lists for this type. */
export type NewEventOf<Type extends EventType> = AnyEvent<Type, EventDataByType[Type], PersonalDataByType[Type]>
export type NewEvent = { [Type in EventType]: NewEventOf<Type> }[EventType]

/** An event whose data have the shape that its type asks for, as the compiler has checked. */
export type CheckedEvent = AnyEvent<EventType, object, object>

let inspect: ((event: CheckedEvent) => void) | undefined

/** Has every event inspected before it is written. The tests compare each with the catalogue; the service inspects none. */
export function inspectEvents(inspector: (event: CheckedEvent) => void): void {
  inspect = inspector
}

function valuesOf(clock: Clock, personal: PersonalSealer, event: CheckedEvent): SqlValue[] {
  inspect?.(event)
  const id = newId()
  const { tenantId, type, actor, subjectId } = event
  const { salt, data } = event.personal ?? {}
  return [
    tenantId,
    id,
    type,
    actor.type,
    actor.id,
    eventCatalogue[type].subject,
    subjectId,
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

const insertEvents = (clock: Clock, personal: PersonalSealer, events: readonly CheckedEvent[]): Statement =>
  sql`INSERT INTO events
    (tenant_id, id, type, actor_type, actor_id, subject_type, subject_id, data, personal, personal_user_id, ip, ua, created_at)
    ${sql.values(events.map((event) => valuesOf(clock, personal, event)))}`

/** Several events, at least one, in one statement. */
export const eventsStatement = (clock: Clock, personal: PersonalSealer, events: readonly NewEvent[]): Statement =>
  insertEvents(clock, personal, events)

export const eventStatement = <Type extends EventType>(
  clock: Clock,
  personal: PersonalSealer,
  event: NewEventOf<Type>,
): Statement => insertEvents(clock, personal, [event])
