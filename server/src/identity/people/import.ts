// Imports lines and answers them batch by batch; neither is ever in memory as a whole.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ImportSummary } from '@bailiwick/contract'
import { type Line, readLines } from '../../platform/http/body/ndjson.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { TenantId } from '../../platform/ids.ts'
import type { Deps } from '../deps.ts'
import { type Import, batchSize, importLines, roleFinder, userStatements } from './import-batch.ts'
import { plannerRefresher } from './planner-statistics.ts'

function* batchesOf(lines: readonly Line[]) {
  for (let start = 0; start < lines.length; start += batchSize) yield lines.slice(start, start + batchSize)
}

/**
 * Imports a stream of lines. Each line is written completely or not at all; a line whose user exists changes nothing, so a file that was
 * cut short can be sent again.
 * @param body newline-delimited JSON, imported no faster than its answers are taken.
 * @returns the answers as newline-delimited JSON, a batch at a time, the summary last.
 */
export async function* importUsers(
  deps: Deps,
  tenantId: TenantId,
  body: AsyncIterable<Uint8Array>,
  actor: Actor,
): AsyncGenerator<string> {
  const run: Import = {
    deps,
    tenantId,
    actor,
    findRole: roleFinder(deps, tenantId),
    write: async (users) => {
      if (users.length > 0) await deps.db.write((context) => userStatements(run, context, users))
    },
  }
  const refreshPlanner = plannerRefresher(deps.db)
  const summary = { created: 0, exists: 0, error: 0 }
  for await (const lines of readLines(body)) {
    for (const batch of batchesOf(lines)) {
      const answers = await importLines(run, batch)
      for (const { status } of answers) summary[status]++
      await refreshPlanner(summary.created)
      yield answers.map((answer) => `${JSON.stringify(answer)}\n`).join('')
      // On SQLite nothing here ever waits for I/O, so other requests would not get a turn.
      await nextTurn()
    }
  }
  const last: ImportSummary = { summary }
  yield `${JSON.stringify(last)}\n`
}
