// Finds the account of a person whom a directory names, or makes it. An account that exists is adopted only if the organization has verified
// the domain of its address by DNS, and is not changed by that.
import { type ConnectionRefusal, domainOfEmail } from '@bailiwick/contract'
import { proveContact } from '../../../identity/people/proven-contact.ts'
import { lockUser } from '../../../identity/users/find-user.ts'
import { userStatements } from '../../../identity/users/users.ts'
import { decideUser } from '../../../messaging/hooks/new-user.ts'
import type { Transaction } from '../../../platform/db/database.ts'
import { type UserId, newId } from '../../../platform/ids.ts'
import { ownerOfAddress } from '../../connections/plan-admission.ts'
import type { Deps } from '../../deps.ts'
import type { ScimPlace } from '../place.ts'
import { ScimError, bad } from '../protocol/scim-error.ts'
import type { Attributes } from '../protocol/values.ts'
import { addressIn, namesIn } from './derived.ts'

/** Returns why an address cannot be used, without saying whose it is. */
export function refusedAddress(reason: ConnectionRefusal, address: string): ScimError {
  if (reason !== 'domain_not_verified') {
    return new ScimError(409, 'An account has this e-mail address that is not of the organization.', 'uniqueness')
  }
  const domain = domainOfEmail(address)
  return bad(
    'invalidValue',
    `The organization has not verified the domain ${domain} by DNS, so its directory cannot provision addresses of it.`,
  )
}

async function createAccount(deps: Deps, tx: Transaction, place: ScimPlace, attributes: Attributes, email?: string) {
  const id = newId<'UserId'>()
  const { name, first_name: firstName, last_name: lastName } = namesIn(attributes)
  const input = {
    ...(email === undefined ? {} : { email, emailVerified: true }),
    ...(name === null ? {} : { name }),
    ...(firstName === null ? {} : { firstName }),
    ...(lastName === null ? {} : { lastName }),
  }
  const prepared = { id, salt: deps.personal.newSalt(), password: undefined, role: undefined }
  const decided = await decideUser(tx, place.tenantId, 'directory', { input, prepared })
  const { statements } = userStatements(deps, tx, place.tenantId, decided.input, decided.prepared, place.actor)
  await tx.runAll(statements)
  return id
}

export interface Account {
  readonly userId: UserId
  readonly isNew: boolean
}

/**
 * Runs in the caller's transaction, and holds the user until it ends.
 * @throws ScimError invalidValue for an address of a domain that is not verified, uniqueness for one of somebody else.
 */
export async function accountFor(
  deps: Deps,
  tx: Transaction,
  place: ScimPlace,
  attributes: Attributes,
): Promise<Account> {
  const { tenantId, connection, actor } = place
  const address = addressIn(attributes)
  if (address === undefined) return { userId: await createAccount(deps, tx, place, attributes), isNew: true }
  const owner = await ownerOfAddress(tx, connection, address)
  if (owner.kind === 'refused') throw refusedAddress(owner.reason, address)
  if (owner.kind === 'new') return { userId: await createAccount(deps, tx, place, attributes, address), isNew: true }
  const { userId } = owner
  if ((await lockUser(tx, tenantId, userId)) === undefined) throw refusedAddress('address_claimed', address)
  if (owner.isTakeOver) {
    const contact = { table: 'email_addresses', id: owner.emailId, isTakeOver: true } as const
    await proveContact(deps, tx, tenantId, userId, contact, actor)
  }
  return { userId, isNew: false }
}
