import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { ClonedTemplates, Template } from '@bailiwick/contract'
import { storedEvents } from '../../../../test/harness/databases/stored.ts'
import { assertWritesNothing } from '../../../../test/harness/databases/table-dump.ts'
import { createTenant } from '../../../../test/harness/factories.ts'
import { addMember, signInConsoleUser } from '../../../../test/harness/people/sessions.ts'
import { type TestService, describeService } from '../../../../test/harness/service.ts'

async function twoTenants(service: TestService) {
  const [{ tenant: from }, { tenant: to }] = [await createTenant(service), await createTenant(service)]
  const create = (tenantId: string, name: string, body: string, type: Template['type'] = 'email') =>
    service.ok<Template>('createTemplate', { body: { tenantId, type, name, subject: 'S', body } })
  const clone = (more: object = {}) =>
    service.ok<ClonedTemplates>('cloneTemplates', { body: { tenantId: from.id, toTenantId: to.id, ...more } })
  const list = async (tenantId: string) =>
    await service.ok<{ data: Template[]; meta: { total: number } }>('listTemplates', {
      params: { tenantId },
      query: { perPage: '100' },
    })
  return { from, to, create, clone, list }
}

const outcomes = ({ templates }: ClonedTemplates) =>
  Object.fromEntries(templates.map(({ name, outcome }) => [name, outcome]))

describeService('POST /notifications/templates/clone', (service) => {
  it('creates missing templates and reports the skipped ones, with an event for each change', async () => {
    const { from, to, create, clone, list } = await twoTenants(service())
    await create(from.id, 'receipt', 'ours')
    await create(from.id, 'welcome.de', 'Hallo')
    await create(from.id, 'note', 'ours')
    const theirs = await create(to.id, 'note', 'theirs')
    const cloned = await clone()
    const said = outcomes(cloned)
    assert.deepEqual(
      [said['receipt'], said['welcome.de'], said['note'], said['welcome']],
      ['created', 'created', 'skipped', 'unchanged'],
    )
    assert.equal(cloned.templates.length, 9)
    const { data, meta } = await list(to.id)
    assert.equal(meta.total, 9)
    const byName = new Map(data.map((template) => [template.name, template]))
    assert.deepEqual(
      [byName.get('receipt')?.body, byName.get('welcome.de')?.body, byName.get('note')?.body],
      ['ours', 'Hallo', 'theirs'],
    )
    for (const { id, name } of cloned.templates) assert.equal(byName.get(name)?.id, id)
    assert.equal(byName.get('note')?.id, theirs.id)
    // The one of the note that was there, and two of what is new.
    assert.equal((await storedEvents(service(), to.id, 'template.created')).length, 3)
    assert.equal((await storedEvents(service(), to.id, 'template.updated')).length, 0)
    assert.equal((await storedEvents(service(), from.id, 'template.created')).length, 3)
    assert.deepEqual([...new Set(Object.values(outcomes(await clone())))].toSorted(), ['skipped', 'unchanged'])
  })

  it('changes templates of the same name if requested, and keeps their ids and the configuration', async () => {
    const { from, to, create, clone } = await twoTenants(service())
    const welcomeOf = (tenant: typeof to) => tenant.auth?.welcomeEmailTemplateId ?? ''
    await service().ok('updateTemplate', {
      params: { id: welcomeOf(from) },
      body: { body: 'Come in', subject: 'Hello' },
    })
    await create(from.id, 'note', 'a mail')
    await create(to.id, 'note', 'a text', 'sms')
    const said = outcomes(await clone({ overwrite: true }))
    assert.deepEqual([said['welcome'], said['note'], said['magic-link']], ['overwritten', 'skipped', 'unchanged'])
    const welcome = await service().ok<Template>('getTemplate', { params: { id: welcomeOf(to) } })
    assert.deepEqual([welcome.body, welcome.subject], ['Come in', 'Hello'])
    assert.equal((await storedEvents(service(), to.id, 'template.updated')).length, 1)
  })

  it('copies only the named ones, by id or name, and none if one of them is unknown', async () => {
    const { from, create, clone } = await twoTenants(service())
    const receipt = await create(from.id, 'receipt', 'x')
    await create(from.id, 'note', 'x')
    await create(from.id, 'other', 'x')
    const body = { tenantId: from.id, toTenantId: (await createTenant(service())).tenant.id }
    await assertWritesNothing(service().deps.db, async () => {
      const { issues } = await service().refused('cloneTemplates', 'validation_failed', {
        body: { ...body, templates: ['note', 'nothing'] },
      })
      assert.deepEqual(
        issues?.map(({ path, code }) => [path, code]),
        [['/templates/1', 'unknown_reference']],
      )
    })
    const cloned = await clone({ templates: [receipt.id, 'note'] })
    assert.deepEqual(outcomes(cloned), { receipt: 'created', note: 'created' })
  })

  // Guards: copied-templates
  it('needs permission to read the one tenant and to change the other', async () => {
    const { from, to } = await twoTenants(service())
    const member = await signInConsoleUser(service())
    const { token } = member
    const body = { tenantId: from.id, toTenantId: to.id }
    await service().refused('cloneTemplates', 'not_found', { body, token })
    await addMember(service(), to.id, member, 'roleEditConfig')
    await service().refused('cloneTemplates', 'not_found', { body, token })
    await addMember(service(), from.id, member, 'roleViewUsers')
    await service().refused('cloneTemplates', 'forbidden', { body, token })
    await service().refused('cloneTemplates', 'forbidden', { body: { tenantId: to.id, toTenantId: from.id }, token })
    const { tenant: another } = await createTenant(service())
    await addMember(service(), another.id, member, 'roleViewConfig')
    const allowed = { body: { tenantId: another.id, toTenantId: to.id }, token }
    // Some of these templates carry codes or links.
    await service().refused('cloneTemplates', 'forbidden', allowed)
    const administrator = await signInConsoleUser(service())
    await addMember(service(), to.id, administrator, 'roleEditConfig', 'roleEditUsers')
    await addMember(service(), another.id, administrator, 'roleViewConfig')
    await service().ok('cloneTemplates', { ...allowed, token: administrator.token })
  })
})
