// End users with a session that was opened without any proof: cheap enough to have fifty.
import type { User } from '@bailiwick/contract'
import { Browser } from '../browser/frontend.ts'
import { createTenant, createUser, testPages, unique } from '../factories.ts'
import type { TestService } from '../service.ts'
import { openSession } from './sessions.ts'

export interface SignedInUser {
  readonly user: User
  readonly email: string
  readonly sessionId: string
  readonly browser: Browser
}

export async function tenantWith(service: TestService, auth: object = {}, body: object = {}) {
  const { tenant } = await createTenant(service, body)
  if (Object.keys(auth).length > 0) {
    await service.ok('putAuthTenant', { params: { id: tenant.id }, body: { redirectUris: testPages, ...auth } })
  }
  return tenant
}

/** Another session of a user. */
export async function browserOf(service: TestService, tenant: { id: string; publicKey: string }, userId: string) {
  const { row, token } = await openSession(service, tenant.id, userId)
  return {
    sessionId: row.id,
    browser: new Browser(service, tenant.publicKey, { authorization: `Bearer ${token}` }),
  }
}

/** A new user with a verified address. */
export async function signedInUser(
  service: TestService,
  tenant: { id: string; publicKey: string },
  body: object = {},
): Promise<SignedInUser> {
  const email = `${unique()}@example.com`
  const user = await createUser(service, tenant.id, { email, ...body })
  if (user.primaryEmailId !== null) await service.ok('verifyEmailAddress', { body: { id: user.primaryEmailId } })
  return { user, email, ...(await browserOf(service, tenant, user.id)) }
}
