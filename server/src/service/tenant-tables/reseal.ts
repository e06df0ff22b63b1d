// Seals again, under the first master key, every text in the database that is sealed under another. It works row by row and only changes a
// text that is still the one that was read, so it may be interrupted anywhere and run beside serving nodes.
import { users } from '../../identity/users/tables.ts'
import type { PersonalSealer } from '../../platform/crypto/personal.ts'
import { type Sealer, keyIdOf } from '../../platform/crypto/sealed.ts'
import type { Database } from '../../platform/db/database.ts'
import { type Statement, sql } from '../../platform/db/sql.ts'
import type { TableFacts } from '../../platform/db/table.ts'
import { type SealedRow, selectSealed } from './sealed-rows.ts'
import { tenantTables } from './tenant-tables.ts'

const batch = 200
/** While old nodes write, another pass finds more; nobody writes so much that it never ends. */
const passesMax = 10

export interface Resealing {
  readonly db: Database
  readonly sealer: Sealer
  readonly personal: PersonalSealer
  /** The id of the master key under which everything is to be sealed. */
  readonly keyId: string
  /** Called after each batch with the number of the pass and how many rows it has looked at. */
  readonly onRows?: (pass: number, rows: number) => void
}

export interface Resealed {
  readonly resealed: number
  /** Columns with texts that none of the keys opens; they are left as they are. */
  readonly unopened: readonly string[]
}

interface Column {
  readonly table: TableFacts
  readonly column: string
  readonly select: (db: Database, after: SealedRow | undefined) => Promise<SealedRow[]>
  /** Returns the text to replace it with; undefined if it needs no change. */
  readonly renew: (row: SealedRow, text: string) => string | undefined
}

const placeOf = ({ walkedBy }: TableFacts, row: SealedRow) =>
  sql.join(
    ['tenant_id', ...walkedBy].map((name) => sql`${sql.identifier(name)} = ${row[name] ?? ''}`),
    ' AND ',
  )

/** The personal keys, which are columns of users: see crypto/personal.ts. */
function personalSalts(personal: PersonalSealer): Column {
  return {
    table: users,
    column: 'personal_salt',
    select: (db, after) =>
      db.all<SealedRow>(sql`SELECT tenant_id, created_at, personal_salt FROM users
        WHERE (tenant_id, created_at) > (${after?.['tenant_id'] ?? ''}, ${after?.['created_at'] ?? ''})
        ORDER BY tenant_id, created_at LIMIT ${batch}`),
    renew: (_row, salt) => personal.renewedSalt(salt),
  }
}

const sealedColumns = ({ sealer, keyId }: Resealing): Column[] =>
  tenantTables.flatMap((table) =>
    table.sealed.map((sealed) => ({
      table,
      column: sealed.column,
      select: (db: Database, after: SealedRow | undefined) => selectSealed(db, table, sealed, after, batch),
      renew: (row: SealedRow, text: string) => {
        if (keyIdOf(text) === keyId) return undefined
        const place = sealed.boundTo(row)
        return sealer.seal(sealer.open(text, place), place)
      },
    })),
  )

/** Processes one column from its first row to its last. */
async function resealColumn(
  db: Database,
  { table, column, select, renew }: Column,
  unopened: Set<string>,
  onBatch: (rows: number) => void,
) {
  const name = sql.identifier(column)
  let resealed = 0
  let after: SealedRow | undefined
  for (;;) {
    const rows = await select(db, after)
    const updates: Statement[] = []
    for (const row of rows) {
      const text = row[column] ?? ''
      try {
        const renewed = renew(row, text)
        if (renewed === undefined) continue
        updates.push(
          sql`UPDATE ${sql.identifier(table.name)} SET ${name} = ${renewed} WHERE ${placeOf(table, row)} AND ${name} = ${text}`,
        )
      } catch {
        // Whatever the reason is, no key opens this text. Others may still be opened.
        unopened.add(`${table.name}.${column}`)
      }
    }
    if (updates.length > 0) {
      await db.transaction(async (tx) => {
        for (const update of updates) await tx.run(update)
      })
    }
    resealed += updates.length
    onBatch(rows.length)
    after = rows.at(-1)
    if (after === undefined || rows.length < batch) return resealed
  }
}

/**
 * Goes through everything until a pass finds nothing more to do.
 * @throws Error if a node keeps sealing under another key meanwhile.
 */
export async function resealEverything(resealing: Resealing): Promise<Resealed> {
  const { db, personal, onRows } = resealing
  const columns = [...sealedColumns(resealing), personalSalts(personal)]
  let resealed = 0
  for (let pass = 1; pass <= passesMax; pass++) {
    const unopened = new Set<string>()
    let found = 0
    let looked = 0
    const onBatch = (rows: number) => onRows?.(pass, (looked += rows))
    for (const column of columns) found += await resealColumn(db, column, unopened, onBatch)
    resealed += found
    if (found === 0) return { resealed, unopened: [...unopened] }
  }
  throw new Error('running nodes go on sealing under another master key: start them with the new one first')
}
