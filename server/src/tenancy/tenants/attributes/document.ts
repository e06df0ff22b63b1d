// The attributes of a tenant's own: one document, of which every change is stored as a version.
import type { Attribute, Issue, TenantAttributes, UpdateAttributes } from '@bailiwick/contract'
import type { Timestamp } from '../../../platform/clock.ts'
import type { Reader } from '../../../platform/db/database.ts'
import { type Statement, sql } from '../../../platform/db/sql.ts'
import type { TenantId } from '../../../platform/ids.ts'
import { type JsonText, fromJson } from '../../../platform/json-text.ts'
import type { TenantRow } from '../queries.ts'
import { type Versioned, changedSettings, readPresent } from '../versions/versions.ts'

const parse = (document: JsonText<Partial<UpdateAttributes>>): UpdateAttributes => ({
  attributes: [],
  ...fromJson(document),
})

/** Which rules for values go with which type. */
const rulesByType = {
  text: ['minLength', 'maxLength'],
  number: ['minimum', 'maximum'],
  boolean: [],
  choice: ['choices'],
  date: [],
} as const satisfies Readonly<Record<Attribute['type'], readonly (keyof Attribute)[]>>
const allRules = ['minLength', 'maxLength', 'minimum', 'maximum', 'choices'] as const

const isAbove = (low: number | undefined, high: number | undefined) =>
  low !== undefined && high !== undefined && low > high

export const lengthMaxByDefault = 200

export const isAskedAtSignUp = ({ writableBy, shownAt }: Attribute) =>
  writableBy === 'user' && (shownAt === 'sign_up' || shownAt === 'both')

function issuesOfOne(attribute: Attribute, path: string): Issue[] {
  const { type, required = false, choices = [], minLength, maxLength = lengthMaxByDefault } = attribute
  const issue = (field: string, code: string, message: string) => ({ path: `${path}/${field}`, code, message })
  const allowed: readonly string[] = rulesByType[type]
  const issues: Issue[] = allRules
    .filter((rule) => attribute[rule] !== undefined && !allowed.includes(rule))
    .map((rule) => issue(rule, 'not_allowed', `is not a rule for a ${type}`))
  if (type === 'choice' && choices.length === 0) issues.push(issue('choices', 'required', 'is required for a choice'))
  const values = choices.map(({ value }) => value)
  values.forEach((value, index) => {
    if (values.indexOf(value) !== index) issues.push(issue(`choices/${index}/value`, 'duplicate', 'appears twice'))
  })
  if (type === 'text' && isAbove(minLength, maxLength))
    issues.push(issue('minLength', 'contradicts', 'must not be more than maxLength'))
  if (isAbove(attribute.minimum, attribute.maximum))
    issues.push(issue('minimum', 'contradicts', 'must not be more than maximum'))
  if (required && !isAskedAtSignUp(attribute))
    issues.push(issue('required', 'contradicts', 'is only for attributes that users write and that sign-up asks for'))
  return issues
}

/** Names that every object has, so that a key of the tenant would hide them. */
const reservedKeys: ReadonlySet<string> = new Set(['constructor', 'toString', 'valueOf', 'hasOwnProperty'])

/** Returns every reason for which a document cannot be used. */
export const attributeIssues = ({ attributes }: UpdateAttributes): Issue[] =>
  attributes.flatMap((attribute, index) => {
    const path = `/attributes/${index}`
    const { key } = attribute
    const issues = issuesOfOne(attribute, path)
    if (reservedKeys.has(key)) issues.push({ path: `${path}/key`, code: 'reserved', message: 'is reserved' })
    if (attributes.findIndex((each) => each.key === key) !== index)
      issues.push({ path: `${path}/key`, code: 'duplicate', message: 'appears twice' })
    return issues
  })

/** Each attribute counts as a setting, so that a difference names it. */
const nameSettings = ({ attributes }: UpdateAttributes): Readonly<Record<string, unknown>> => ({
  ...Object.fromEntries(attributes.map((attribute) => [`attributes.${attribute.key}`, attribute])),
  ...(attributes.length === 0 ? {} : { order: attributes.map(({ key }) => key) }),
})

export const attributesVersions: Versioned<UpdateAttributes> = {
  table: 'attributes_versions',
  eventOf: (change) => ({ type: 'tenant.attributes_updated', data: changedSettings(change) }),
  numberOf: (tenant) => tenant.attributes_version,
  parse,
  restored: (_before, document) => parse(document),
  settingsOf: nameSettings,
  point: (tenantId: TenantId, version: number, at: Timestamp): Statement =>
    sql`UPDATE tenants SET attributes_version = ${version}, updated_at = ${at} WHERE id = ${tenantId}`,
  issuesOf: async (_deps, _tx, _tenantId, _before, after) => attributeIssues(after),
}

/** Returns what the directory keeps; most tenants have no attributes, and cost no query. */
export async function attributesInUse(db: Reader, tenant: TenantRow): Promise<readonly Attribute[]> {
  if (tenant.attributes_version === 0) return []
  return (await readPresent(db, attributesVersions, tenant)).attributes
}

export const presentAttributes = async (db: Reader, tenant: TenantRow): Promise<TenantAttributes> => ({
  ...(await readPresent(db, attributesVersions, tenant)),
  version: tenant.attributes_version,
})
