// An import runs in a process of its own beside serving nodes: what they remember of the tenant becomes invalid with it.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Tenant } from '@bailiwick/contract'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { exported, imported } from '../../../test/harness/files/archives.ts'
import { openSession } from '../../../test/harness/people/sessions.ts'
import { signedInUser, tenantWith } from '../../../test/harness/people/signed-in-user.ts'
import { describeOnTwoNodes } from '../../../test/nodes/two-nodes.ts'
import { sql } from '../../platform/db/sql.ts'
import { eraseDeletedTenants } from '../tenant-lifecycle/erasure.ts'

const waitMsMax = 60_000
const restorableMs = 31 * 24 * 60 * 60 * 1000

describeOnTwoNodes('a tenant that is imported beside a node that has known it', (nodes) => {
  it('is found there by its key and slug, as it was exported, and no earlier session is valid', async () => {
    const { one, other } = nodes()
    const isAlone = one.deps.db.engine === 'sqlite'
    const tenant = await tenantWith(one)
    const { user, browser } = await signedInUser(one, tenant)
    await browser.ok('getProfile')
    const file = await exported(other, tenant.id)
    const params = { id: tenant.id }
    await one.ok('updateTenant', { params, body: { name: 'Renamed since' } })
    await one.ok('deleteTenant', { params })
    nodes().advance(restorableMs)
    while (await eraseDeletedTenants(other.deps));
    const byKey = () => one.ok<Tenant | null>('getTenantByPublicKey', { params: { publicKey: tenant.publicKey } })
    const bySlug = () => one.ok<Tenant | null>('getTenantBySlug', { params: { slug: tenant.slug } })
    assert.deepEqual([await byKey(), await bySlug()], [null, null])
    await browser.refused('getProfile', 'not_found')

    // On SQLite there is only one process, so nobody has to be told.
    const tellings = async () =>
      isAlone
        ? 0
        : (
            await one.deps.db.all(
              sql`SELECT 1 AS told FROM cache_invalidations WHERE tenant_id = ${tenant.id} LIMIT 100`,
            )
          ).length
    const before = await tellings()
    await imported(other, file)
    assert.equal(await tellings(), isAlone ? 0 : before + 1)
    for (const deadline = Date.now() + waitMsMax; (await byKey()) === null; await sleep(10))
      if (Date.now() > deadline) assert.fail('the imported tenant was waited for in vain')
    assert.deepEqual([(await byKey())?.name, (await bySlug())?.id], [tenant.name, tenant.id])
    await browser.refused('getProfile', 'unauthenticated')
    const { token } = await openSession(one, tenant.id, user.id)
    await new Browser(one, tenant.publicKey, { authorization: `Bearer ${token}` }).ok('getProfile')
  })
})
