import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { TenantDomain } from '@bailiwick/contract'
import { createTenant, unique } from '../../../test/harness/factories.ts'
import { type TestService, describeService } from '../../../test/harness/service.ts'
import { invalidateTenant } from '../../platform/cache/invalidation.ts'
import { sql } from '../../platform/db/sql.ts'
import type { TenantId } from '../../platform/ids.ts'

/** Sets whether a domain is verified, as the name servers' answers would. */
const setVerified = ({ deps }: TestService, tenantId: string, id: string, isVerified: boolean) =>
  deps.db.transaction(async (tx) => {
    await tx.run(sql`UPDATE domains SET verified_at = ${isVerified ? deps.clock.now() : null} WHERE id = ${id}`)
    await invalidateTenant(tx, deps.tenants, tenantId as TenantId)
  })

/** Returns the issuer that the authorization server of a host names in its metadata, or the status of another answer. */
async function servedAt(service: TestService, host: string, path = '') {
  const url = `${path}/.well-known/openid-configuration`
  const { status, body } = await service.request({ method: 'GET', url, headers: { host } })
  return status === 200 ? (body as { issuer: string }).issuer : status
}

describeService('the issuer of a tenant', (service) => {
  const world = async () => {
    const { tenant } = await createTenant(service())
    const body = { tenantId: tenant.id, name: `id-${unique()}.example` }
    const domain = await service().ok<TenantDomain>('createDomain', { body })
    await setVerified(service(), tenant.id, domain.id, true)
    const { host } = new URL(service().deps.config.baseUrl)
    return {
      domain,
      setVerified: (is: boolean) => setVerified(service(), tenant.id, domain.id, is),
      put: (change: object) => service().ok('putOAuthSettings', { params: { id: tenant.id }, body: change }),
      named: async () =>
        (await service().ok<{ issuer: string }>('getOAuthSettings', { params: { id: tenant.id } })).issuer,
      atDomain: () => servedAt(service(), domain.name),
      atDeployment: () => servedAt(service(), host, `/t/${tenant.id}`),
      deployments: `http://${host}/t/${tenant.id}`,
      ofDomain: `https://${domain.name}`,
    }
  }

  it('is its chosen domain only while it is verified, and the address of the deployment otherwise', async () => {
    const { domain, put, named, atDomain, atDeployment, deployments, ofDomain, ...of } = await world()
    await put({ issuerDomain: domain.name, issuerGraceSeconds: 0 })
    assert.deepEqual([await named(), await atDomain(), await atDeployment()], [ofDomain, ofDomain, 404])
    await of.setVerified(false)
    assert.deepEqual([await named(), await atDomain(), await atDeployment()], [deployments, 404, deployments])
    await of.setVerified(true)
    assert.deepEqual([await named(), await atDomain(), await atDeployment()], [ofDomain, ofDomain, 404])
    await service().ok('deleteDomain', { params: { id: domain.id } })
    assert.deepEqual([await named(), await atDomain(), await atDeployment()], [deployments, 404, deployments])
  })

  it('is not served at the domain before the last change once that domain is no longer verified', async () => {
    const { domain, put, atDomain, atDeployment, deployments, ofDomain, ...of } = await world()
    await put({ issuerDomain: domain.name })
    await put({ issuerDomain: null })
    assert.deepEqual([await atDomain(), await atDeployment()], [ofDomain, deployments])
    await of.setVerified(false)
    assert.deepEqual([await atDomain(), await atDeployment()], [404, deployments])
  })
})
