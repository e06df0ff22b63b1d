// Checks that the contents of the database are consistent, and that the background work keeps up.
import { isEventType } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import { addMilliseconds } from '../../platform/clock.ts'
import { SealError } from '../../platform/crypto/sealed.ts'
import { sql } from '../../platform/db/sql.ts'
import { readFeed, readPlace } from '../../platform/events/feed.ts'
import { isFromAnotherServer } from '../../platform/events/restored-log.ts'
import { selectGivenUp } from '../../platform/jobs/backlog.ts'
import { shownReason } from '../../platform/jobs/shown-reason.ts'
import { storedConsoleSignUp } from '../../tenancy/auth-configuration/read-settings.ts'
import type { CommandDeps } from '../open-deployment.ts'
import { findWrongCounters } from '../tenant-tables/real-counts.ts'
import { isSealed, selectSealed } from '../tenant-tables/sealed-rows.ts'
import { tenantTables } from '../tenant-tables/tenant-tables.ts'
import { type Finding, fail, ok, warn } from './check.ts'

const sampledRows = 20
const sampledTenants = 10
const backlogMs = 60_000
const countMax = 1000
const webhooksMax = 20_000
const namedMax = 5

/** Opens a few texts of each sealed column, which distinguishes a wrong key from a right one. */
export async function checkMasterKey({ db, sealer }: CommandDeps): Promise<Finding> {
  const check = 'master key'
  let opened = 0
  for (const table of tenantTables) {
    for (const sealed of table.sealed) {
      for (const row of await selectSealed(db, table, sealed, undefined, sampledRows)) {
        const text = row[sealed.column]
        if (!isSealed(text)) continue
        try {
          sealer.open(text, sealed.boundTo(row))
          opened++
        } catch (error) {
          if (!(error instanceof SealError)) throw error
          const hint = 'start with the master key that this database was written with'
          return fail(check, `${table.name}.${sealed.column}: ${error.message}`, hint)
        }
      }
    }
  }
  return ok(check, opened === 0 ? 'nothing is sealed yet' : `opened ${opened} sealed texts`)
}

/** Checks the newest tenants and the console's. */
export async function checkCounters({ db }: CommandDeps): Promise<Finding> {
  const check = 'counters'
  const rows = await db.all<{ id: string }>(
    sql`SELECT id FROM tenants ORDER BY CASE WHEN kind = 'console' THEN 0 ELSE 1 END, created_at DESC LIMIT ${sampledTenants}`,
  )
  const wrong: string[] = []
  for (const { id } of rows) {
    // The rows and the counters are read in one snapshot, because the service may be writing.
    const found = await db.snapshot((reader) => findWrongCounters(reader, id))
    wrong.push(...found.map(({ name, value, rows: real }) => `${id} ${name} says ${value}, rows ${real}`))
  }
  if (wrong.length === 0) return ok(check, `those of ${rows.length} tenants equal their rows`)
  return fail(check, wrong.slice(0, 3).join('; '), 'report this: counters move with their rows in one transaction')
}

/** Says who can create an account at the console, and with it tenants. */
export async function checkConsoleSignUp({ config, db }: Pick<Deps, 'config' | 'db'>): Promise<Finding> {
  const check = 'console sign-up'
  const stored = await storedConsoleSignUp(db)
  const unused = `the stored signUpEnabled of its tenant (${stored ?? 'none yet'}) has no effect`
  const detail = `${config.consoleSignUp} by BAILIWICK_CONSOLE_SIGN_UP; ${unused}`
  if (config.consoleSignUp === 'closed') return ok(check, detail)
  const hint = 'everyone can create an account and tenants; set it to closed unless that is intended'
  return warn(check, detail, hint)
}

export async function checkJobs({ db }: Pick<Deps, 'db'>): Promise<Finding> {
  const check = 'jobs'
  const dead = await selectGivenUp(db, countMax)
  const [first] = dead
  if (first === undefined) return ok(check, 'none was given up')
  const detail = `${dead.length} were given up, such as ${first.kind}: ${shownReason(first.last_error ?? '')}`
  const hint = 'remove the cause, then retry them in the console (Deployment) or with bailiwick jobs retry --failed'
  return warn(check, detail, hint)
}

export async function checkSealing({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<Finding> {
  const check = 'event log'
  if (await isFromAnotherServer(db)) {
    const detail = 'was restored from a dump of another server and is not in use yet'
    return warn(check, detail, 'start the service, which continues the log')
  }
  const events = await readFeed(db, await readPlace(db, 'events.seals'), countMax)
  const [oldest] = events
  const isLate = oldest !== undefined && oldest.created_at < addMilliseconds(clock.now(), -backlogMs)
  if (!isLate) return ok(check, events.length === 0 ? 'all events are sealed' : `${events.length} wait to be sealed`)
  const many = events.length === countMax ? `${countMax} or more` : String(events.length)
  return warn(
    check,
    `${many} events wait to be sealed, since ${oldest.created_at}`,
    'start the service, which seals them',
  )
}

/** Finds webhooks for types of events that do not exist: earlier versions accepted any name. */
export async function checkSubscriptions({ db }: CommandDeps): Promise<Finding> {
  const check = 'webhook subscriptions'
  const rows = await db.all<{ id: string; events: string }>(sql`SELECT id, events FROM webhooks LIMIT ${webhooksMax}`)
  const unknown = rows.flatMap(({ id, events }) => {
    const types = JSON.parse(events) as readonly string[]
    return types.filter((type) => type !== '*' && !isEventType(type)).map((type) => `${type} of ${id}`)
  })
  if (unknown.length === 0) return ok(check, 'all are to types of events that exist')
  const named = unknown.slice(0, namedMax).join(', ')
  const hint = 'correct their events (PUT /webhooks/{id}); docs/events.md lists the types'
  return warn(check, `${unknown.length} are to types of events that do not exist: ${named}`, hint)
}

export async function checkWebhooks({ db }: Pick<Deps, 'db'>): Promise<Finding> {
  const check = 'webhooks'
  const failing = await db.all<{ url: string }>(
    sql`SELECT url FROM webhooks WHERE enabled = 1 AND failing_since IS NOT NULL LIMIT ${countMax}`,
  )
  const [first] = failing
  if (first === undefined) return ok(check, 'none is failing')
  const detail = `${failing.length} fail, such as that at ${new URL(first.url).host}`
  return warn(check, detail, 'inform the operators of the receivers')
}
