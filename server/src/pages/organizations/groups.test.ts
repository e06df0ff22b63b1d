// The pages about groups of organizations, and about roles of their own.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { OrganizationRole } from '@bailiwick/contract'
import { newHome, pathOf, visitor } from '../../../test/harness/browser/page-visitors.ts'
import { createUser, unique } from '../../../test/harness/factories.ts'
import { describeService } from '../../../test/harness/service.ts'

describeService('the pages about groups of organizations', (service) => {
  it('make a group, say who is in it, change and delete it', async () => {
    const home = await newHome(service())
    const { browser } = await visitor(service(), home)
    const at = pathOf(await browser.send(await browser.open(`${home.at}/organizations/new`), { name: 'Research' }))
    const organizationId = at.split('/').at(-1) ?? ''
    const { id: userId } = await createUser(service(), home.tenant.id, { name: 'Grace Hopper' })
    await service().ok('createOrganizationMember', { body: { organizationId, userId } })
    const list = await browser.open(`${at}/groups`)
    assert.match(list.text, /has no groups yet/)
    const group = await browser.send(list, { name: 'Engineering' })
    assert.match(group.text, /The group has been created.*This group has no members yet/s)
    const twice = await browser.send(list, { name: 'ENGINEERING' })
    assert.deepEqual([twice.status, Object.keys(twice.errors)], [409, ['name']])
    const options = [...group.document.querySelectorAll('option')]
    const grace = options.find(({ textContent }) => textContent.includes('Grace'))
    const added = await browser.send(
      group,
      { memberId: grace?.getAttribute('value') ?? '', days: '30' },
      { button: 'Add to the group' },
    )
    assert.match(added.text, /has been added to the group.*Grace Hopper.*until \w+ \d/s)
    const removed = await browser.send(added, {}, { button: 'Remove from the group' })
    assert.match(removed.text, /This group has no members yet/)
    const name = unique()
    const renamed = await browser.send(removed, { name }, { button: 'Save' })
    assert.match(renamed.text, new RegExp(name))
    const deleted = await browser.send(renamed, {}, { button: 'Delete the group' })
    assert.match(deleted.text, /The group has been deleted.*has no groups yet/s)
  })

  it('are shown to those alone who may manage groups', async () => {
    const home = await newHome(service())
    const { browser } = await visitor(service(), home)
    const at = pathOf(await browser.send(await browser.open(`${home.at}/organizations/new`), { name: 'Research' }))
    const fellow = await visitor(service(), home)
    const body = { organizationId: at.split('/').at(-1) ?? '', userId: fellow.userId }
    await service().ok('createOrganizationMember', { body })
    assert.doesNotMatch((await fellow.browser.open(at)).text, /Groups/)
    assert.equal((await fellow.browser.open(`${at}/groups`)).status, 403)
    const stranger = await visitor(service(), home)
    assert.equal((await stranger.browser.open(`${at}/groups`)).status, 404)
  })
})

describeService('the pages about roles of an organization’s own', (service) => {
  async function openHome() {
    const home = await newHome(service())
    await service().ok('putAuthTenant', {
      params: { id: home.tenant.id },
      body: { organizationRolesEnabled: true, organizationRolePermissions: ['org:read', 'org:manage', 'orders:read'] },
    })
    const { browser } = await visitor(service(), home)
    const at = pathOf(await browser.send(await browser.open(`${home.at}/organizations/new`), { name: 'Research' }))
    return { home, browser, at, organizationId: at.split('/').at(-1) ?? '' }
  }

  it('make a role of what the reader may do, change and delete it', async () => {
    const { home, browser, at, organizationId } = await openHome()
    const list = await browser.open(`${at}/roles`)
    assert.match(list.text, /has no roles of its own yet/)
    const boxes = [...list.document.querySelectorAll('input[type=checkbox]')].map((box) => box.getAttribute('name'))
    assert.deepEqual(boxes, ['may:org:read', 'may:org:manage'])
    const made = await browser.send(list, { name: 'Porter', 'may:org:read': '1' })
    assert.match(made.text, /The role has been created.*Porter.*org:read/s)
    const twice = await browser.send(list, { name: 'ADMIN' })
    assert.deepEqual([twice.status, Object.keys(twice.errors)], [409, ['name']])
    const link = made.document.querySelector('a[href*="/roles/"]')?.getAttribute('href') ?? ''
    const role = await browser.open(link)
    const changed = await browser.send(
      role,
      { name: 'Guide', 'may:org:read': '1', 'may:org:manage': '1' },
      { button: 'Save' },
    )
    assert.match(changed.text, /changes have been saved/)
    const roles = await service().ok<OrganizationRole[]>('listOrganizationRoles', { params: { organizationId } })
    assert.deepEqual(roles[0]?.permissions, ['org:read', 'org:manage'])
    const { id: userId } = await createUser(service(), home.tenant.id)
    const member = { organizationId, userId, roleId: roles[0]?.id }
    const { id } = await service().ok<{ id: string }>('createOrganizationMember', { body: member })
    const refused = await browser.send(changed, {}, { button: 'Delete the role' })
    assert.match(refused.text, /Give them another one first/)
    await service().ok('deleteOrganizationMember', { params: { id } })
    const deleted = await browser.send(changed, {}, { button: 'Delete the role' })
    assert.match(deleted.text, /The role has been deleted.*has no roles of its own yet/s)
  })

  it('offer no change of a role that allows more than the reader may do, and are closed without the permission', async () => {
    const { home, browser, at, organizationId } = await openHome()
    const body = { name: unique(), permissions: ['orders:read'] }
    const { id } = await service().ok<{ id: string }>('createOrganizationRole', { params: { organizationId }, body })
    const beyond = await browser.open(`${at}/roles/${id}`)
    assert.match(beyond.text, /You cannot change this role/)
    assert.equal(beyond.document.querySelector('main form'), null)
    const fellow = await visitor(service(), home)
    await service().ok('createOrganizationMember', { body: { organizationId, userId: fellow.userId } })
    assert.equal((await fellow.browser.open(`${at}/roles`)).status, 403)
    const stranger = await visitor(service(), home)
    assert.equal((await stranger.browser.open(`${at}/roles`)).status, 404)
  })
})
