// Imports lines and answers them batch by batch; neither is ever in memory as a whole.
import { availableParallelism } from 'node:os'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { type ImportSummary, type ImportedLine, parseCursor } from '@bailiwick/contract'
import type { Timestamp } from '../../platform/clock.ts'
import { TurnsSaturated } from '../../platform/crypto/fair-turns.ts'
import { ConstraintError } from '../../platform/db/database.ts'
import type { Deps } from '../deps.ts'
import { type Line, readLines } from '../../platform/http/body/ndjson.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import { type TenantId, type UserId, newId } from '../../platform/ids.ts'
import { type ReadLine, type WantedUser, classify, passwordOf, readUserLine } from './import-lines.ts'
import { refreshPlannerStatistics } from './import-queries.ts'
import { distinctTimes } from './import-times.ts'
import { sealImportedHash } from '../passwords/passwords.ts'
import { type PreparedUser, insertStatements, newUserRows } from '../users/user-rows.ts'
import { type RoleRow, findRoleByName } from '../../tenancy/roles/find-role.ts'

/** The lines of one write: few enough that others do not notice the wait, and enough that a commit costs each line little. */
const batchSize = 128
/** How many roles that lines name are kept in memory. */
const rolesMax = 1000
const saturatedWaitMs = 50
const triesMax = 5
/** The planner is told after this many new users; then after four times as many, and so on. */
const firstLook = 400

interface Import {
  readonly deps: Deps
  readonly tenantId: TenantId
  readonly actor: Actor
  readonly findRole: (nameKey: string) => Promise<RoleRow | undefined>
}

/** Roles are few and their names repeat; one that does not exist is looked for again each time. */
function roleFinder({ db }: Deps, tenantId: TenantId) {
  const known = new Map<string, RoleRow>()
  return async (nameKey: string) => {
    const kept = known.get(nameKey)
    if (kept !== undefined) return kept
    const role = await findRoleByName(db, tenantId, nameKey)
    if (role !== undefined && known.size < rolesMax) known.set(nameKey, role)
    return role
  }
}

/** Waits for its turn however long that takes, because an import gives way to people who sign in. */
async function hashInTurn({ passwordPool }: Deps, tenantId: TenantId, password: string): Promise<string> {
  for (;;) {
    try {
      return await passwordPool.hash(tenantId, password)
    } catch (error) {
      if (!(error instanceof TurnsSaturated)) throw error
      await sleep(saturatedWaitMs)
    }
  }
}

async function passwordFor(
  { deps, tenantId }: Import,
  id: UserId,
  wanted: WantedUser,
): Promise<PreparedUser['password']> {
  if (wanted.encodedHash !== undefined) {
    return { hash: sealImportedHash(deps, tenantId, id, wanted.encodedHash), kind: 'imported' }
  }
  const password = passwordOf(wanted)
  return password === undefined ? undefined : { hash: await hashInTurn(deps, tenantId, password), kind: 'own' }
}

interface Prepared {
  readonly wanted: WantedUser
  readonly prepared: PreparedUser
}

/** Makes everything that is made before the write; a few passwords at a time. */
async function prepareAll(run: Import, users: readonly WantedUser[]): Promise<Prepared[]> {
  const { deps, tenantId } = run
  const dated = users.flatMap(({ line, input }) => {
    const time = input.createdAt === undefined ? undefined : parseCursor(input.createdAt)?.from
    return time === undefined ? [] : [{ line, time: time as Timestamp }]
  })
  const times = await distinctTimes(
    deps.db,
    tenantId,
    dated.map(({ time }) => time),
  )
  const timeOfLine = new Map(dated.map(({ line }, index) => [line, times[index]]))
  const all: Prepared[] = []
  for (let start = 0; start < users.length; start += availableParallelism()) {
    const few = users.slice(start, start + availableParallelism()).map(async (wanted) => {
      const id = (wanted.input.id as UserId | undefined) ?? newId<'UserId'>()
      const createdAt = timeOfLine.get(wanted.line)
      const prepared: PreparedUser = {
        id,
        salt: deps.personal.newSalt(),
        password: await passwordFor(run, id, wanted),
        role: wanted.role,
        ...(createdAt === undefined ? {} : { createdAt }),
      }
      return { wanted, prepared }
    })
    all.push(...(await Promise.all(few)))
  }
  return all
}

async function write({ deps, tenantId, actor }: Import, users: readonly Prepared[]): Promise<void> {
  await deps.db.write((context) =>
    insertStatements(
      deps,
      context,
      tenantId,
      users.map(({ wanted, prepared }) => newUserRows(deps, tenantId, wanted.input, prepared, actor)),
    ),
  )
}

/** Tries to write some lines. Returns their answers, or undefined if another request wrote between the check and the write. */
async function tryLines(run: Import, lines: readonly ReadLine[]): Promise<ImportedLine[] | undefined> {
  const { deps, tenantId } = run
  const classified = await classify(deps.db, tenantId, lines)
  const users = await prepareAll(
    run,
    classified.flatMap((each) => (each.kind === 'new' ? [each.wanted] : [])),
  )
  try {
    if (users.length > 0) await write(run, users)
  } catch (error) {
    if (error instanceof ConstraintError) return undefined
    throw error
  }
  const idOf = new Map(users.map(({ wanted, prepared }) => [wanted, prepared.id]))
  return classified.map((each): ImportedLine => {
    switch (each.kind) {
      case 'new':
        return { line: each.wanted.line, status: 'created', id: idOf.get(each.wanted) ?? '' }
      case 'exists':
        return { line: each.line, status: 'exists', id: each.id }
      case 'repeats':
        return { line: each.line, status: 'exists', id: idOf.get(each.of) ?? '' }
      case 'error':
        return { line: each.line, status: 'error', issues: [...each.issues] }
    }
  })
}

/** Writes all lines in one transaction; if one is refused, each in its own, so that none affects another. */
async function importLines(run: Import, lines: readonly ReadLine[]): Promise<ImportedLine[]> {
  const together = await tryLines(run, lines)
  if (together !== undefined) return together
  const answers: ImportedLine[] = []
  for (const line of lines) answers.push(await importAlone(run, line))
  return answers
}

async function importAlone(run: Import, line: ReadLine): Promise<ImportedLine> {
  for (let tries = 1; tries <= triesMax; tries++) {
    const [answer] = (await tryLines(run, [line])) ?? []
    if (answer !== undefined) return answer
  }
  const issues = [{ path: '', code: 'conflict', message: 'conflicted with other changes; send the line again' }]
  return { line: line.line, status: 'error', issues }
}

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
  const run: Import = { deps, tenantId, actor, findRole: roleFinder(deps, tenantId) }
  const summary = { created: 0, exists: 0, error: 0 }
  let nextLook = firstLook
  for await (const lines of readLines(body)) {
    for (const batch of batchesOf(lines)) {
      const read = await Promise.all(batch.map((line) => readUserLine(deps, line, run.findRole)))
      const answers = await importLines(run, read)
      for (const { status } of answers) summary[status]++
      if (summary.created >= nextLook) {
        await refreshPlannerStatistics(deps.db, summary.created)
        nextLook *= 4
      }
      yield answers.map((answer) => `${JSON.stringify(answer)}\n`).join('')
      // On SQLite nothing here ever waits for I/O, so other requests would not get a turn.
      await nextTurn()
    }
  }
  const last: ImportSummary = { summary }
  yield `${JSON.stringify(last)}\n`
}
