// Shows how a change of the configuration would affect the people who sign in today, without making it.
import type { TenantAuthSettings, UpdateTenantAuth } from '@bailiwick/contract'
import { readCounters } from '../../platform/db/counters.ts'
import type { TenantId } from '../../platform/ids.ts'
import type { Deps } from '../deps.ts'
import { getTenant } from '../tenants/tenants.ts'
import { changeIssues, differences, strategyFacts } from './auth-configuration.ts'
import { countDenyingHooks, countSessionsWithoutFactor, countUsersToEnrol, selectFactors } from './queries.ts'
import { type FirstFactorStrategy, obstacle, usableStrategies } from './usable-strategies.ts'
import { isFor } from './ways-in.ts'

const batchSize = 2000
const sampleSize = 10
/** The contract names it. Looking at a million users takes a minute on a busy machine. */
const checkedMax = 100_000
const endOfTime = '9999-12-31T23:59:59.999999Z'

/**
 * @param usersMax how many users it looks at, the newest first.
 * @throws ApiError not_found
 */
export async function previewChange(deps: Deps, tenantId: TenantId, input: UpdateTenantAuth, usersMax = checkedMax) {
  const { db, clock } = deps
  const { auth: before } = await getTenant(deps, tenantId)
  const after: TenantAuthSettings = { ...before, ...input }
  const factsBefore = await strategyFacts(deps, db, tenantId, before)
  const factsAfter = await strategyFacts(deps, db, tenantId, after)
  const now = before.signInEnabled ? usableStrategies(before, factsBefore) : []
  const then = after.signInEnabled ? usableStrategies(after, factsAfter) : []
  const reasonAgainst = (strategy: FirstFactorStrategy) =>
    `${strategy}: ${after.signInEnabled ? (obstacle(strategy, after, factsAfter) ?? '') : 'signInEnabled is off'}`

  const issues = await changeIssues(deps, db, tenantId, before, after)
  const isNewRule = after.secondFactorRequired && !before.secondFactorRequired
  const factors = {
    app: after.strategyAuthenticatorCodeEnabled,
    key: after.strategySecurityKeyEnabled,
    mail: after.strategySecondEmailCodeEnabled,
    text: after.strategySecondPhoneCodeEnabled,
  }
  const usersToEnrol = isNewRule ? await countUsersToEnrol(db, tenantId, factors, usersMax) : 0
  const sessionsWithoutFactor = isNewRule ? await countSessionsWithoutFactor(db, tenantId, clock.now(), usersMax) : 0
  const hooksThatDenyOnFailure = await countDenyingHooks(db, tenantId)
  const counts = { usersToEnrol, sessionsWithoutFactor, hooksThatDenyOnFailure }
  const answer = { differences: differences(before, after), issues, ...counts }
  // Where every way in stays open, nobody has to be looked at: nearly all changes are such, and a tenant may have a million users.
  if (now.every((strategy) => then.includes(strategy))) {
    const counters = await readCounters(db, tenantId, ['users', 'users:suspended', 'users:inactive'])
    const countOf = (name: string) => counters.get(name) ?? 0
    const usersChecked = countOf('users') - countOf('users:suspended') - countOf('users:inactive')
    return { ...answer, usersChecked, usersLockedOut: 0, sample: [] }
  }

  let usersChecked = 0
  let usersLockedOut = 0
  const sample: { userId: string; reasons: string[] }[] = []
  for (let from = endOfTime; usersChecked < usersMax;) {
    const limit = Math.min(batchSize, usersMax - usersChecked)
    const users = await selectFactors(db, tenantId, from, limit)
    for (const user of users) {
      usersChecked++
      const used = now.filter((strategy) => isFor[strategy](user))
      if (used.length === 0 || then.some((strategy) => isFor[strategy](user))) continue
      usersLockedOut++
      if (sample.length < sampleSize) sample.push({ userId: user.id, reasons: used.map(reasonAgainst) })
    }
    const last = users.at(-1)
    if (users.length < limit || last === undefined) break
    from = last.created_at
  }
  return { ...answer, usersChecked, usersLockedOut, sample }
}
