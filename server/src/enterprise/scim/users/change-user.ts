import { domainOfEmail, emailKey } from '@bailiwick/contract'
import { rewriteAddress } from '../../../identity/people/contacts.ts'
import { changeWithin } from '../../../identity/people/user-changes.ts'
import { emailAddressesOf, lockUser, type UserRow as AccountRow } from '../../../identity/users/find-user.ts'
import { findIdentified } from '../../../identity/users/identifier.ts'
import type { Transaction } from '../../../platform/db/database.ts'
import { eventStatement } from '../../../platform/events/append.ts'
import { fromJson, toJson } from '../../../platform/json-text.ts'
import { organizationOfDomain } from '../../connections/find-connection.ts'
import type { Deps } from '../../deps.ts'
import { closePlace, holdDirectory, userPlaces } from '../directory.ts'
import type { ScimPlace } from '../place.ts'
import { ScimError } from '../protocol/scim-error.ts'
import type { Attributes } from '../protocol/values.ts'
import * as queries from '../queries.ts'
import { assertNameFree, withoutActive } from './create-user.ts'
import { addressIn, derivedColumns, namesIn } from './derived.ts'
import { deprovision, provision } from './membership.ts'
import { etag } from './present-user.ts'
import { refusedAddress } from './whose-account.ts'
import { writeMapped } from './write-attributes.ts'

export const noUser = (id: string) => new ScimError(404, `There is no user ${id.slice(0, 64)}.`)

/** What an If-Match header must agree with. */
export type Expected = readonly string[] | undefined

/** @throws ScimError 412 if the resource has changed since the sender read it. */
export function assertExpected(expected: Expected, row: { readonly version: number }): void {
  if (expected === undefined || expected.includes('*') || expected.includes(etag(row))) return
  throw new ScimError(412, 'The resource has changed since it was read.')
}

interface Held {
  readonly directory: queries.DirectoryRow
  readonly row: queries.UserRow
  readonly account: AccountRow
}

async function hold(tx: Transaction, place: ScimPlace, id: string, expected: Expected): Promise<Held> {
  const directory = await holdDirectory(tx, place)
  const row = await queries.selectUser(tx, place.tenantId, id)
  if (row?.connection_id !== place.connection.id) throw noUser(id)
  const account = await lockUser(tx, place.tenantId, row.user_id)
  if (account === undefined) throw noUser(id)
  assertExpected(expected, row)
  return { directory, row, account }
}

/**
 * Gives the account another address, if the organization has verified both domains by DNS. The account may have further addresses, which no
 * directory knows of.
 * @throws ScimError invalidValue, uniqueness
 */
async function changeAddress(deps: Deps, tx: Transaction, place: ScimPlace, { row, account }: Held, address: string) {
  const { tenantId, connection, actor } = place
  const isVouched = async (email: string) =>
    (await organizationOfDomain(tx, tenantId, domainOfEmail(email))) === connection.organization_id
  if (!(await isVouched(address))) throw refusedAddress('domain_not_verified', address)
  const owner = await findIdentified(tx, tenantId, { kind: 'email', key: emailKey(address) })
  if (owner !== undefined && owner.userId !== account.id) throw refusedAddress('address_claimed', address)
  if (owner !== undefined) return
  const known = (await emailAddressesOf(tx, tenantId, account.id)).find((each) => each.email_key === row.email_key)
  if (known === undefined || !(await isVouched(known.email))) {
    throw new ScimError(
      400,
      'The address can only change if the organization has verified the domain of the present one by DNS.',
      'mutability',
    )
  }
  await rewriteAddress(deps, tx, account, { ...known, email: address, verified_at: deps.clock.now() }, actor)
}

/** The names and attributes of an account that the directory has made follow the directory; those of any other stay as they are. */
async function changeProfile(deps: Deps, tx: Transaction, place: ScimPlace, row: queries.UserRow, stored: Attributes) {
  if (row.owns_profile === 0) return
  await changeWithin(deps, tx, place.tenantId, row.user_id, place.actor, (_tx, before) => ({
    ...before,
    ...namesIn(stored),
  }))
  await writeMapped(deps, tx, place, { userId: row.user_id, before: fromJson(row.attributes), after: stored })
}

const changedKeys = (before: Attributes, after: Attributes) =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]),
  )

async function write(deps: Deps, tx: Transaction, place: ScimPlace, locked: Held, attributes: Attributes) {
  const { clock, personal } = deps
  const { tenantId, connection, actor } = place
  const { row } = locked
  const { isActive, stored } = withoutActive(attributes)
  const keys = changedKeys(fromJson(row.attributes), stored)
  const isSwitched = isActive !== (row.active === 1)
  if (keys.length === 0 && !isSwitched) return row
  const derived = derivedColumns(stored)
  await assertNameFree(tx, place, derived.user_name_key, row.id)
  const address = addressIn(stored)
  if (address !== undefined && derived.email_key !== row.email_key)
    await changeAddress(deps, tx, place, locked, address)
  if (keys.length > 0) await changeProfile(deps, tx, place, row, stored)
  const changed: queries.UserRow = {
    ...row,
    ...derived,
    active: Number(isActive),
    attributes: toJson(stored),
    version: row.version + 1,
    updated_at: clock.now(),
  }
  const step = () =>
    isActive ? provision(deps, tx, place, changed, false) : deprovision(deps, tx, place, changed, 'deactivated')
  const after = isSwitched ? await step() : changed
  await tx.run(queries.updateUser(after))
  await tx.run(
    eventStatement(clock, personal, {
      tenantId,
      type: 'scim_user.updated',
      actor,
      subjectId: row.id,
      data: {
        organizationId: connection.organization_id,
        connectionId: connection.id,
        userId: row.user_id,
        changed: [...keys, ...(isSwitched ? ['active'] : [])],
        active: isActive,
      },
    }),
  )
  return after
}

/**
 * Changes what a directory says about a user, and what follows from that here.
 * @param change returns the new attributes, from those with `active`.
 * @throws ScimError 404, 409, 412, invalidValue, uniqueness, mutability
 */
export const changeScimUser = (
  deps: Deps,
  place: ScimPlace,
  id: string,
  expected: Expected,
  change: (before: Attributes) => Attributes,
): Promise<queries.UserRow> =>
  deps.db.transaction(async (tx) => {
    const locked = await hold(tx, place, id, expected)
    const before = { ...fromJson(locked.row.attributes), active: locked.row.active === 1 }
    return write(deps, tx, place, locked, change(before))
  })

/**
 * Ends the membership, and forgets what the directory has said about the user. The account stays.
 * @throws ScimError 404, 409, 412
 */
export const deleteScimUser = (deps: Deps, place: ScimPlace, id: string, expected: Expected): Promise<void> =>
  deps.db.transaction(async (tx) => {
    const { clock, personal } = deps
    const { tenantId, connection, actor } = place
    const { directory, row } = await hold(tx, place, id, expected)
    if (row.active === 1) await deprovision(deps, tx, place, row, 'deleted')
    await tx.run(queries.deleteUser(tenantId, row.id))
    await closePlace(tx, userPlaces, directory, row.place)
    const { organization_id: organizationId, id: connectionId } = connection
    const data = { organizationId, connectionId, userId: row.user_id }
    await tx.run(
      eventStatement(clock, personal, { tenantId, type: 'scim_user.deleted', actor, subjectId: row.id, data }),
    )
  })
