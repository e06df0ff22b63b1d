// Lists that nothing limits, read in batches.
import { ownTurn } from '../turns/loop-turns.ts'

/** The number of rows in a batch. */
export const batchSize = 200

/**
 * Yields all rows in batches, none of which is empty. Rows that exist throughout are yielded exactly once.
 * @param read returns at most `limit` rows that were created before `before`, newest first.
 */
export async function* newestFirst<Row extends { readonly created_at: string }>(
  read: (before: Row['created_at'] | undefined, limit: number) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  let before: Row['created_at'] | undefined
  for (;;) {
    // On SQLite nothing here ever waits for I/O, so other requests would not get a turn.
    await ownTurn()
    const rows = await read(before, batchSize)
    if (rows.length > 0) yield rows
    before = rows.at(-1)?.created_at
    if (before === undefined || rows.length < batchSize) return
  }
}
