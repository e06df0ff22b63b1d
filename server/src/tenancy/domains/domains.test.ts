import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import type { Tenant, TenantDomain } from '@bailiwick/contract'
import { createTenant, unique } from '../../../test/harness/factories.ts'
import { startNameServer } from '../../../test/harness/outside/name-server.ts'
import { type TestService, describeService, testEnv } from '../../../test/harness/service.ts'

const names = await startNameServer()
after(() => names.close())

const suite = (service: () => TestService) => {
  const create = (tenantId: string, name = `${unique()}.example`) =>
    service().ok<TenantDomain>('createDomain', { body: { tenantId, name } })
  const verify = (id: string) => service().ok<TenantDomain>('verifyDomain', { params: { id } })
  const publish = (domain: TenantDomain) =>
    names.records.set(domain.verificationRecordDomain ?? '', ['v=spf1 -all', domain.verificationRecordValue ?? ''])
  const list = (tenantId: string) => service().ok<TenantDomain[]>('listDomains', { query: { tenantId } })

  it('are created unverified, the first one primary, and listed newest first', async () => {
    const { tenant } = await createTenant(service())
    const first = await create(tenant.id)
    const second = await create(tenant.id)
    assert.deepEqual([first.primary, first.verified, second.primary], [true, false, false])
    assert.deepEqual(
      [first.verificationRecordType, first.verificationRecordDomain],
      ['TXT', `_bailiwick.${first.name}`],
    )
    assert.notEqual(first.verificationRecordValue, second.verificationRecordValue)
    assert.deepEqual(await list(tenant.id), [second, first])
    const { domains } = await service().ok<Tenant>('getTenant', { params: { id: tenant.id } })
    assert.deepEqual(domains, [
      { primary: true, name: first.name },
      { primary: false, name: second.name },
    ])
  })

  it('are refused a second time in one tenant, in upper or lower case', async () => {
    const { tenant } = await createTenant(service())
    const { name } = await create(tenant.id)
    await service().refused('createDomain', 'domain_exists', {
      body: { tenantId: tenant.id, name: name.toUpperCase() },
    })
  })

  it('are verified by the record, and stay verified after it is removed', async () => {
    const { tenant } = await createTenant(service())
    const domain = await create(tenant.id)
    const missing = await verify(domain.id)
    assert.deepEqual([missing.verified, missing.verificationRecordReason], [false, 'the name does not exist'])
    names.records.set(`_bailiwick.${domain.name}`, ['something else'])
    assert.match((await verify(domain.id)).verificationRecordReason ?? '', /none of the 1 TXT records/)
    publish(domain)
    const verified = await verify(domain.id)
    assert.deepEqual([verified.verified, verified.verificationRecordReason], [true, null])
    names.records.clear()
    assert.equal((await verify(domain.id)).verified, true)
  })

  // Guards: proven-domains
  it("are not verified by another tenant's record", async () => {
    const { tenant: one } = await createTenant(service())
    const { tenant: other } = await createTenant(service())
    const mine = await create(one.id)
    const theirs = await create(other.id, mine.name)
    publish(theirs)
    assert.equal((await verify(mine.id)).verified, false)
  })

  // Guards: proven-domains
  it('belong to one tenant once verified, also if two verify at once', async () => {
    const tenants = await Promise.all([createTenant(service()), createTenant(service())])
    const name = `${unique()}.example`
    const claims = await Promise.all(tenants.map(({ tenant }) => create(tenant.id, name)))
    names.records.set(
      `_bailiwick.${name}`,
      claims.map((claim) => claim.verificationRecordValue ?? ''),
    )
    const answers = await Promise.all(
      claims.map(({ id }) => service().call<TenantDomain>('verifyDomain', { params: { id } })),
    )
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 409],
    )
    const { tenant: third } = await createTenant(service())
    await service().refused('createDomain', 'domain_taken', { body: { tenantId: third.id, name } })
    await service().refused('createTenant', 'domain_taken', {
      body: { name: 'Late comer', environment: 'production', domain: name },
    })
  })

  // Guards: proven-domains
  it('are not verified by an answer about a claim that was removed and made again meanwhile', async () => {
    const { tenant } = await createTenant(service())
    const domain = await create(tenant.id)
    publish(domain)
    let release = () => {}
    names.hold = new Promise<void>((done) => {
      release = done
    })
    const asked = service().call('verifyDomain', { params: { id: domain.id } })
    await service().ok('deleteDomain', { params: { id: domain.id } })
    const again = await create(tenant.id, domain.name)
    release()
    assert.equal((await asked).status, 404)
    const { verified } = await service().ok<TenantDomain>('getDomain', { params: { id: again.id } })
    assert.equal(verified, false)
  })

  it('become primary only if verified, and are replaced as primary when they are removed', async () => {
    const { tenant } = await createTenant(service())
    const first = await create(tenant.id)
    const second = await create(tenant.id)
    const third = await create(tenant.id)
    await service().refused('makeDomainPrimary', 'domain_unverified', { params: { id: third.id } })
    publish(third)
    await verify(third.id)
    await service().ok('makeDomainPrimary', { params: { id: third.id } })
    const primaries = async () => (await list(tenant.id)).filter((domain) => domain.primary).map(({ id }) => id)
    assert.deepEqual(await primaries(), [third.id])
    publish(second)
    await verify(second.id)
    await service().ok('deleteDomain', { params: { id: third.id } })
    assert.deepEqual(await primaries(), [second.id], 'the oldest verified one')
    await service().ok('deleteDomain', { params: { id: second.id } })
    assert.deepEqual(await primaries(), [first.id], 'else the oldest')
    await service().ok('deleteDomain', { params: { id: first.id } })
    assert.deepEqual(await list(tenant.id), [])
  })
}

describeService('domains', suite, { ...testEnv, BAILIWICK_DNS_SERVERS: names.address })
