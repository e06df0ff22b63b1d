// Every event type, with its subject and its data. The typed function that appends events, the checks of subscriptions and filters,
// docs/events.md and the SDK's types come from this catalogue.
import type { Static } from 'typebox'
import { applicationEvents } from './events/applications.ts'
import { enterpriseEvents } from './events/enterprise.ts'
import type { EventDefinition } from './events/event-definition.ts'
import { mediaEvents } from './events/media.ts'
import { messagingEvents } from './events/messaging.ts'
import { organizationEvents } from './events/organizations.ts'
import { peopleEvents } from './events/people.ts'
import { scimEvents } from './events/scim.ts'
import { tenancyEvents } from './events/tenancy.ts'
import { oneOf } from './schema.ts'

export type { EventDefinition } from './events/event-definition.ts'

export const eventCatalogue = {
  ...tenancyEvents,
  ...peopleEvents,
  ...organizationEvents,
  ...enterpriseEvents,
  ...scimEvents,
  ...messagingEvents,
  ...mediaEvents,
  ...applicationEvents,
}
type Catalogue = typeof eventCatalogue

/** `resource.verb`, such as `user.created`. */
export type EventType = keyof Catalogue

export const eventTypes = Object.keys(eventCatalogue).toSorted() as EventType[]

/** In requests: an existing event type. */
export const EventType = oneOf(eventTypes, { title: 'event type', description: 'resource.verb, such as user.created' })

export const isEventType = (text: string): text is EventType => Object.hasOwn(eventCatalogue, text)

/** Returns an entry of the catalogue, with the type common to all entries. */
export const eventDefinition = (type: EventType): EventDefinition => eventCatalogue[type]

type SaidOfPerson<Definition> = Definition extends { readonly personal: infer Personal extends EventDefinition['data'] }
  ? Static<Personal>
  : never

/** The data of each event type, without personal data. */
export type EventDataByType = { [Type in EventType]: Static<Catalogue[Type]['data']> }
/** The personal data of each event type; `never` for types without any. */
export type PersonalDataByType = { [Type in EventType]: SaidOfPerson<Catalogue[Type]> }
