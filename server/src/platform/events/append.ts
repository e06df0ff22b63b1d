// Every change of data appends one event in its own transaction; the audit log, webhooks, streams and caches read these events.
import { type EventDataByType, type EventType, type PersonalDataByType, eventCatalogue } from '@bailiwick/contract'
import type { Clock } from '../clock.ts'
import type { PersonalSealer } from '../crypto/personal.ts'
import { type SqlValue, type Statement, sql } from '../db/sql.ts'
import type { Actor } from '../http/credentials/principal.ts'
import { type TenantId, type UserId, newId } from '../ids.ts'

interface AnyEvent<Type, Data, PersonalData> {
  readonly tenantId: TenantId
  readonly type: Type
  readonly actor: Actor
  /** The id of the record that the event is about. The catalogue defines the kind of record for each event type. */
  readonly subjectId: string
  /** The changed values before and after; no secrets and no personal data. */
  readonly data: Data
  /** Personal data, sealed so that erasing the person makes it unreadable. */
  readonly personal?: {
    readonly salt: string
    /** The user whose salt seals `personal`; the subject by default. */
    readonly userId?: UserId
    readonly data: PersonalData
  }
}

/** An event whose type is known at compile time, with the data that the catalogue lists for this type. */
export type NewEventOf<Type extends EventType> = AnyEvent<Type, EventDataByType[Type], PersonalDataByType[Type]>
export type NewEvent = { [Type in EventType]: NewEventOf<Type> }[EventType]

/** An event whose data have been checked by the compiler against its type. */
export type CheckedEvent = AnyEvent<EventType, object, object>

let inspect: ((event: CheckedEvent) => void) | undefined

/** Sets a function that inspects every event before it is written. Tests compare each with the catalogue; the service sets none. */
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

/** Returns one statement that inserts several events, at least one. */
export const eventsStatement = (clock: Clock, personal: PersonalSealer, events: readonly NewEvent[]): Statement =>
  insertEvents(clock, personal, events)

export const eventStatement = <Type extends EventType>(
  clock: Clock,
  personal: PersonalSealer,
  event: NewEventOf<Type>,
): Statement => insertEvents(clock, personal, [event])
