// What one program reads differently from the next is refused, so that no check is made of something else than what is used.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Tenant } from '@bailiwick/contract'
import { sql } from '../../src/platform/db/sql.ts'
import { createTenant, unique } from '../harness/factories.ts'
import { describeNodesInTurn, describeService, operatorKey, productionEnv } from '../harness/service.ts'

describeNodesInTurn('what could be read in two ways', (service) => {
  it('is no number that parsing rounds', async () => {
    const { tenant } = await createTenant(service())
    const request = (number: string) => ({
      method: 'POST' as const,
      url: '/api/v0/auth/users',
      headers: { 'content-type': 'application/json' },
      payload: `{"tenantId":"${tenant.id}","name":"Ada","publicMeta":{"account":${number}}}`,
    })
    for (const number of ['9007199254740993', '-9007199254740993', '12345678901234567890']) {
      const { status, text } = await service().request(request(number))
      assert.deepEqual([status, /"\/publicMeta\/account","code":"invalid_number"/.test(text)], [400, true], text)
    }
    for (const number of ['9007199254740991', '-9007199254740991', '0.1', '1e300', '0.12345678901234567']) {
      assert.equal((await service().request(request(number))).status, 200, number)
    }
  })

  it("is no slug like a tenant's id, also after the tenant is deleted", async () => {
    const { tenant } = await createTenant(service())
    await service().ok('deleteTenant', { params: { id: tenant.id } })
    const body = { name: `Other ${unique()}`.slice(0, 32), environment: 'production' }
    for (const slug of [tenant.id, tenant.id.toUpperCase()]) {
      const { issues } = await service().refused('createTenant', 'validation_failed', { body: { ...body, slug } })
      assert.deepEqual(
        issues?.map(({ path }) => path),
        ['/slug'],
      )
    }
    const other = await service().ok<Tenant>('createTenant', { body })
    const change = { params: { id: other.id }, body: { slug: tenant.id } }
    await service().refused('updateTenant', 'validation_failed', change)
  })

  it("is no path of pages: a slug like a tenant's id, from before these were refused, never stands for that tenant", async () => {
    const { tenant } = await createTenant(service())
    const { tenant: other } = await createTenant(service())
    const { db } = service().deps
    await db.write(() => [sql`UPDATE tenants SET slug = ${tenant.id}, slug_key = ${tenant.id} WHERE id = ${other.id}`])
    const page = async (name: string) => (await service().request({ url: `/t/${name}/sign-in` })).status
    assert.deepEqual([await page(tenant.id), await page(tenant.slug), await page(other.id)], [200, 200, 200])
    await service().ok('deleteTenant', { params: { id: tenant.id } })
    assert.deepEqual(
      [await page(tenant.id), await page(tenant.id.toUpperCase()), await page(other.id)],
      [404, 404, 200],
    )
  })
})

describeService(
  'a deployment with an https address',
  (service) => {
    it('tells browsers to come back by https alone', async () => {
      const headers = { host: 'id.example.com', authorization: `Bearer ${operatorKey}` }
      for (const url of ['/api/v0/tenants', '/api/v0/unknown', '/livez', '/console/']) {
        const answer = await service().request({ method: 'GET', url, headers })
        assert.equal(answer.headers['strict-transport-security'], 'max-age=31536000', url)
      }
    })
  },
  productionEnv,
)
