import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { ErrorBody, NewSetupLink, SetupLink } from '@bailiwick/contract'
import { atOnce } from '../../../test/harness/at-once.ts'
import { statusCounts, storedEvents } from '../../../test/harness/databases/stored.ts'
import { createOrganization, createTenant } from '../../../test/harness/factories.ts'
import { latestMessageTo } from '../../../test/harness/messages.ts'
import { type TestService, describeService } from '../../../test/harness/service.ts'
import type { TenantId } from '../../platform/ids.ts'
import { type OpenLink, enterSetup, findOpenSetup, findSetupLink, sendSetupCode } from './open-setup.ts'

const email = 'it@acme.example'
const actor = { type: 'setup_link', id: null, ip: null, ua: null } as const

async function newLink(service: TestService, body: object = {}) {
  const { tenant } = await createTenant(service)
  const { id: organizationId } = await createOrganization(service, tenant.id)
  const params = { organizationId }
  const made = await service.ok<NewSetupLink>('createSetupLink', { params, body: { email, ...body } })
  const token = new URL(made.uri).searchParams.get('token') ?? ''
  return { tenantId: tenant.id as TenantId, organizationId, params, made, token }
}

async function opened(service: TestService, tenantId: TenantId, token: string): Promise<OpenLink> {
  const link = await findSetupLink(service.deps, tenantId, token)
  assert.ok(link)
  return link
}

async function codeFor(service: TestService, link: OpenLink): Promise<string> {
  await sendSetupCode(service.deps, link, 'en')
  return (await latestMessageTo(service.deps, email)).code ?? ''
}

describeService('a set-up link', (service) => {
  it('is returned once, with its address', async () => {
    const { params, made, tenantId } = await newLink(service(), { steps: ['sso', 'domain'] })
    const { uri, ...rest } = made
    assert.match(uri, new RegExp(`/t/${tenantId}/setup\\?token=sl_`))
    assert.deepEqual(rest.steps, ['domain', 'sso'], 'in the order in which they are done')
    assert.deepEqual(await service().ok<SetupLink[]>('listSetupLinks', { params }), [rest])
    assert.equal(JSON.stringify(await storedEvents(service(), tenantId)).includes(uri.split('token=')[1] ?? uri), false)
  })

  it('lets in the browser that has the code from the mailbox, and no other', async () => {
    const { tenantId, token } = await newLink(service())
    const link = await opened(service(), tenantId, token)
    const code = await codeFor(service(), link)
    const wrong = code === '000000' ? '111111' : '000000'
    assert.equal(await enterSetup(service().deps, link, wrong, 'one', actor), false)
    assert.equal(await findOpenSetup(service().deps, tenantId, 'one'), undefined)
    assert.equal(await enterSetup(service().deps, link, code, 'one', actor), true)
    assert.equal((await findOpenSetup(service().deps, tenantId, 'one'))?.id, link.id)
    assert.equal(await findOpenSetup(service().deps, tenantId, 'another'), undefined)
    assert.equal(await enterSetup(service().deps, link, code, 'another', actor), false, 'the code is used up')
  })

  it('leaves the first browser when another one has a newer code', async () => {
    const { tenantId, token } = await newLink(service())
    const link = await opened(service(), tenantId, token)
    await enterSetup(service().deps, link, await codeFor(service(), link), 'one', actor)
    await enterSetup(service().deps, link, await codeFor(service(), link), 'two', actor)
    assert.equal(await findOpenSetup(service().deps, tenantId, 'one'), undefined)
    assert.equal((await findOpenSetup(service().deps, tenantId, 'two'))?.id, link.id)
  })

  it('opens nothing at another tenant', async () => {
    const { token } = await newLink(service())
    const { tenant } = await createTenant(service())
    assert.equal(await findSetupLink(service().deps, tenant.id as TenantId, token), undefined)
  })

  // Guards: customers-administrators
  it('stops working at once when it is revoked, also where it is open', async () => {
    const { tenantId, params, made, token } = await newLink(service())
    const link = await opened(service(), tenantId, token)
    await enterSetup(service().deps, link, await codeFor(service(), link), 'one', actor)
    await service().ok('deleteSetupLink', { params: { ...params, id: made.id } })
    assert.equal(await findSetupLink(service().deps, tenantId, token), undefined)
    assert.equal(await findOpenSetup(service().deps, tenantId, 'one'), undefined)
    await service().refused('deleteSetupLink', 'not_found', { params: { ...params, id: made.id } })
  })

  it('ends with its time', async () => {
    const { tenantId, made, token } = await newLink(service(), { expiresInSeconds: 300 })
    const { clock } = service().deps
    const at = (seconds: number) =>
      new Date(Date.parse(made.createdAt) + 1000 * seconds).toISOString().replace('Z', '000Z')
    const later = (seconds: number) => ({ ...service().deps, clock: { ...clock, now: () => at(seconds) as never } })
    assert.ok(await findSetupLink(later(299), tenantId, token))
    assert.equal(await findSetupLink(later(301), tenantId, token), undefined)
  })

  it('is one of at most twenty, however many are created at once', async () => {
    const { params } = await newLink(service())
    const answers = await atOnce(24, () => service().call<ErrorBody>('createSetupLink', { params, body: { email } }))
    assert.deepEqual(statusCounts(answers), { 200: 19, 409: 5 })
  })
})
