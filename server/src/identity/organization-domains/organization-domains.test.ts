import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import type { Event, OrganizationDomain } from '@bailiwick/contract'
import { atOnce } from '../../../test/harness/at-once.ts'
import type { Browser } from '../../../test/harness/browser/frontend.ts'
import { createRole, unique } from '../../../test/harness/factories.ts'
import { startNameServer } from '../../../test/harness/outside/name-server.ts'
import {
  anotherOrganization,
  check,
  claim,
  newName,
  provenDomain,
  publish,
  someOrganization,
} from '../../../test/harness/people/organization-domains.ts'
import { signedInUser } from '../../../test/harness/people/signed-in-user.ts'
import { type TestService, describeService, testEnv } from '../../../test/harness/service.ts'

const names = await startNameServer()
after(() => names.close())

const operations = ['getOrganizationDomain', 'verifyOrganizationDomain', 'deleteOrganizationDomain'] as const

const suite = (service: () => TestService) => {
  it('are claimed, proved by a DNS record of their own, and removed', async () => {
    const { tenant, admin, organization } = await someOrganization(service())
    const { browser } = admin
    const params = { id: organization.id }
    const name = newName()
    const domain = await claim(browser, organization.id, name)
    assert.deepEqual(
      [domain.name, domain.verified, domain.verificationRecordType, domain.verificationRecordDomain],
      [name, false, 'TXT', `_bailiwick.${name}`],
    )
    assert.equal((await check(browser, domain)).verificationRecordReason, 'the name does not exist')
    names.records.set(domain.verificationRecordDomain, ['bailiwick-verification=another'])
    assert.match((await check(browser, domain)).verificationRecordReason ?? '', /none of the 1 TXT records/)
    publish(names, domain)
    const verified = await check(browser, domain)
    assert.deepEqual([verified.verified, verified.verificationRecordReason], [true, null])
    names.records.delete(domain.verificationRecordDomain)
    assert.deepEqual(await check(browser, domain), verified, 'once is enough')
    const second = await claim(browser, organization.id)
    const { domains } = await browser.ok<{ domains: OrganizationDomain[] }>('listOrganizationDomains', { params })
    assert.deepEqual(domains, [second, verified])
    await browser.ok('deleteOrganizationDomain', { params: { ...params, domainId: domain.id } })
    await browser.refused('getOrganizationDomain', 'not_found', { params: { ...params, domainId: domain.id } })
    const { data } = await service().ok<{ data: Event[] }>('listEvents', {
      params: { tenantId: tenant.id },
      query: { subject: domain.id },
    })
    assert.deepEqual(
      data.map(({ type, actor }) => `${type} ${actor.id === admin.user.id}`),
      ['deleted', 'verified', 'verification_failed', 'verification_failed', 'created'].map(
        (verb) => `organization_domain.${verb} true`,
      ),
    )
  })

  it('are stored as written in addresses, and once in an organization', async () => {
    const { admin, organization } = await someOrganization(service())
    const label = unique()
    const domain = await claim(admin.browser, organization.id, `Bücher.${label}.Example`)
    assert.equal(domain.name, `xn--bcher-kva.${label}.example`)
    const options = { params: { id: organization.id }, body: { name: domain.name.toUpperCase() } }
    await admin.browser.refused('createOrganizationDomain', 'domain_exists', options)
  })

  it('are refused if everyone can have an address or a name there', async () => {
    const { admin, organization } = await someOrganization(service())
    for (const name of ['gmail.com', 'GoogleMail.com', 'outlook.com', 'web.de', 'co.uk', 'com.au', 'duckdns.org']) {
      const { text } = await admin.browser.refused('createOrganizationDomain', 'validation_failed', {
        params: { id: organization.id },
        body: { name },
      })
      assert.match(text, /"path":"\/name","code":"public_domain"/, name)
    }
    for (const name of [
      'com',
      'localhost',
      '127.0.0.1',
      'a..example',
      '-a.example',
      '*.acme.example',
      'a@b.example',
      '',
    ]) {
      const options = { params: { id: organization.id }, body: { name } }
      await admin.browser.refused('createOrganizationDomain', 'validation_failed', options)
    }
  })

  it('are at most twenty', async () => {
    const { admin, organization } = await someOrganization(service())
    const answers = await atOnce(24, () =>
      admin.browser.call('createOrganizationDomain', { params: { id: organization.id }, body: { name: newName() } }),
    )
    assert.equal(answers.filter(({ status }) => status === 200).length, 20)
    assert.equal(answers.filter(({ body }) => body.code === 'domain_limit_reached').length, 4)
  })

  // Guards: proven-domains
  it('may be claimed by several organizations, and belong to the one that proves it, also if all do at once', async () => {
    const first = await someOrganization(service())
    const others = await Promise.all([1, 2, 3].map(() => anotherOrganization(service(), first.tenant)))
    const all = [first, ...others]
    const name = newName()
    const claims = await Promise.all(all.map(({ admin, organization }) => claim(admin.browser, organization.id, name)))
    names.records.set(
      `_bailiwick.${name}`,
      claims.map((domain) => domain.verificationRecordValue),
    )
    const answers = await atOnce(all.length, (n) => {
      const [domain, owner] = [claims[n], all[n]]
      assert.ok(domain !== undefined && owner !== undefined)
      const params = { id: domain.organizationId, domainId: domain.id }
      return owner.admin.browser.call<{ domain: OrganizationDomain }>('verifyOrganizationDomain', { params })
    })
    assert.equal(answers.filter(({ status, body }) => status === 200 && body.data.domain.verified).length, 1)
    assert.equal(answers.filter(({ body }) => body.code === 'domain_taken').length, 3)
    const elsewhere = await someOrganization(service())
    assert.equal((await provenDomain(names, elsewhere, name)).verified, true, 'tenants do not affect each other')
  })

  it("are not proved by another claim's record", async () => {
    const mine = await someOrganization(service())
    const theirs = await anotherOrganization(service(), mine.tenant)
    const name = newName()
    const domain = await claim(mine.admin.browser, mine.organization.id, name)
    publish(names, await claim(theirs.admin.browser, theirs.organization.id, name))
    assert.equal((await check(mine.admin.browser, domain)).verified, false)
  })

  /** Begins a check whose DNS answer waits until the test has done something. */
  async function whileAsking(domain: OrganizationDomain, browser: Browser, something: () => Promise<unknown>) {
    publish(names, domain)
    let release = () => {}
    names.hold = new Promise<void>((done) => {
      release = done
    })
    const params = { id: domain.organizationId, domainId: domain.id }
    const asked = browser.call('verifyOrganizationDomain', { params })
    await something()
    release()
    return asked
  }

  // Guards: proven-domains
  it('are not proved by an answer about a claim that was removed and made again meanwhile', async () => {
    const { admin, organization } = await someOrganization(service())
    const domain = await claim(admin.browser, organization.id)
    const params = { id: organization.id, domainId: domain.id }
    let again = domain
    const answer = await whileAsking(domain, admin.browser, async () => {
      await admin.browser.ok('deleteOrganizationDomain', { params })
      again = await claim(admin.browser, organization.id, domain.name)
    })
    assert.equal(answer.status, 404)
    const { domain: now } = await admin.browser.ok<{ domain: OrganizationDomain }>('getOrganizationDomain', {
      params: { id: organization.id, domainId: again.id },
    })
    assert.equal(now.verified, false)
  })

  it('are not proved for a member who was removed from the organization meanwhile', async () => {
    const { tenant, admin, organization } = await someOrganization(service())
    const fellow = await signedInUser(service(), tenant)
    const role = await createRole(service(), tenant.id, { permissions: ['org:domains:manage'] })
    const { id: memberId } = await service().ok<{ id: string }>('createOrganizationMember', {
      body: { organizationId: organization.id, userId: fellow.user.id, roleId: role.id },
    })
    const domain = await claim(fellow.browser, organization.id)
    const answer = await whileAsking(domain, fellow.browser, () =>
      admin.browser.ok('removeFellowMember', { params: { id: organization.id, memberId } }),
    )
    assert.equal(answer.status, 404)
  })

  it('are not found by users who are not members, nor through another organization', async () => {
    const mine = await someOrganization(service())
    const other = await anotherOrganization(service(), mine.tenant)
    const domain = await claim(mine.admin.browser, mine.organization.id)
    const missing = { id: mine.organization.id, domainId: mine.organization.id }
    for (const operation of operations) {
      const [foreign, through, none] = [
        await other.admin.browser.refused(operation, 'not_found', {
          params: { id: mine.organization.id, domainId: domain.id },
        }),
        await other.admin.browser.refused(operation, 'not_found', {
          params: { id: other.organization.id, domainId: domain.id },
        }),
        await mine.admin.browser.refused(operation, 'not_found', { params: missing }),
      ].map(({ text }) => text.replaceAll(/"requestId":"[^"]*"/g, ''))
      assert.equal(foreign, none)
      assert.equal(through, none)
    }
    const params = { id: mine.organization.id }
    await other.admin.browser.refused('listOrganizationDomains', 'not_found', { params })
    await other.admin.browser.refused('createOrganizationDomain', 'not_found', { params, body: { name: newName() } })
  })

  it('require the permission org:domains:manage, and a tenant that has them on', async () => {
    const { tenant, admin, organization } = await someOrganization(service())
    const fellow = await signedInUser(service(), tenant)
    const role = await createRole(service(), tenant.id, {
      permissions: ['org:manage', 'org:members:manage', 'org:invitations:manage', 'org:delete'],
    })
    await service().ok('createOrganizationMember', {
      body: { organizationId: organization.id, userId: fellow.user.id, roleId: role.id },
    })
    const domain = await claim(admin.browser, organization.id)
    const ofDomain = { params: { id: organization.id, domainId: domain.id } }
    const asks = [
      ['listOrganizationDomains', { params: { id: organization.id } }],
      ['createOrganizationDomain', { params: { id: organization.id }, body: { name: newName() } }],
      ...operations.map((operation) => [operation, ofDomain] as const),
    ] as const
    for (const [operation, options] of asks) await fellow.browser.refused(operation, 'forbidden', options)
    const params = { id: tenant.id }
    await service().ok('putAuthTenant', { params, body: { organizationCustomDomainManagementEnabled: false } })
    for (const [operation, options] of asks) await admin.browser.refused(operation, 'forbidden', options)
    await service().ok('putAuthTenant', { params, body: { organizationCustomDomainManagementEnabled: true } })
    await service().ok('updateRole', { params: { id: role.id }, body: { permissions: ['org:domains:manage'] } })
    for (const [operation, options] of asks) await fellow.browser.ok(operation, options)
  })

  it('are deleted with their organization', async () => {
    const { tenant, admin, organization } = await someOrganization(service())
    const { name } = await provenDomain(names, { admin, organization })
    await admin.browser.ok('deleteOwnOrganization', { params: { id: organization.id } })
    const heir = await anotherOrganization(service(), tenant)
    assert.equal((await provenDomain(names, heir, name)).verified, true)
  })
}

describeService('domains of organizations', suite, { ...testEnv, BAILIWICK_DNS_SERVERS: names.address })
