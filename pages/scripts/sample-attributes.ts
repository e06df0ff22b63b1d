import type { Attribute } from '@bailiwick/contract'

const everywhere = { writableBy: 'user', shownAt: 'both' } as const

/** One attribute of each type. */
export const sampleAttributes: readonly Attribute[] = [
  {
    ...everywhere,
    key: 'company',
    type: 'text',
    label: { en: 'Company', de: 'Firma' },
    help: { en: 'As it stands on your invoices.', de: 'Wie auf Ihren Rechnungen.' },
    required: true,
    maxLength: 100,
  },
  { ...everywhere, key: 'about', type: 'text', label: { en: 'About you', de: 'Über Sie' }, maxLength: 500 },
  { ...everywhere, key: 'seats', type: 'number', label: { en: 'Seats', de: 'Plätze' }, minimum: 1, maximum: 500 },
  {
    ...everywhere,
    key: 'size',
    type: 'choice',
    label: { en: 'Size of the company', de: 'Größe der Firma' },
    choices: [{ value: 'small', label: { en: 'Up to 50', de: 'Bis 50' } }, { value: 'large' }],
    required: true,
  },
  { ...everywhere, key: 'founded', type: 'date', label: { en: 'Founded on', de: 'Gegründet am' } },
  {
    ...everywhere,
    key: 'terms',
    type: 'boolean',
    label: { en: 'I accept the terms of the beta', de: 'Ich nehme die Bedingungen der Beta an' },
    required: true,
  },
]
