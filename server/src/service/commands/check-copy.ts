// Checks whether a service could run on a copy of the database.
import { verifyEventLog } from '../../platform/events/verify.ts'
import { checkCounters, checkMasterKey } from '../checks/contents.ts'
import { checkIntegrity } from '../checks/database.ts'
import type { CommandDeps } from '../open-deployment.ts'
import { CommandRefused } from '../outcome.ts'
import type { Tell } from './terminal/progress.ts'
import { tenantsWithSeals } from './verify-log.ts'

export interface CheckedCopy {
  readonly tenants: number
  /** How many sealed events were compared with the chain of their tenant. */
  readonly events: number
}

/**
 * Checks the pages, indexes and references of a copy, opens a sample of what is sealed, compares the counters of the newest tenants with
 * their rows, and walks the event log of every tenant.
 * @throws CommandRefused with the first thing that is wrong.
 */
export async function checkCopy(deps: CommandDeps, tell: Tell): Promise<CheckedCopy> {
  for (const check of [() => checkIntegrity(deps.db), () => checkMasterKey(deps), () => checkCounters(deps)]) {
    const { check: name, status, detail } = await check()
    if (status === 'fail') throw new CommandRefused(`the copy of the database is damaged: ${name}: ${detail}`)
  }
  let tenants = 0
  let events = 0
  for await (const tenantId of tenantsWithSeals(deps.db)) {
    const { sealed, problems } = await verifyEventLog(deps, tenantId)
    const [first] = problems
    if (first !== undefined) {
      throw new CommandRefused(`the event log of ${tenantId} is broken (${first.kind}): see bailiwick verify-log`)
    }
    tenants++
    tell('Event logs checked', tenants)
    events += sealed
  }
  return { tenants, events }
}
