// What a provider or a directory says of users, as values of the tenant's attributes. Values that break the type of their attribute are left
// out and recorded; nobody is refused for them.
import { type Attribute, type AttributeMapping, type Issue, claimBytesMax } from '@bailiwick/contract'
import {
  type IdpClaims,
  keepConnectionSignIn,
  namedClaims,
} from '../../identity/connection-sign-ins/connection-sign-ins.ts'
import { changeWithin } from '../../identity/people/user-changes.ts'
import type { Reader, Transaction } from '../../platform/db/database.ts'
import type { Statement } from '../../platform/db/sql.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { SessionId, SignInAttemptId, TenantId, UserId } from '../../platform/ids.ts'
import { fromJson, toJson } from '../../platform/json-text.ts'
import { attributesInUse } from '../../tenancy/tenants/attributes/document.ts'
import {
  type AttributeValues,
  metaBytesMax,
  valueFromText,
  valueProblem,
  valuesIn,
} from '../../tenancy/tenants/attributes/values.ts'
import { findTenantRow } from '../../tenancy/tenants/find-tenant.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import type { Deps } from '../deps.ts'
import type { ConnectionRow } from './queries.ts'

type Said = string | readonly string[]

/** A value that was left out. */
export interface RefusedValue {
  readonly attribute: string | null
  readonly source: string
  readonly code: string
  readonly message: string
}

export interface MappedValues {
  readonly values: AttributeValues
  readonly refused: readonly RefusedValue[]
}

function readValue(
  attribute: Attribute | undefined,
  said: Said,
): { value: unknown } | { problem: Pick<Issue, 'code' | 'message'> } {
  const [text, ...more] = [said].flat()
  if (attribute === undefined)
    return { problem: { code: 'unknown_reference', message: 'is not an attribute of this tenant' } }
  if (text === undefined || more.length > 0)
    return { problem: { code: 'invalid_type', message: 'must be one value, not a list' } }
  const value = valueFromText(attribute, text.trim())
  const problem = valueProblem(attribute, value)
  return problem === undefined ? { value } : { problem }
}

type Source = readonly [mapping: AttributeMapping, source: string, said: Said | undefined]

function mapped(attributes: readonly Attribute[], sources: readonly Source[]): MappedValues {
  const values: Record<string, unknown> = {}
  const refused: RefusedValue[] = []
  for (const [{ attribute: key }, source, said] of sources) {
    if (said === undefined || said.length === 0) continue
    const read = readValue(
      attributes.find((each) => each.key === key),
      said,
    )
    if ('value' in read) values[key] = read.value
    else refused.push({ attribute: key, source, ...read.problem })
  }
  return { values, refused }
}

const tooLarge = (values: AttributeValues): readonly RefusedValue[] =>
  Object.keys(values).map((attribute) => ({
    attribute,
    source: attribute,
    code: 'too_large',
    message: 'must leave publicMeta smaller than 16 KiB as JSON',
  }))

const isTooLarge = (meta: AttributeValues) => Buffer.byteLength(JSON.stringify(meta)) > metaBytesMax

/** Returns what can be written beside other values: nothing, if all of it would be too large. */
export const fittingBeside = ({ values, refused }: MappedValues, others: AttributeValues): MappedValues =>
  isTooLarge({ ...others, ...values })
    ? { values: {}, refused: [...refused, ...tooLarge(values)] }
    : { values, refused }

/** Returns the values that the claims of a sign-in give; what the provider has not sent stays as it is. */
export const valuesOfClaims = (
  attributes: readonly Attribute[],
  { attribute_mappings: mappings }: Pick<ConnectionRow, 'attribute_mappings'>,
  claims: IdpClaims,
): MappedValues =>
  mapped(
    attributes,
    fromJson(mappings).flatMap((mapping): Source[] => {
      const { claim = null } = mapping
      return claim === null ? [] : [[mapping, claim, Object.hasOwn(claims, claim) ? claims[claim] : undefined]]
    }),
  )

/** Returns the values that the attributes of a directory's user give. @param read reads one of these attributes. */
export const valuesOfDirectory = (
  attributes: readonly Attribute[],
  { attribute_mappings: mappings }: Pick<ConnectionRow, 'attribute_mappings'>,
  read: (source: NonNullable<AttributeMapping['scim']>) => string | undefined,
): MappedValues =>
  mapped(
    attributes,
    fromJson(mappings).flatMap((mapping): Source[] => {
      const { scim = null } = mapping
      return scim === null ? [] : [[mapping, scim, read(scim)]]
    }),
  )

type Place = Pick<ConnectionRow, 'tenant_id' | 'id' | 'organization_id'>

/** Records what was left out, without the values. */
export async function recordRefusedValues(
  { clock, personal }: Deps,
  tx: Transaction,
  { tenant_id: tenantId, id, organization_id: organizationId }: Place,
  {
    userId,
    refused,
    actor,
  }: { readonly userId: UserId; readonly refused: readonly RefusedValue[]; readonly actor: Actor },
): Promise<void> {
  if (refused.length === 0) return
  const values = refused.map(({ source, attribute, code }) => ({ source, attribute, code }))
  const data = { organizationId, userId, values }
  await tx.run(
    eventStatement(clock, personal, { tenantId, type: 'connection.values_refused', actor, subjectId: id, data }),
  )
}

/**
 * Writes values of a user; undefined removes one. Nothing is written if the user's publicMeta would become too large.
 * @returns what was left out for that.
 */
export async function writeValues(
  deps: Deps,
  tx: Transaction,
  tenantId: TenantId,
  { userId, values, actor }: { readonly userId: UserId; readonly values: AttributeValues; readonly actor: Actor },
): Promise<readonly RefusedValue[]> {
  if (Object.keys(values).length === 0) return []
  let refused: readonly RefusedValue[] = []
  await changeWithin(deps, tx, tenantId, userId, actor, (_tx, before) => {
    const after = { ...valuesIn(fromJson(before.public_meta)), ...values }
    if (isTooLarge(after)) refused = tooLarge(values)
    return isTooLarge(after) ? before : { ...before, public_meta: toJson(after) }
  })
  return refused
}

/**
 * Returns the function that makes the statement that keeps how a session began at the provider, with the claims that the tenant names as
 * sources of its own. Too many are not kept at all, which this records.
 */
export async function keepSaid(
  deps: Deps,
  tx: Transaction,
  { claims: compiled }: TenantEntry,
  connection: Place,
  said: {
    readonly attemptId: SignInAttemptId
    readonly userId: UserId
    readonly claims: IdpClaims
    readonly actor: Actor
  },
): Promise<(sessionId: SessionId | null) => Statement> {
  const { attemptId, userId, actor } = said
  const names = compiled?.idpClaims ?? []
  const named = namedClaims(names, said.claims)
  const place = {
    tenant_id: connection.tenant_id,
    attempt_id: attemptId,
    connection_id: connection.id,
    organization_id: connection.organization_id,
    user_id: userId,
  }
  if (named === undefined) {
    const message = `must have at most ${claimBytesMax} bytes together`
    const refused = names.map((source) => ({ source, attribute: null, code: 'too_large', message }))
    await recordRefusedValues(deps, tx, connection, { userId, refused, actor })
  }
  return (sessionId) => keepConnectionSignIn(deps, place, named ?? {}, sessionId)
}

/** @throws ApiError validation_failed for an attribute that the tenant does not have or that is named twice, and without a source. */
export async function assertMappings(
  db: Reader,
  tenantId: TenantId,
  mappings: readonly AttributeMapping[] | undefined,
): Promise<void> {
  if (mappings === undefined || mappings.length === 0) return
  const known = new Set((await findTenantAttributes(db, tenantId)).map(({ key }) => key))
  const issues = mappings.flatMap(({ attribute, claim = null, scim = null }, n): Issue[] => {
    const path = `/attributeMappings/${n}`
    const isFirst = mappings.findIndex((each) => each.attribute === attribute) === n
    const problem = !known.has(attribute)
      ? { code: 'unknown_reference', message: 'is not an attribute of this tenant' }
      : { code: 'duplicate', message: 'appears twice' }
    return [
      ...(known.has(attribute) && isFirst ? [] : [{ path: `${path}/attribute`, ...problem }]),
      ...(claim === null && scim === null
        ? [{ path: `${path}/claim`, code: 'required', message: 'is required, unless scim has a value' }]
        : []),
    ]
  })
  if (issues.length > 0) throw new ApiError('validation_failed', { issues })
}

/** Returns the attributes of a tenant as the caller's transaction sees them. */
export async function findTenantAttributes(db: Reader, tenantId: TenantId): Promise<readonly Attribute[]> {
  const tenant = await findTenantRow(db, tenantId)
  return tenant === undefined ? [] : attributesInUse(db, tenant)
}
