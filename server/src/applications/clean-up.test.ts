import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createTenant } from '../../test/harness/factories.ts'
import { describeService } from '../../test/harness/service.ts'
import { fromMs } from '../platform/clock.ts'
import { sql } from '../platform/db/sql.ts'
import { cleanUpAuthorizations } from './clean-up.ts'

describeService('cleaning up after the authorization server', (service) => {
  it('removes what has expired, a few hundred rows at a time, and nothing else', async () => {
    const { deps } = service()
    const { db, clock } = deps
    const { tenant } = await createTenant(service())
    const [past, future] = [fromMs(clock.nowMs() - 1000), fromMs(clock.nowMs() + 60_000)]
    const rows = [...Array.from({ length: 501 }, (_, index) => [`old-${index}`, past]), ['new', future]] as const
    await db.transaction(async (tx) => {
      for (const [idHash, expiresAt] of rows) {
        await tx.run(
          sql`INSERT INTO oauth_replays (tenant_id, id_hash, expires_at) VALUES (${tenant.id}, ${idHash}, ${expiresAt})`,
        )
      }
      for (const [idHash, expiresAt] of [
        ['old', past],
        ['new', future],
      ] as const) {
        await tx.run(
          sql`INSERT INTO oauth_tokens (tenant_id, id_hash, kind, payload, expires_at, created_at)
            VALUES (${tenant.id}, ${idHash}, ${'AccessToken'}, ${'{}'}, ${expiresAt}, ${past})`,
        )
      }
    })
    assert.equal(await cleanUpAuthorizations(deps), true)
    while (await cleanUpAuthorizations(deps)) {
      // Other tests of this database may have left more.
    }
    for (const table of ['oauth_replays', 'oauth_tokens']) {
      const left = await db.all(
        sql`SELECT id_hash FROM ${sql.identifier(table)} WHERE tenant_id = ${tenant.id} ORDER BY id_hash`,
      )
      assert.deepEqual(
        left.map((row) => (row as { id_hash: string }).id_hash),
        ['new'],
        table,
      )
    }
  })
})
