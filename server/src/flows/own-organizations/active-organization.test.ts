import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { OwnOrganization } from '@bailiwick/contract'
import type { Browser } from '../../../test/harness/browser/frontend.ts'
import { storedEvents } from '../../../test/harness/databases/stored.ts'
import { unique } from '../../../test/harness/factories.ts'
import { browserOf, signedInUser, tenantWith } from '../../../test/harness/people/signed-in-user.ts'
import { describeService } from '../../../test/harness/service.ts'

const create = async (browser: Browser) =>
  (await browser.ok<{ organization: OwnOrganization }>('createOwnOrganization', { body: { name: unique() } }))
    .organization

/** The claims about an organization in a new token. */
async function readClaims(browser: Browser, body: object = {}) {
  const { jwt } = await browser.ok<{ jwt: string }>('createOwnToken', { body })
  const { claims } = JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()) as {
    claims: { orgId: string | null; orgRole: string | null; orgPermissions: string[] }
  }
  return [claims.orgId, claims.orgRole, claims.orgPermissions.length > 0]
}

describeService('PUT /user/sessions/organization', (service) => {
  it('is named in tokens, unless they are requested for another organization or for none', async () => {
    const tenant = await tenantWith(service())
    const { browser, user } = await signedInUser(service(), tenant)
    const [one, two] = [await create(browser), await create(browser)]
    assert.deepEqual(await readClaims(browser), [null, null, false])
    await browser.ok('setActiveOrganization', { body: { organizationId: one.id } })
    assert.deepEqual(await readClaims(browser), [one.id, 'admin', true])
    assert.deepEqual(await readClaims(browser, { orgId: two.id }), [two.id, 'admin', true])
    assert.deepEqual(await readClaims(browser, { orgId: null }), [null, null, false])
    const elsewhere = await browserOf(service(), tenant, user.id)
    assert.deepEqual(await readClaims(elsewhere.browser), [null, null, false])
    await browser.ok('setActiveOrganization', { body: { organizationId: null } })
    assert.deepEqual(await readClaims(browser), [null, null, false])
    const events = await storedEvents(service(), tenant.id, 'session.updated')
    assert.deepEqual(
      events.map(({ data }) => data),
      [
        { userId: user.id, organizationId: one.id },
        { userId: user.id, organizationId: null },
      ],
    )
  })

  it('has effect as long as the user is a member and the tenant has organizations', async () => {
    const tenant = await tenantWith(service())
    const admin = await signedInUser(service(), tenant)
    const { browser, user } = await signedInUser(service(), tenant)
    const { id } = await create(admin.browser)
    await browser.refused('setActiveOrganization', 'not_found', { body: { organizationId: id } })
    await service().ok('createOrganizationMember', { body: { organizationId: id, userId: user.id } })
    await browser.ok('setActiveOrganization', { body: { organizationId: id } })
    assert.deepEqual(await readClaims(browser), [id, null, false])
    const auth = (organizationsEnabled: boolean) =>
      service().ok('putAuthTenant', { params: { id: tenant.id }, body: { organizationsEnabled } })
    await auth(false)
    assert.deepEqual(await readClaims(browser), [null, null, false])
    await browser.refused('setActiveOrganization', 'forbidden', { body: { organizationId: null } })
    await auth(true)
    await browser.ok('leaveOrganization', { params: { id } })
    assert.deepEqual(await readClaims(browser), [null, null, false])
    await browser.refused('createOwnToken', 'not_found', { body: { orgId: id } })
  })
})
