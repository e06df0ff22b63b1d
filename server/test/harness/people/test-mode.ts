// What tests of test mode do at a tenant: they move its clock, read its inbox, and sign in there.
import type { InboxMessage, SignInAnswer, TenantClock } from '@bailiwick/contract'
import { type CodePurpose, issueCode } from '../../../src/identity/one-time-codes/one-time-codes.ts'
import { invalidateTenant } from '../../../src/platform/cache/invalidation.ts'
import { sql } from '../../../src/platform/db/sql.ts'
import type { TenantId } from '../../../src/platform/ids.ts'
import { Browser } from '../browser/frontend.ts'
import { createUser, unique } from '../factories.ts'
import type { TestService } from '../service.ts'
import { password } from './people.ts'
import type { tenantWith } from './signed-in-user.ts'

export type TestTenant = Awaited<ReturnType<typeof tenantWith>>

interface Inbox {
  readonly data: readonly InboxMessage[]
  readonly meta: { readonly total: number }
}

export function testModeSteps(service: () => TestService) {
  /** Moves a clock; then both nodes know it, as the next request goes to the other one. */
  async function move(id: string, aheadSeconds: number) {
    const clock = await service().ok<TenantClock>('putTenantClock', { params: { id }, body: { aheadSeconds } })
    await service().ok('getTenantClock', { params: { id } })
    return clock
  }
  const inbox = (id: string, query: Record<string, string> = {}) =>
    service().ok<Inbox>('listInboxMessages', { params: { id }, query })

  /** Ends test mode, as nothing but a change in the database can. */
  async function makeProduction({ id }: TestTenant) {
    const { db, tenants } = service().deps
    await db.transaction(async (tx) => {
      await tx.run(sql`UPDATE tenants SET environment = 'production' WHERE id = ${id}`)
      await invalidateTenant(tx, tenants, id as TenantId)
    })
  }

  async function askForCode(at: TestTenant, email: string) {
    await createUser(service(), at.id, { email, emailVerified: true })
    const browser = new Browser(service(), at.publicKey)
    const { signInAttempt } = await browser.ok<SignInAnswer>('createSignIn', {
      body: { identifier: email, strategy: 'email_code' },
    })
    const enter = (code: string) =>
      browser.call('attemptFirstFactor', {
        params: { id: signInAttempt.id },
        body: { strategy: 'email_code', code },
      })
    return { browser, enter }
  }

  /** A new user who signs in with a password, at the time of the tenant. */
  async function signedIn(at: TestTenant) {
    const email = `${unique()}@example.com`
    const user = await createUser(service(), at.id, { email, password, emailVerified: true })
    const browser = new Browser(service(), at.publicKey)
    await browser.ok('createSignIn', { body: { identifier: email, strategy: 'email_password', password } })
    return { user, browser }
  }

  const issued = (
    at: TestTenant,
    addressKey: string,
    purpose: CodePurpose = 'sign_in',
    kind: 'code' | 'link' = 'code',
  ) =>
    service().deps.db.transaction((tx) =>
      issueCode(service().deps, tx, {
        tenantId: at.id as TenantId,
        purpose,
        flowId: unique(),
        addressKey,
        userId: null,
        kind,
      }),
    )

  return { move, inbox, makeProduction, askForCode, signedIn, issued }
}
