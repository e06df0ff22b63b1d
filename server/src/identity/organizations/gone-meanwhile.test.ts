// What a join or an invitation names may be deleted between the look-up and the write: the answer then says what is missing.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { describeInterrupted } from '../../../test/harness/databases/interrupted-database.ts'
import { createOrganization, createRole, createTenant, createUser, unique } from '../../../test/harness/factories.ts'

describeInterrupted('deleted while somebody joins', (service, beforeNextWrite) => {
  async function scene() {
    const { tenant } = await createTenant(service())
    const { id: organizationId } = await createOrganization(service(), tenant.id)
    const { id: userId } = await createUser(service(), tenant.id)
    const { id: roleId } = await createRole(service(), tenant.id)
    return { tenant, organizationId, userId, roleId }
  }
  type Scene = Awaited<ReturnType<typeof scene>>

  const join = ({ organizationId, userId, roleId }: Scene) =>
    service().call('createOrganizationMember', { body: { organizationId, userId, roleId } })
  const invite = ({ organizationId, roleId }: Scene) =>
    service().call('createOrganizationInvitation', {
      body: { organizationId, email: `${unique()}@example.com`, roleId },
    })

  /** What the answer names as the cause: the paths of its issues, otherwise its code. */
  async function blamed(ask: (scene: Scene) => ReturnType<typeof join>, remove: (scene: Scene) => Promise<unknown>) {
    const given = await scene()
    beforeNextWrite(() => remove(given))
    const { body } = await ask(given)
    const { code, issues } = body as { code?: string; issues?: { path: string; code: string }[] }
    return issues?.map((issue) => `${issue.path} ${issue.code}`) ?? code
  }
  const role = ({ roleId }: Scene) => service().ok('deleteRole', { params: { id: roleId } })
  const user = ({ userId }: Scene) => service().ok('deleteUser', { params: { id: userId } })
  const organization = ({ organizationId }: Scene) =>
    service().ok('deleteOrganization', { params: { id: organizationId } })

  it('a role or a user is named with 400, like one that never existed', async () => {
    assert.deepEqual(await blamed(join, role), ['/roleId unknown_reference'])
    assert.deepEqual(await blamed(join, user), ['/userId unknown_reference'])
    assert.deepEqual(await blamed(invite, role), ['/roleId unknown_reference'])
  })

  it('an organization is answered with 404', async () => {
    assert.equal(await blamed(join, organization), 'not_found')
    assert.equal(await blamed(invite, organization), 'not_found')
  })
})
