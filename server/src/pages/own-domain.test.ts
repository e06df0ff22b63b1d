// The pages at the root of a domain that the tenant has verified.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { PageBrowser } from '../../test/harness/browser/page-browser.ts'
import { createTenant, createUser, unique } from '../../test/harness/factories.ts'
import { latestMessageTo } from '../../test/harness/messages.ts'
import { password } from '../../test/harness/people/people.ts'
import { type TestService, describeService } from '../../test/harness/service.ts'
import { invalidateTenant } from '../platform/cache/invalidation.ts'
import { sql } from '../platform/db/sql.ts'
import type { TenantId } from '../platform/ids.ts'

async function homeOnDomain(service: TestService) {
  const { tenant } = await createTenant(service)
  const name = `${unique()}.example`
  const { id } = await service.ok<{ id: string }>('createDomain', { body: { tenantId: tenant.id, name } })
  const { db, clock, tenants } = service.deps
  await db.transaction(async (tx) => {
    await tx.run(sql`UPDATE domains SET verified_at = ${clock.now()} WHERE id = ${id}`)
    await invalidateTenant(tx, tenants, tenant.id as TenantId)
  })
  const email = `${unique()}@example.com`
  await createUser(service, tenant.id, { email, password })
  return { tenant, name, email, browser: new PageBrowser(service, name) }
}

describeService("the pages on a tenant's own domain", (service) => {
  // Guards: shared-hosts
  it('are at its root, with their own cookies and everything that they load', async () => {
    const { tenant, name, email, browser } = await homeOnDomain(service())
    await service().ok('putAuthTenant', { params: { id: tenant.id }, body: { emailVerificationRequired: false } })
    await service().ok('putTenantBrand', { params: { id: tenant.id }, body: { primary: '#0a0' } })
    const start = await browser.open('/sign-in')
    const loaded = [...start.document.querySelectorAll('link[href], script[src]')].map(
      (element) => element.getAttribute('href') ?? element.getAttribute('src') ?? '',
    )
    assert.deepEqual(loaded.map((path) => /^\/(?:pages|brand)\//.exec(path)?.[0] ?? path).toSorted(), [
      '/brand/',
      '/pages/',
      '/pages/',
      '/pages/',
    ])
    for (const path of loaded) assert.equal((await browser.open(path)).status, 200, path)
    const end = await browser.send(await browser.send(start, { identifier: email }), { password })
    assert.equal(new URL(end.url).pathname, '/account')
    assert.deepEqual([...browser.cookies.keys()].toSorted(), ['__Host-device', '__Host-flow', '__Host-sid'])
    const passkeys = `https://${name}/account/passkeys`
    const { text } = await browser.open('/.well-known/passkey-endpoints')
    assert.deepEqual(JSON.parse(text), { enroll: passkeys, manage: passkeys })
    assert.equal(new URL((await browser.open('/')).url).pathname, '/account')
    assert.equal((await browser.open(`/t/${tenant.slug}/account`)).title, 'Your account')
    const guest = new PageBrowser(service(), name)
    const asked = await guest.open('/organizations/new')
    const back = await guest.send(await guest.send(asked, { identifier: email }), { password })
    assert.equal(new URL(back.url).pathname, '/organizations/new')
    // On the deployment's address nobody is signed in by it.
    assert.equal((await new PageBrowser(service()).open(`/t/${tenant.slug}/account`)).title, 'Sign in')
  })

  it('let people look after their account there, and stay at its root', async () => {
    const { tenant, email, browser } = await homeOnDomain(service())
    await service().ok('putAuthTenant', { params: { id: tenant.id }, body: { emailVerificationRequired: false } })
    await browser.send(await browser.send(await browser.open('/sign-in'), { identifier: email }), { password })
    const overview = await browser.open('/account')
    const links = [...overview.document.querySelectorAll('main a')].map((link) => link.getAttribute('href') ?? '')
    assert.ok(links.includes('/account/profile') && links.includes('/account/sessions'), String(links))
    for (const link of links) {
      const shown = await browser.open(link)
      assert.deepEqual([shown.status, new URL(shown.url).pathname], [200, link])
      const leads = [...shown.document.querySelectorAll('a[href], form')].map(
        (element) => element.getAttribute('href') ?? element.getAttribute('action') ?? '',
      )
      assert.ok(!leads.some((to) => to.startsWith('/t/')), `${link} leads to ${String(leads)}`)
    }
    const saved = await browser.send(await browser.open('/account/profile'), { name: 'Ada King' }, { button: 'Save' })
    assert.equal(new URL(saved.url).pathname, '/account/profile')
    assert.ok((await browser.open('/account')).text.includes('Ada King'))
    const newPassword = `${password} anew`
    const fields = { oldPassword: password, password: newPassword }
    await browser.send(await browser.open('/account/password'), fields)
    const guest = new PageBrowser(service(), browser.host)
    const step = await guest.send(await guest.open('/sign-in'), { identifier: email })
    assert.equal(new URL((await guest.send(step, { password: newPassword })).url).pathname, '/account')
  })

  // Guards: shared-hosts
  it('are only those of its tenant', async () => {
    const { browser } = await homeOnDomain(service())
    const other = await createTenant(service())
    for (const name of [other.tenant.slug, other.tenant.id]) {
      assert.equal((await browser.open(`/t/${name}/sign-in`)).status, 404, name)
    }
  })

  it('are where a link leads that was requested there', async () => {
    const { tenant, name, email, browser } = await homeOnDomain(service())
    const auth = {
      strategyEmailPasswordEnabled: false,
      strategyEmailCodeEnabled: false,
      strategyEmailLinkEnabled: true,
      emailVerificationRequired: false,
    }
    await service().ok('putAuthTenant', { params: { id: tenant.id }, body: auth })
    await browser.send(await browser.open('/sign-in'), { identifier: email })
    const { link } = await latestMessageTo(service().deps, email)
    const { origin, pathname, search } = new URL(link ?? '')
    assert.deepEqual([origin, pathname], [`https://${name}`, '/sign-in/link'])
    const end = await browser.send(await browser.open(pathname + search), {}, { button: 'Yes, sign in' })
    assert.equal(new URL(end.url).pathname, '/account')
  })
})
