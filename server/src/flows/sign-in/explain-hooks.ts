// What the tenant's hooks before a session say about a user, for those who ask why somebody cannot sign in.
import type { SignInExplanation } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import type { UserRow } from '../../identity/users/find-user.ts'
import { callHook } from '../../messaging/hooks/call.ts'
import { recordCalls } from '../../messaging/hooks/calls.ts'
import { hooksInUse } from '../../messaging/hooks/decisions.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'

type Explained = Pick<SignInExplanation, 'canSignIn' | 'reasons'>

/**
 * Lists the hooks that a sign-in asks. Asked for their answer, they are called with `test: true` in the data, as for a sign-in of this user,
 * and a denial is a reason.
 */
export async function withHooks<Explanation extends Explained>(
  deps: Deps,
  tenant: TenantEntry,
  explanation: Explanation,
  { user, isAsked }: { readonly user: Pick<UserRow, 'id'> | undefined; readonly isAsked: boolean },
): Promise<Explanation & Pick<SignInExplanation, 'hooks'>> {
  const rows = await hooksInUse(deps.db, tenant, 'sign_in.before_session')
  const isCalled = isAsked && user !== undefined
  const data = { test: true, user: { id: user?.id ?? null }, ip: null, userAgent: null, language: null }
  // At most ten, one after the other like at a sign-in, and within the tenant's own turns.
  const called: Awaited<ReturnType<typeof callHook>>[] = []
  if (isCalled) for (const row of rows) called.push(await callHook(deps, row, data))
  await recordCalls(
    deps,
    tenant.row.id,
    called.map(({ row }) => row),
  )
  const hooks = rows.map(({ id, on_failure: onFailure }, index) => {
    const { row } = called[index] ?? {}
    return { id, onFailure, result: row?.result ?? null, error: row?.error ?? null }
  })
  const denying = hooks.filter(({ result, onFailure }) => {
    const isFailure = result === 'failed' || result === 'skipped'
    return result === 'deny' || (isFailure && onFailure === 'deny')
  })
  const reasons = [...explanation.reasons, ...denying.map(({ id }) => `the hook ${id} denies the sign-in`)]
  return { ...explanation, reasons, canSignIn: reasons.length === 0, hooks }
}
