// A directory deactivates a member at one node: the person is out at both.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { UserDetails } from '@bailiwick/contract'
import { Browser } from '../harness/browser/frontend.ts'
import { person, scimWorld } from '../harness/people/scim.ts'
import { openSession } from '../harness/people/sessions.ts'
import { describeOnTwoNodes } from './two-nodes.ts'

/** A change is at the other node within a second; a slow machine has half a minute. */
const [triesMax, pauseMs] = [600, 50]

describeOnTwoNodes('a member whom a directory deactivates', (nodes) => {
  // Guards: directory-ends-membership
  it('has no session at any node, and the token of the directory that is revoked works at none', async () => {
    const { one, other } = nodes()
    const { tenant, domain, directory, connectionId } = await scimWorld(one)
    const sent = person(domain)
    const { id } = await directory.createUser(sent)
    const query = { tenantId: tenant.id, query: sent.userName }
    const [user] = (await one.ok<{ data: UserDetails[] }>('listUsers', { query })).data
    const { token } = await openSession(one, tenant.id, user?.id ?? '')
    const status = async () => {
      const browser = new Browser(other, tenant.publicKey, { authorization: `Bearer ${token}` })
      return (await browser.call('getProfile')).status
    }
    assert.equal(await status(), 200)
    await directory.patch(`/Users/${id}`, [{ op: 'replace', path: 'active', value: false }])
    for (let tries = 0; (await status()) !== 401; tries++) {
      assert.ok(tries < triesMax, 'waited in vain until the other node refuses the session')
      await sleep(pauseMs)
    }
    const there = directory.at(other)
    assert.equal((await there.call('GET', '/Users')).status, 200)
    const [listed] = await one.ok<{ id: string }[]>('listScimTokens', { params: { id: connectionId } })
    await one.ok('deleteScimToken', { params: { id: connectionId, tokenId: listed?.id ?? '' } })
    assert.equal((await there.call('GET', '/Users')).status, 401)
  })
})
