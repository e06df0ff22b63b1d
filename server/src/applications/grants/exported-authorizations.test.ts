import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Authorization, Grant, OwnDataExport, UserDataExport } from '@bailiwick/contract'
import { storeGrant } from '../../../test/harness/applications.ts'
import {
  createApplication,
  createOrganization,
  createResource,
  createTenant,
  createUser,
  unique,
} from '../../../test/harness/factories.ts'
import { signedInUser } from '../../../test/harness/people/signed-in-user.ts'
import { describeService } from '../../../test/harness/service.ts'
import { organizations } from '../../identity/organizations/tables.ts'
import { batchSize } from '../../platform/db/newest-first.ts'
import { type ApplicationId, type TenantId, type UserId, newId } from '../../platform/ids.ts'
import { toJson } from '../../platform/json-text.ts'
import { grants } from './tables.ts'

describeService('what a user has allowed applications, in the exports of all data about the user', (service) => {
  const exportOf = (id: string, token?: string) =>
    service().ok<UserDataExport>('exportUserData', { params: { id }, ...(token !== undefined && { token }) })

  it('is what the lists of grants show, without the grants of others, also in another tenant', async () => {
    const { tenant, secretKey } = await createTenant(service())
    const { user, browser } = await signedInUser(service(), tenant)
    const other = await createUser(service(), tenant.id)
    const parties = { tenantId: tenant.id, userId: user.id }
    await createResource(service(), tenant.id, { indicator: 'https://api.acme.example', name: 'Acme API' })
    const { id: first } = await createApplication(service(), tenant.id)
    const { id: second } = await createApplication(service(), tenant.id, { name: 'Acme Notes' })
    const { id: organizationId } = await createOrganization(service(), tenant.id)
    const personal = await storeGrant(service(), { ...parties, applicationId: first })
    const forOrganization = await storeGrant(service(), { ...parties, applicationId: second, organizationId })
    await storeGrant(service(), { ...parties, userId: other.id, applicationId: first })
    const elsewhere = await createTenant(service())
    const twin = { id: user.id, email: `${unique()}@example.com` }
    await service().ok('importUsers', { query: { tenantId: elsewhere.tenant.id }, body: [twin] })
    const { id: third } = await createApplication(service(), elsewhere.tenant.id)
    const ofTwin = { tenantId: elsewhere.tenant.id, userId: user.id, applicationId: third }
    const grantOfTwin = await storeGrant(service(), ofTwin)

    const listed = await service().ok<{ data: Grant[] }>('listUserGrants', {
      params: { userId: user.id },
      token: secretKey,
    })
    assert.deepEqual(
      listed.data.map(({ id }) => id),
      [forOrganization, personal],
    )
    assert.deepEqual((await exportOf(user.id, secretKey)).authorizations, listed.data)
    assert.deepEqual(
      (await exportOf(user.id, elsewhere.secretKey)).authorizations.map(({ id }) => id),
      [grantOfTwin],
    )

    const own = await browser.ok<{ authorizations: Authorization[] }>('listOwnAuthorizations')
    assert.deepEqual(
      own.authorizations.map(({ id, application, organizationId: of, resources }) => [
        id,
        application.name,
        of,
        resources.map(({ name }) => name),
      ]),
      [
        [forOrganization, 'Acme Notes', organizationId, ['Acme API']],
        [personal, 'Acme Reports', null, ['Acme API']],
      ],
    )
    assert.deepEqual((await browser.ok<OwnDataExport>('exportOwnData')).authorizations, own.authorizations)

    for (const id of [personal, forOrganization]) await service().ok('deleteGrant', { params: { id } })
    assert.deepEqual((await exportOf(user.id, secretKey)).authorizations, [])
    assert.deepEqual((await browser.ok<OwnDataExport>('exportOwnData')).authorizations, [])
  })

  it('is complete if there are more grants than one batch holds', async () => {
    const { tenant } = await createTenant(service())
    const { user, browser } = await signedInUser(service(), tenant)
    const { id: applicationId } = await createApplication(service(), tenant.id)
    const { db, clock } = service().deps
    const ids = Array.from({ length: batchSize + 1 }, () => newId<'OrganizationId'>())
    const record = () => {
      const at = clock.next()
      return { tenant_id: tenant.id as TenantId, created_at: at, updated_at: at }
    }
    const organizationRows = ids.map((id) => ({
      ...record(),
      id,
      name: id,
      slug: id,
      slug_key: id,
      public_meta: toJson({}),
      private_meta: toJson({}),
    }))
    const grantRows = ids.map((id) => ({
      ...record(),
      id: newId<'GrantId'>(),
      user_id: user.id as UserId,
      application_id: applicationId as ApplicationId,
      organization_id: id,
      scopes: toJson(['openid']),
      resource_scopes: toJson({}),
      claims: toJson([]),
      last_used_at: clock.now(),
    }))
    await db.write(() => [organizations.insertAll(organizationRows), grants.insertAll(grantRows)])
    const newestFirst = grantRows.map(({ id }) => id as string).toReversed()
    const own = await browser.ok<OwnDataExport>('exportOwnData')
    for (const { authorizations } of [await exportOf(user.id), own]) {
      assert.deepEqual(
        authorizations.map(({ id }) => id),
        newestFirst,
      )
    }
  })
})
