import { schemas } from 'virtual:operation-schemas'
import { choicesOf, schemaAt } from '../../form/schema.ts'
import type { FieldSpec } from '../../form/operation-form.tsx'

/** All types of events, with "all" in front. */
export const eventOptions = choicesOf(schemaAt(schemas.createWebhook.body, 'events').items ?? {}).map((choice) =>
  choice.value === '*' ? { value: '*', label: '* (all events)' } : choice,
)

export const webhookFields: readonly FieldSpec[] = [
  {
    name: 'url',
    label: 'Address',
    placeholder: 'https://example.com/webhooks',
    hint: 'Receives a POST for each event.',
  },
  { name: 'description', isMultiline: true },
  { name: 'events', label: 'Events', options: eventOptions },
]
