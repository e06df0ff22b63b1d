// Sets of rights by what somebody does, so that nobody is invited without any.
import type { RoleFlag } from '@bailiwick/contract'
import type { FieldSpec } from '../../form/field-spec.ts'
import { flagFields, flags } from './flag-fields.ts'

type Body = Readonly<Record<string, unknown>>

interface Preset {
  readonly value: string
  readonly label: string
  readonly about: string
  readonly flags: readonly RoleFlag[]
}

const views = ['roleViewUsers', 'roleViewOrganizations', 'roleViewConfig'] as const

const presets: readonly Preset[] = [
  {
    value: 'viewer',
    label: 'Viewer',
    about: 'Sees users, organizations and settings, and changes nothing.',
    flags: views,
  },
  {
    value: 'support',
    label: 'Support',
    about: 'Helps users: creates, changes, unlocks and suspends them, and manages organizations.',
    flags: [...views, 'roleEditUsers', 'roleEditOrganizations'],
  },
  {
    value: 'developer',
    label: 'Developer',
    about: 'Sets up sign-in, applications, brand, messages and webhooks. Sees users.',
    flags: [...views, 'roleEditConfig'],
  },
  {
    value: 'admin',
    label: 'Administrator',
    about: 'Everything in this tenant, including its keys, its events and its administrators.',
    flags: ['roleAdmin'],
  },
]

/** Returns the set that gives exactly these rights. An administrator has all of them, whatever else is given. */
export const findPreset = (rights: readonly RoleFlag[]): Preset | undefined =>
  presets.find((preset) =>
    preset.flags.includes('roleAdmin')
      ? rights.includes('roleAdmin')
      : rights.length === preset.flags.length && preset.flags.every((flag) => rights.includes(flag)),
  )

const isChosenByHand = (body: Body) => body['preset'] === 'custom'

export const presetFields: readonly FieldSpec[] = [
  {
    name: 'preset',
    label: 'Rights',
    isRequired: true,
    isRadio: true,
    options: [...presets, { value: 'custom', label: 'Choose the rights one by one' }],
    schema: { type: 'string' },
  },
  ...flagFields.map((field) => ({ ...(typeof field === 'string' ? { name: field } : field), isShown: isChosenByHand })),
]

/** Returns the body with the rights of the preset in its place. */
export function withPresetFlags({ preset, ...body }: Body): Body {
  const chosen = presets.find(({ value }) => value === preset)
  return chosen === undefined ? body : { ...body, ...Object.fromEntries(chosen.flags.map((flag) => [flag, true])) }
}

/** Refuses an administrator without rights, who would see an empty console. */
export const checkRights = (body: Body): ReadonlyMap<string, string> =>
  flags.some((flag) => body[flag] === true) ? new Map() : new Map([['preset', 'Choose at least one right.']])
