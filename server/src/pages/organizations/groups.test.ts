// The pages about groups of organizations.
import assert from 'node:assert/strict'
import { it } from 'node:test'
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
      { memberId: grace?.getAttribute('value') ?? '' },
      { button: 'Add to the group' },
    )
    assert.match(added.text, /has been added to the group.*Grace Hopper/s)
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
