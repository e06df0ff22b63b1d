// A membership that ends by itself: neither node gives rights by it any more, whichever of them removes the record, and one of them says so.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { EvaluationAnswer, OrganizationMember, OwnOrganization } from '@bailiwick/contract'
import { endExpiredMemberships } from '../../src/identity/organizations/membership-ends.ts'
import { membersCounter } from '../../src/identity/organizations/membership.ts'
import { fromMs } from '../../src/platform/clock.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { storedCounter, storedEvents } from '../harness/databases/stored.ts'
import { signedInUser, tenantWith } from '../harness/people/signed-in-user.ts'
import { browserAt, describeOnTwoNodes } from './two-nodes.ts'

describeOnTwoNodes('a membership with an end', (nodes) => {
  // Guards: membership-ends
  it('ends at both nodes at once, and is removed once', async () => {
    const { one, other } = nodes()
    const tenant = await tenantWith(one, { organizationsEnabled: true })
    const manager = await signedInUser(one, tenant)
    const { organization } = await manager.browser.ok<{ organization: OwnOrganization }>('createOwnOrganization', {
      body: { name: 'Research' },
    })
    const { id } = organization
    const person = await signedInUser(one, tenant)
    const body = { organizationId: id, userId: person.user.id, roleId: organization.role?.id }
    const member = await one.ok<OrganizationMember>('createOrganizationMember', { body })
    const question = {
      subject: { type: 'user', id: person.user.id },
      action: { name: 'org:manage' },
      resource: { type: 'organization', id },
    }
    const answers = () =>
      Promise.all(
        [one, other].flatMap((node) => [
          node
            .ok<EvaluationAnswer>('evaluate', { query: { tenantId: tenant.id }, body: question })
            .then(({ decision }) => decision),
          browserAt(node, person.browser)
            .call('getOwnOrganization', { params: { id } })
            .then(({ status }) => status),
        ]),
      )
    assert.deepEqual(await answers(), [true, 200, true, 200])
    // Nothing tells the nodes: only the time says it.
    await one.deps.db.write(() => [
      sql`UPDATE organization_members SET expires_at = ${fromMs(one.deps.clock.nowMs() - 1)} WHERE id = ${member.id}`,
    ])
    assert.deepEqual(await answers(), [false, 404, false, 404])
    await Promise.all([one, other, one, other].map(({ deps }) => endExpiredMemberships(deps)))
    assert.equal((await storedEvents(one, tenant.id, 'organization_membership.expired')).length, 1)
    assert.equal(await storedCounter(other, tenant.id, membersCounter(id)), 1)
  })
})
