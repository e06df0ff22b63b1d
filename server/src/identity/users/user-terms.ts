// The terms by which a user is found in the middle of names and addresses. They change in the transaction that changes the user.
import { emailKey } from '@bailiwick/contract'
import type { Database, Reader, Transaction } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'
import { type Searchable, deleteTerms, insertTerms, joinTerms, replaceTerms, userTerms } from '../search/term-tables.ts'
import { divideTerms, termsInAddress, termsInName } from '../search/terms.ts'
import { users } from './tables.ts'
import { type UserRow, selectEmailAddressesOf } from './user-records.ts'

/** How many users get terms in one transaction. */
const stepSize = 50

const searchable = users.only(
  'tenant_id',
  'id',
  'created_at',
  'updated_at',
  'search_terms',
  'name',
  'first_name',
  'last_name',
  'username',
  'name_key',
  'last_word_key',
  'username_key',
)
type Named = Pick<
  UserRow,
  'name' | 'first_name' | 'last_name' | 'username' | 'name_key' | 'last_word_key' | 'username_key'
>

/** Returns the terms of a user in the form of the column `search_terms`. */
export function termsOfUser(user: Named, addresses: readonly string[]): string {
  const inAddresses = addresses.map(termsInAddress)
  const terms: string[] = []
  for (const [domain = ''] of inAddresses) terms.push(domain)
  for (const text of [user.name, user.first_name, user.last_name, user.username]) terms.push(...termsInName(text))
  for (const each of inAddresses) terms.push(...each)
  const keys = [user.name_key, user.last_word_key, user.username_key, ...addresses.map(emailKey)]
  return joinTerms(divideTerms(terms, keys))
}

const readAddresses = async (db: Reader, tenantId: TenantId, id: UserId) =>
  (await selectEmailAddressesOf(db, tenantId, [id])).map(({ email }) => email)

/** Stores the terms of a user whose names or addresses the transaction has changed. */
export async function renewTerms(tx: Transaction, tenantId: TenantId, id: UserId): Promise<void> {
  const row = await searchable.first(tx)`tenant_id = ${tenantId} AND id = ${id}`
  if (row === undefined) return
  const terms = termsOfUser(row, await readAddresses(tx, tenantId, id))
  if (terms === row.search_terms) return
  await tx.run(sql`UPDATE users SET search_terms = ${terms} WHERE tenant_id = ${tenantId} AND id = ${id}`)
  await replaceTerms(tx, userTerms, row, { ...row, search_terms: terms })
}

export const removeTerms = (tx: Transaction, user: Searchable): Promise<void> => deleteTerms(tx, userTerms, user)

/**
 * Stores the terms of some users who have none yet: of an earlier version, or from an archive.
 * @returns whether there may be more of them.
 */
export async function addMissingTerms({ db }: { readonly db: Database }): Promise<boolean> {
  const rows = await searchable.all(db)`search_terms IS NULL LIMIT ${stepSize}`
  if (rows.length === 0) return false
  await db.transaction(async (tx) => {
    for (const row of rows) {
      const terms = termsOfUser(row, await readAddresses(tx, row.tenant_id, row.id))
      // Whoever changes the user meanwhile stores the terms too.
      const isOurs = await tx.run(sql`UPDATE users SET search_terms = ${terms}
        WHERE tenant_id = ${row.tenant_id} AND id = ${row.id} AND search_terms IS NULL AND updated_at = ${row.updated_at}`)
      if (isOurs === 1) for (const each of insertTerms(userTerms, [{ ...row, search_terms: terms }])) await tx.run(each)
    }
  })
  return rows.length === stepSize
}
