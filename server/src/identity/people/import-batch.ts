// Imports a batch of lines: all in one write or, if others write the same at that moment, each in its own.
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ImportedLine, parseCursor } from '@bailiwick/contract'
import { type Verdict, consultHooks, hooksInUse, textFor } from '../../messaging/hooks/decisions.ts'
import { factsOfNewUser } from '../../messaging/hooks/new-user.ts'
import type { Timestamp } from '../../platform/clock.ts'
import { TurnsSaturated } from '../../platform/crypto/fair-turns.ts'
import { ConstraintError, type WriteContext } from '../../platform/db/database.ts'
import type { Statement } from '../../platform/db/sql.ts'
import type { Line } from '../../platform/http/body/ndjson.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import { type TenantId, type UserId, newId } from '../../platform/ids.ts'
import { type RoleRow, findRoleByName, findRoleRow } from '../../tenancy/roles/find-role.ts'
import { metaIssues } from '../../tenancy/tenants/attributes/values.ts'
import type { Deps } from '../deps.ts'
import { sealImportedHash } from '../passwords/passwords.ts'
import { type PreparedUser, insertStatements, newUserRows } from '../users/user-rows.ts'
import { type Classified, type ReadLine, type WantedUser, classify, passwordOf, readUserLine } from './import-lines.ts'
import { distinctTimes } from './import-times.ts'

/** The lines of one write: few enough that others do not notice the wait, and enough that a commit costs each line little. */
export const batchSize = 128
/** How many roles that lines name are kept in memory. */
const rolesMax = 1000
const saturatedWaitMs = 50
const triesMax = 5
/** How many lines of an import hooks are asked about at once: a part of the tenant's turns, so that sign-ins have the rest. */
const askedAtOnce = 10
/** An import that is under way. */
export interface Import {
  readonly deps: Deps
  readonly tenantId: TenantId
  readonly actor: Actor
  readonly findRole: (nameKey: string) => Promise<RoleRow | undefined>
  /** Writes new users, if there are any, and what else belongs to the answers of their lines: all or nothing. */
  readonly write: (users: readonly PreparedLine[], answers: readonly ImportedLine[]) => Promise<void>
}

/** Roles are few and their names repeat; one that does not exist is looked for again each time. */
export function roleFinder({ db }: Deps, tenantId: TenantId) {
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
    const kind = wanted.input.passwordHash?.algorithm === 'foreign' ? 'foreign' : 'imported'
    return { hash: sealImportedHash(deps, tenantId, id, wanted.encodedHash), kind }
  }
  const password = passwordOf(wanted)
  return password === undefined ? undefined : { hash: await hashInTurn(deps, tenantId, password), kind: 'own' }
}

/** A user to be written, with what takes time done. */
export interface PreparedLine {
  readonly wanted: WantedUser
  readonly prepared: PreparedUser
}

/** Makes everything that is made before the write; a few passwords at a time. */
async function prepareAll(run: Import, users: readonly WantedUser[]): Promise<PreparedLine[]> {
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
  const all: PreparedLine[] = []
  for (let start = 0; start < users.length; start += availableParallelism()) {
    const few = users.slice(start, start + availableParallelism()).map(async (wanted) => {
      const id = (wanted.input.id as UserId | undefined) ?? newId<'UserId'>()
      const createdAt = timeOfLine.get(wanted.line)
      const prepared: PreparedUser = {
        id,
        salt: deps.personal.newSalt(),
        password: await passwordFor(run, id, wanted),
        role: wanted.role,
        roleEnd: wanted.roleEnd,
        ...(createdAt === undefined ? {} : { createdAt }),
      }
      return { wanted, prepared }
    })
    all.push(...(await Promise.all(few)))
  }
  return all
}

/** Returns the statements that write users, of which there must be at least one. */
export const userStatements = (
  { deps, tenantId, actor }: Pick<Import, 'deps' | 'tenantId' | 'actor'>,
  context: WriteContext,
  users: readonly PreparedLine[],
): Statement[] =>
  insertStatements(
    deps,
    context,
    tenantId,
    users.map(({ wanted, prepared }) => newUserRows(deps, tenantId, wanted.input, prepared, actor)),
  )

function answerTo(each: Classified, idOf: ReadonlyMap<WantedUser, UserId>): ImportedLine {
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
}

/**
 * Asks the tenant's hooks about the new users of some lines, before the transaction that writes them. A line that is denied is refused, also
 * where a later line repeats its user.
 */
async function decideLines(
  { deps, tenantId }: Import,
  classified: readonly Classified[],
): Promise<readonly Classified[]> {
  const tenant = await deps.tenants.byId(tenantId)
  const hooks = tenant === undefined ? [] : await hooksInUse(deps.db, tenant, 'user.before_create')
  if (hooks.length === 0) return classified
  const decided = new Map<WantedUser, Verdict>()
  const wanted = classified.flatMap((each) => (each.kind === 'new' ? [each.wanted] : []))
  for (let start = 0; start < wanted.length; start += askedAtOnce) {
    const few = wanted.slice(start, start + askedAtOnce)
    await Promise.all(
      few.map(async (each) => decided.set(each, await consultHooks(deps, hooks, factsOfNewUser('import', each.input)))),
    )
  }
  const refusedLine = (line: number, verdict: Verdict): Classified => ({
    kind: 'error',
    line,
    issues: [{ path: '', code: 'hook_denied', message: textFor(verdict.message, undefined) ?? 'was denied by a hook' }],
  })
  return Promise.all(
    classified.map(async (each) => {
      const [line, of] =
        each.kind === 'new' ? [each.wanted.line, each.wanted] : each.kind === 'repeats' ? [each.line, each.of] : []
      const verdict = of && decided.get(of)
      if (verdict === undefined || line === undefined) return each
      return verdict.isAllowed ? withAnswer(deps, tenantId, each, verdict) : refusedLine(line, verdict)
    }),
  )
}

/** Returns a new line with what the answer of a hook adds; the others as they are. */
async function withAnswer(deps: Deps, tenantId: TenantId, each: Classified, verdict: Verdict): Promise<Classified> {
  if (each.kind !== 'new') return each
  const { wanted } = each
  const { publicMeta, roleId } = verdict.additions ?? {}
  const { attributes = [] } = (await deps.tenants.byId(tenantId)) ?? {}
  const issues = metaIssues(attributes, publicMeta)
  if (issues.length > 0) return { kind: 'error', line: wanted.line, issues }
  const own = wanted.input.publicMeta ?? {}
  const role = wanted.role ?? (roleId === undefined ? undefined : await findRoleRow(deps.db, tenantId, null, roleId))
  // The same object, because answers are found by it.
  Object.assign(wanted, {
    role,
    input:
      publicMeta === undefined ? wanted.input : { ...wanted.input, publicMeta: { ...own, ...(publicMeta as object) } },
  })
  return each
}

/** Tries to write some lines. Returns their answers, or undefined if another request wrote between the check and the write. */
async function tryLines(run: Import, lines: readonly ReadLine[]): Promise<ImportedLine[] | undefined> {
  const { deps, tenantId } = run
  const classified = await decideLines(run, await classify(deps.db, tenantId, lines))
  const users = await prepareAll(
    run,
    classified.flatMap((each) => (each.kind === 'new' ? [each.wanted] : [])),
  )
  const idOf = new Map(users.map(({ wanted, prepared }) => [wanted, prepared.id]))
  const answers = classified.map((each) => answerTo(each, idOf))
  try {
    await run.write(users, answers)
  } catch (error) {
    if (error instanceof ConstraintError) return undefined
    throw error
  }
  return answers
}

/** Writes all lines in one transaction; if one is refused, each in its own, so that none affects another. */
export async function importLines(run: Import, batch: readonly Line[]): Promise<ImportedLine[]> {
  const { attributes = [] } = (await run.deps.tenants.byId(run.tenantId)) ?? {}
  const lines = await Promise.all(batch.map((line) => readUserLine(run.deps, attributes, line, run.findRole)))
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
  const answer: ImportedLine = { line: line.line, status: 'error', issues }
  await run.write([], [answer])
  return answer
}
