// The nine rights of an administrator, as fields of a form and as the column of a list.
import type { RoleFlag } from '@bailiwick/contract'
import type { FieldSpec } from '../../form/field-spec.ts'
import { flagNames } from '../../session/rights.ts'

type Flags = Readonly<Record<RoleFlag, boolean>>

const hints: Readonly<Record<RoleFlag, string>> = {
  roleAdmin: 'Everything in this tenant, including its keys, its events and its administrators.',
  roleViewUsers: 'See users, their sessions, sign-ins and statistics.',
  roleEditUsers: 'Create, change, suspend, import and delete users.',
  roleViewOrganizations: 'See organizations and their members.',
  roleEditOrganizations: 'Create, change and delete organizations and their members.',
  roleViewConfig: 'See sign-in rules, brand, domains, templates, webhooks and files.',
  roleEditConfig:
    'Change all of these. Channels and templates of codes and links, and providers whose e-mail addresses are trusted, also need “Edit users”.',
  roleViewBilling: 'See the plan and the payment method.',
  roleEditBilling: 'Change the plan and the payment method.',
}

/** In the order in which people read them. */
export const flags = Object.keys(hints) as readonly RoleFlag[]

export const flagFields: readonly FieldSpec[] = flags.map((name) => ({
  name,
  label: flagNames[name],
  hint: hints[name],
}))

/** When the rights end. */
export const endField: FieldSpec = {
  name: 'expiresAt',
  label: 'Rights end',
  hint: 'Leave empty for rights without an end.',
  isTime: true,
}

export const flagsOf = (record: Flags): Flags =>
  // There is one property for each flag.
  Object.fromEntries(flags.map((flag) => [flag, record[flag]])) as unknown as Flags

/** All nine are set at once: a flag that is left out would be taken away. */
export const withAllFlags = (record: Flags, body: object): Readonly<Record<string, unknown>> => ({
  ...flagsOf(record),
  ...body,
})
