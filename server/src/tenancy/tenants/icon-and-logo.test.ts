import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Tenant } from '@bailiwick/contract'
import { createFile, createTenant, createUpload } from '../../../test/harness/factories.ts'
import { describeService } from '../../../test/harness/service.ts'

describeService('the icon and the logo of a tenant', (service) => {
  const update = (id: string, body: object) => service().ok<Tenant>('updateTenant', { params: { id }, body })

  it('are files of the tenant, shown at their address', async () => {
    const { tenant } = await createTenant(service())
    const { id } = await createFile(service(), tenant.id)
    const shown = await update(tenant.id, { iconId: id, logoId: id })
    const address = `${service().deps.config.baseUrl}/media/${tenant.id}/${id}/image`
    assert.deepEqual([shown.iconId, shown.iconUri], [id, `${address}?t=thumbnail`])
    assert.deepEqual([shown.logoId, shown.logoUri], [id, `${address}?t=original`])
    const renamed = await update(tenant.id, { name: 'Another', iconId: null })
    assert.deepEqual([renamed.iconId, renamed.iconUri, renamed.logoUri], [null, null, shown.logoUri])
  })

  it("must be complete, public and the tenant's own", async () => {
    const { tenant } = await createTenant(service())
    const { tenant: other } = await createTenant(service())
    const refused: [string, string][] = [
      [(await createFile(service(), other.id)).id, 'unknown_reference'],
      [(await createUpload(service(), tenant.id)).id, 'unknown_reference'],
      [(await createFile(service(), tenant.id, { access: 'private' })).id, 'not_public'],
    ]
    for (const [logoId, code] of refused) {
      const request = { params: { id: tenant.id }, body: { logoId } }
      const { issues } = await service().refused('updateTenant', 'validation_failed', request)
      assert.deepEqual(
        issues?.map((issue) => [issue.path, issue.code]),
        [['/logoId', code]],
      )
    }
  })

  it('are not deleted while they are shown, even if both happen at once', async () => {
    const { tenant } = await createTenant(service())
    for (let round = 0; round < 10; round++) {
      const { id } = await createFile(service(), tenant.id)
      const [, deleted] = await Promise.all([
        service().call('updateTenant', { params: { id: tenant.id }, body: { logoId: id } }),
        service().call('deleteFile', { params: { id } }),
      ])
      const { logoId } = await service().ok<Tenant>('getTenant', { params: { id: tenant.id } })
      assert.equal(logoId === id, deleted.status !== 200)
      if (deleted.status !== 200) assert.equal(deleted.body['code'], 'file_in_use')
      await update(tenant.id, { logoId: null })
    }
  })
})
