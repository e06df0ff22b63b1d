import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createTenant } from '../../../test/harness/factories.ts'
import { describeService } from '../../../test/harness/service.ts'
import { previewStates } from './states.ts'

describeService('GET /console/preview/{tenantId}/{state}', (service) => {
  const get = (url: string) => service().app.inject({ url, headers: { host: 'localhost' } })

  it('shows every state with the brand, the texts and the layout of the tenant, and sets no cookie', async () => {
    const { tenant } = await createTenant(service(), { name: 'Acme Previews' })
    const params = { id: tenant.id }
    await service().ok('putTenantBrand', { params, body: { primary: '#0f766e' } })
    await service().ok('putPages', {
      params,
      body: { texts: { de: { 'signIn.title': 'Hereinspaziert' } }, layout: 'split' },
    })
    for (const state of Object.keys(previewStates)) {
      const { statusCode, body, headers } = await get(`/console/preview/${tenant.id}/${state}`)
      assert.equal(statusCode, 200, state)
      assert.match(body, /Acme Previews/, state)
      assert.match(body, /class="split"/)
      assert.match(body, /\/brand\/[0-9a-f]+\.css/)
      assert.equal(headers['set-cookie'], undefined)
    }
    const { body } = await get(`/console/preview/${tenant.id}/sign-in?language=de&scheme=dark&layout=centered`)
    assert.match(body, /<html lang="de"/)
    assert.match(body, /Hereinspaziert/)
    assert.match(body, /schemes\/dark\.css/)
    assert.match(body, /class="centered"/)
  })

  it('can be framed by the console alone, and runs no script and sends no form', async () => {
    const { tenant } = await createTenant(service())
    const { headers } = await get(`/console/preview/${tenant.id}/sign-in`)
    const policy = String(headers['content-security-policy']).split('; ')
    assert.ok(policy.includes("default-src 'none'") && policy.includes("form-action 'none'"))
    assert.ok(policy.includes("frame-ancestors 'self'") && policy.includes('sandbox allow-same-origin'))
    assert.ok(!policy.some((directive) => directive.startsWith('script-src')))
  })

  it('shows the page as it would be with some of the rules switched', async () => {
    const { tenant } = await createTenant(service())
    const shown = async (query: string) => (await get(`/console/preview/${tenant.id}/sign-in?${query}`)).body
    assert.match(await shown(''), /type="email"/)
    const withUsername = 'on=usernameSignInEnabled,strategyUsernamePasswordEnabled&off=emailSignInEnabled'
    assert.doesNotMatch(await shown(withUsername), /type="email"/)
    assert.match(await shown('off=signInEnabled'), /Sign-in is closed/)
    const signUp = await get(`/console/preview/${tenant.id}/sign-up?off=signUpEnabled`)
    assert.match(signUp.body, /Sign-up is closed/)
  })

  it('takes nothing from its address but names from lists', async () => {
    const { tenant } = await createTenant(service())
    const hostile = encodeURIComponent('"><script>alert(1)</script>')
    const { body } = await get(
      `/console/preview/${tenant.id}/sign-in?language=${hostile}&layout=${hostile}&scheme=${hostile}&on=${hostile}`,
    )
    assert.doesNotMatch(body, /alert\(1\)/)
    for (const path of [`${tenant.id}/nothing`, `${tenant.id}/toString`, 'c0000000000000000/sign-in']) {
      assert.equal((await get(`/console/preview/${path}`)).statusCode, 404, path)
    }
    assert.equal((await get('/console/preview/schemes/evil.css')).statusCode, 404)
    assert.match((await get('/console/preview/schemes/dark.css')).body, /--primary:var\(--dark-primary\)/)
  })
})
