// Every type of events, with what it is about and what it says. The types of the function that appends events, the checks of
// subscriptions and filters, docs/events.md and the SDK's types come from this catalogue.
import type { Static } from 'typebox'
import type { EventDefinition } from './events/event-definition.ts'
import { mediaEvents } from './events/media.ts'
import { messagingEvents } from './events/messaging.ts'
import { organizationEvents } from './events/organizations.ts'
import { peopleEvents } from './events/people.ts'
import { tenancyEvents } from './events/tenancy.ts'
import { oneOf } from './schema.ts'

export type { EventDefinition } from './events/event-definition.ts'

export const eventCatalogue = {
  ...tenancyEvents,
  ...peopleEvents,
  ...organizationEvents,
  ...messagingEvents,
  ...mediaEvents,
}
type Catalogue = typeof eventCatalogue

/** `resource.verb`, such as `user.created`. */
export type EventType = keyof Catalogue

export const eventTypes = Object.keys(eventCatalogue).toSorted() as EventType[]

/** In requests: a type that there is. */
export const EventType = oneOf(eventTypes, { title: 'event type', description: 'resource.verb, such as user.created' })

export const isEventType = (text: string): text is EventType => Object.hasOwn(eventCatalogue, text)

/** Returns the entry of the catalogue under the type that all entries have. */
export const eventDefinition = (type: EventType): EventDefinition => eventCatalogue[type]

type SaidOfPerson<Definition> = Definition extends { readonly personal: infer Personal extends EventDefinition['data'] }
  ? Static<Personal>
  : never

/** What an event of each type says, apart from what it says about a person. */
export type EventDataByType = { [Type in EventType]: Static<Catalogue[Type]['data']> }
/** What an event of each type says about a person; never for a type that says nothing. */
export type PersonalDataByType = { [Type in EventType]: SaidOfPerson<Catalogue[Type]> }
