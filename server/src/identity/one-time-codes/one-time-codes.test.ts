import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createTenant } from '../../../test/harness/factories.ts'
import { describeService } from '../../../test/harness/service.ts'
import { newId, type TenantId } from '../../platform/ids.ts'
import { type CodePlace, issueCode, redeemCode } from './one-time-codes.ts'

describeService('a code or link', (service) => {
  const newTenantId = async () => (await createTenant(service())).tenant.id as TenantId
  const use = (place: CodePlace, secret: string) => {
    const { deps } = service()
    return deps.db.transaction((tx) => redeemCode(deps, tx, place, secret))
  }
  const issue = (place: CodePlace, kind: 'code' | 'link') => {
    const { deps } = service()
    return deps.db.transaction((tx) => issueCode(deps, tx, { ...place, userId: null, kind }))
  }

  // Guards: bound-proofs, asvs-bound-codes
  it('is valid only for its own tenant, purpose, flow and address together', async () => {
    const [tenantId, other] = [await newTenantId(), await newTenantId()]
    for (const kind of ['code', 'link'] as const) {
      const place = { tenantId, purpose: 'sign_in', flowId: newId(), addressKey: 'ada@acme.example' } as const
      const swapped: readonly CodePlace[] = [
        { ...place, tenantId: other },
        { ...place, purpose: 'password_reset' },
        { ...place, purpose: 'own_email' },
        { ...place, flowId: newId() },
        { ...place, addressKey: 'eve@acme.example' },
        { ...place, addressKey: '' },
      ]
      const secret = await issue(place, kind)
      for (const elsewhere of swapped) assert.equal(await use(elsewhere, secret), false, JSON.stringify(elsewhere))
      assert.equal(await use(place, secret), true)
      assert.equal(await use(place, secret), false)
    }
  })

  // Guards: bound-proofs
  it('does not become valid in another flow that has an open code', async () => {
    const tenantId = await newTenantId()
    const place = { tenantId, purpose: 'sign_in', flowId: newId(), addressKey: `${newId()}@acme.example` } as const
    const secret = await issue(place, 'link')
    for (const change of [{ purpose: 'password_reset' }, { flowId: newId() }] as const) {
      const elsewhere = { ...place, ...change, addressKey: `${newId()}@acme.example` }
      await issue(elsewhere, 'link')
      assert.equal(await use(elsewhere, secret), false)
      assert.equal(await use({ ...elsewhere, addressKey: place.addressKey }, secret), false)
    }
    assert.equal(await use(place, secret), true)
  })
})
