// How a change waits for a hook without holding a transaction. The transaction runs until it needs a decision that has not been made; then it
// is rolled back, the hooks are called, and the transaction runs again from its beginning, so that every fact in it is checked again. A
// decision counts for exactly the facts that the hooks were told, and for the hooks as they are now.
import type { HookAdditions, HookPoint } from '@bailiwick/contract'
import type { Reader, Transaction } from '../../platform/db/database.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { TenantId } from '../../platform/ids.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import type { Deps } from '../deps.ts'
import type { HookAnswer, HookMessage } from './answer.ts'
import { callHook } from './call.ts'
import { recordCalls } from './calls.ts'
import { type HookCallRow, type HookRow, selectEnabledHooks, selectHooksAt } from './queries.ts'

export interface Verdict {
  readonly isAllowed: boolean
  readonly message?: HookMessage
  readonly requiresSecondFactor: boolean
  /** Whether the tenant's server has sent the message itself. */
  readonly isSent?: boolean
  /** What the answers add: of two that add the same, the one of the older hook counts. */
  readonly additions?: HookAdditions
}

const allowed: Verdict = { isAllowed: true, requiresSecondFactor: false }
const roundsMax = 6

/** Ends a transaction that needs a decision first. */
class DecisionNeeded extends Error {
  override readonly name = 'DecisionNeeded'
  readonly key: string
  readonly hooks: readonly HookRow[]
  readonly facts: object

  constructor(key: string, hooks: readonly HookRow[], facts: object) {
    super('a hook must decide first')
    this.key = key
    this.hooks = hooks
    this.facts = facts
  }
}

type Verdicts = Map<string, Verdict>
const verdictsByTransaction = new WeakMap<Transaction, Verdicts>()
/** The points at which a transaction has asked for a decision. */
const pointsByTransaction = new WeakMap<Transaction, Set<HookPoint>>()

/** Returns the hooks that will decide in a transaction, for {@link decisionAt}, so that they are read together with other things. */
export const hooksAt = (tx: Transaction, tenantId: TenantId, point: HookPoint): Promise<readonly HookInUse[]> =>
  selectHooksAt(tx, tenantId, point)

/**
 * Returns what the tenant's hooks decide about these facts. Within `decidedTransaction` only; elsewhere a tenant with hooks is refused with
 * an error, so that no way around a hook exists by mistake.
 * @param known the hooks at this point, if this transaction has read them.
 */
export async function decisionAt(
  tx: Transaction,
  tenantId: TenantId,
  point: HookPoint,
  facts: object,
  known?: readonly HookInUse[],
): Promise<Verdict> {
  pointsByTransaction.set(tx, (pointsByTransaction.get(tx) ?? new Set()).add(point))
  const hooks = known ?? (await selectHooksAt(tx, tenantId, point))
  if (hooks.length === 0) return allowed
  const verdicts = verdictsByTransaction.get(tx)
  if (verdicts === undefined) throw new Error(`${point} is decided outside of decidedTransaction`)
  const key = JSON.stringify([point, hooks.map(({ id, updated_at }) => [id, updated_at]), facts])
  const verdict = verdicts.get(key)
  if (verdict === undefined) throw new DecisionNeeded(key, hooks, facts)
  return verdict
}

/**
 * Refuses to go on in a transaction that has not asked the hooks at a point: a way around them is a bug.
 * @throws Error
 */
export function assertDecided(tx: Transaction, point: HookPoint): void {
  if (pointsByTransaction.get(tx)?.has(point) !== true) throw new Error(`the hooks at ${point} have not been asked`)
}

/** Asks the hooks one after the other until one denies. */
async function consult(
  deps: Deps,
  { hooks, facts }: Pick<DecisionNeeded, 'hooks' | 'facts'>,
  calls: HookCallRow[],
): Promise<Verdict> {
  let requiresSecondFactor = false
  let additions: HookAdditions = {}
  for (const hook of hooks) {
    const { row, answer } = await callHook(deps, hook, facts)
    calls.push(row)
    const decision = answer?.decision ?? hook.on_failure
    if (decision === 'deny') {
      const message = answer?.message
      return { isAllowed: false, requiresSecondFactor, ...(message === undefined ? {} : { message }) }
    }
    if (decision === 'sent') return { isAllowed: true, requiresSecondFactor, isSent: true }
    requiresSecondFactor ||= decision === 'require_second_factor'
    if (answer !== undefined) additions = addedTo(additions, answer)
  }
  return { isAllowed: true, requiresSecondFactor, additions }
}

const addedTo = (
  before: HookAdditions,
  { claims, publicMeta, roleId, profile, passwordHash }: HookAnswer,
): HookAdditions => ({
  ...(roleId === undefined ? {} : { roleId }),
  ...(profile === undefined ? {} : { profile }),
  ...(passwordHash === undefined ? {} : { passwordHash }),
  ...before,
  ...mergedValues('claims', claims, before.claims),
  ...mergedValues('publicMeta', publicMeta, before.publicMeta),
})

const mergedValues = (name: 'claims' | 'publicMeta', added: unknown, before: unknown) =>
  added === undefined ? {} : { [name]: { ...(added as object), ...(before as object | undefined) } }

/** Says why nothing was decided: an outcome of its own, because a message can be tried again later. */
export interface Consulted extends Verdict {
  /** Whether it is denied only because no hook gave a valid answer. */
  readonly isFailure: boolean
  /** Whether each hook that was asked gave a valid answer, so that nothing was decided by its rule for failures. */
  readonly isAnswered: boolean
}

/** A hook that is switched on. */
export type HookInUse = HookRow

/** Returns the tenant's hooks at a point without asking the database each time. */
export async function hooksInUse(db: Reader, tenant: TenantEntry, point: HookPoint): Promise<readonly HookRow[]> {
  const known = tenant.kept.get<readonly HookRow[]>('hooks')
  const hooks = known ?? (await selectEnabledHooks(db, tenant.row.id))
  if (known === undefined) tenant.kept.set('hooks', hooks)
  return hooks.filter((hook) => hook.point === point)
}

/** Asks hooks about what needs no transaction. */
export async function consultHooks(deps: Deps, hooks: readonly HookRow[], facts: object): Promise<Consulted> {
  const [first] = hooks
  if (first === undefined) return { ...allowed, isFailure: false, isAnswered: false }
  const calls: HookCallRow[] = []
  try {
    const verdict = await consult(deps, { hooks, facts }, calls)
    const isAnswered = calls.every(({ result }) => result !== 'failed' && result !== 'skipped')
    return { ...verdict, isFailure: !verdict.isAllowed && !isAnswered, isAnswered }
  } finally {
    await recordCalls(deps, first.tenant_id, calls)
  }
}

/**
 * Runs a transaction in which hooks may have to decide. It can run more than once, so what it does besides its statements must be
 * repeatable.
 * @throws ApiError unavailable if the facts or hooks change each time that the hooks are asked.
 */
export async function decidedTransaction<T>(
  deps: Deps,
  tenantId: TenantId,
  body: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const verdicts: Verdicts = new Map()
  const calls: HookCallRow[] = []
  try {
    for (let round = 0; round < roundsMax; round++) {
      try {
        return await deps.db.transaction((tx) => {
          verdictsByTransaction.set(tx, verdicts)
          return body(tx)
        })
      } catch (error) {
        if (!(error instanceof DecisionNeeded)) throw error
        verdicts.set(error.key, await consult(deps, error, calls))
      }
    }
    throw new ApiError('unavailable')
  } finally {
    await recordCalls(deps, tenantId, calls)
  }
}

/** Returns the text in the person's language, else in English, else in any; undefined if the hook gave none. */
export function textFor(message: HookMessage | undefined, language: string | undefined): string | undefined {
  if (message === undefined) return undefined
  return (language === undefined ? undefined : message[language]) ?? message['en'] ?? Object.values(message)[0]
}
