import { schemas } from 'virtual:operation-schemas'
import type { FieldSpec } from '../../form/field-spec.ts'
import { choicesOf, schemaAt } from '../../form/schema.ts'

/** All types of events, with "all" in front. */
export const eventOptions = choicesOf(schemaAt(schemas.createWebhook.body, 'events').items ?? {}).map((choice) =>
  choice.value === '*' ? { value: '*', label: '* (all events)' } : choice,
)

/** @param chosen the types that are chosen already, which come first. */
export function webhookFields(chosen: readonly string[] = []): readonly FieldSpec[] {
  const isChosen = ({ value }: { readonly value: string }) => chosen.includes(value)
  return [
    {
      name: 'url',
      label: 'Address',
      placeholder: 'https://example.com/webhooks',
      hint: 'Receives a POST for each event.',
    },
    { name: 'description', placeholder: 'What it is for' },
    {
      name: 'events',
      label: 'Events',
      hint: 'What is sent to this address.',
      options: [...eventOptions.filter(isChosen), ...eventOptions.filter((each) => !isChosen(each))],
    },
  ]
}
