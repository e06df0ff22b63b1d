import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { EvaluationAnswer } from '@bailiwick/contract'
import { createOrganization, createRole, createUser } from '../../../test/harness/factories.ts'
import { tenantWith } from '../../../test/harness/people/signed-in-user.ts'
import { describeService, operatorKey } from '../../../test/harness/service.ts'

describeService('POST /auth/evaluations', (service) => {
  const world = async () => {
    const tenant = await tenantWith(service(), { organizationsEnabled: true })
    const role = await createRole(service(), tenant.id, { name: 'editor', permissions: ['articles:write'] })
    const manager = await createRole(service(), tenant.id, { name: 'manager', permissions: ['org:members:manage'] })
    const user = await createUser(service(), tenant.id, { roleId: role.id })
    const organization = await createOrganization(service(), tenant.id)
    const member = await service().ok<{ id: string }>('createOrganizationMember', {
      body: { organizationId: organization.id, userId: user.id, roleId: manager.id },
    })
    const ask = (body: object) => service().ok<EvaluationAnswer>('evaluate', { query: { tenantId: tenant.id }, body })
    return { tenant, role, user, organization, member, ask, subject: { type: 'user', id: user.id } }
  }
  const explain = { context: { explain: true } }
  const write = { action: { name: 'write' }, resource: { type: 'articles', id: '42' } }

  it('answers by the role at the tenant or in the organization, and says why if it is asked', async () => {
    const { user, organization, ask, subject } = await world()
    const roleless = await createUser(service(), user.tenantId)
    const suspended = await createUser(service(), user.tenantId)
    await service().ok('suspendUser', { params: { id: suspended.id } })
    const foreign = await world()
    const manage = { name: 'org:members:manage' }
    const here = { type: 'organization', id: organization.id }
    const cases: [question: object, reason: string][] = [
      [{ subject, ...write }, 'permitted'],
      [{ subject, ...write, action: { name: 'articles:write' }, resource: { type: 'x' } }, 'permitted'],
      [{ subject, ...write, action: { name: 'Write' } }, 'not_in_role'],
      [{ subject, ...write, action: { name: '*' } }, 'not_in_role'],
      [{ subject: { type: 'user', id: roleless.id }, ...write }, 'no_role'],
      [{ subject: { type: 'user', id: suspended.id }, ...write }, 'subject_not_active'],
      [{ subject: { type: 'user', id: 'nobody' }, ...write }, 'unknown_subject'],
      [{ subject: foreign.subject, ...write }, 'unknown_subject'],
      [{ subject: { type: 'group', id: user.id }, ...write }, 'unknown_subject'],
      [{ subject, action: { name: 'org:members:manage' }, resource: here }, 'permitted'],
      [
        { subject, action: manage, resource: { type: 'x', properties: { organizationId: organization.id } } },
        'permitted',
      ],
      [{ subject, action: manage, resource: { type: 'x' } }, 'not_in_role'],
      [{ subject, action: { name: 'articles:write' }, resource: here }, 'not_in_role'],
      [{ subject, action: manage, resource: { type: 'organization', id: foreign.organization.id } }, 'not_a_member'],
    ]
    for (const [question, reason] of cases) {
      const { decision, context } = await ask({ ...question, ...explain })
      assert.deepEqual([context?.reason, decision], [reason, reason === 'permitted'], JSON.stringify(question))
    }
    assert.deepEqual(await ask({ subject, ...write }), { decision: true })
    assert.deepEqual((await ask({ subject, ...write, ...explain })).context, {
      reason: 'permitted',
      permission: 'articles:write',
      role: 'editor',
    })
  })

  it('answers several questions in their order, with what they have in common, up to the first that matters', async () => {
    const { ask, subject } = await world()
    const evaluations = ['read', 'write', 'delete'].map((name) => ({ action: { name } }))
    const answers = async (semantic: string) => {
      const options = { evaluations_semantic: semantic }
      const { evaluations: found = [] } = await ask({ subject, resource: write.resource, evaluations, options })
      return found.map(({ decision }) => decision)
    }
    assert.deepEqual(await answers('execute_all'), [false, true, false])
    assert.deepEqual(await answers('deny_on_first_deny'), [false])
    assert.deepEqual(await answers('permit_on_first_permit'), [false, true])
    await service().refused('evaluate', 'validation_failed', {
      query: { tenantId: (await world()).tenant.id },
      body: { evaluations: Array.from({ length: 101 }, () => ({})) },
    })
  })

  it('refuses a question that lacks a part, and answers the others of several', async () => {
    const { tenant, ask, subject } = await world()
    const alone = await service().refused('evaluate', 'validation_failed', {
      query: { tenantId: tenant.id },
      body: { subject, resource: write.resource },
    })
    assert.deepEqual((alone as { issues?: readonly object[] }).issues, [
      { path: '/action', code: 'required', message: 'is required' },
    ])
    const options = { evaluations_semantic: 'execute_all', another_option: 'value' }
    const evaluations = [{ resource: write.resource }, write]
    const [broken, whole] = (await ask({ subject, evaluations, options })).evaluations ?? []
    assert.equal(broken?.decision, false)
    assert.deepEqual(broken.context?.error, { status: 400, message: 'The evaluation has no action.' })
    assert.deepEqual(whole, { decision: true })
  })

  it('is found in the metadata of the issuer, and returns the id of the request', async () => {
    const { tenant, subject } = await world()
    const url = `/.well-known/authzen-configuration/t/${tenant.id}`
    const { body } = await service().request({ method: 'GET', url, headers: { host: 'id.test' } })
    const metadata = body as Readonly<Record<string, string>>
    const issuer = `${new URL(service().deps.config.baseUrl).origin}/t/${tenant.id}`
    assert.equal(metadata['policy_decision_point'], issuer)
    assert.equal(metadata['access_evaluations_endpoint'], metadata['access_evaluation_endpoint'])
    const { pathname, search } = new URL(metadata['access_evaluation_endpoint'] ?? '')
    const answer = await service().request({
      method: 'POST',
      url: pathname + search,
      headers: { host: 'id.test', authorization: `Bearer ${operatorKey}`, 'x-request-id': 'bfe9eb29-ab87' },
      payload: { subject, ...write },
    })
    assert.deepEqual(
      [answer.status, answer.body, answer.headers['x-request-id']],
      [200, { decision: true }, 'bfe9eb29-ab87'],
    )
  })

  it('knows at once that a membership has ended, or organizations are off', async () => {
    const { tenant, organization, member, ask, subject } = await world()
    const manage = {
      subject,
      action: { name: 'org:members:manage' },
      resource: { type: 'organization', id: organization.id },
      ...explain,
    }
    const organizationsEnabled = (isOn: boolean) =>
      service().ok('putAuthTenant', { params: { id: tenant.id }, body: { organizationsEnabled: isOn } })
    await organizationsEnabled(false)
    assert.equal((await ask(manage)).context?.reason, 'organizations_disabled')
    await organizationsEnabled(true)
    assert.equal((await ask(manage)).decision, true)
    await service().ok('deleteOrganizationMember', { params: { id: member.id } })
    assert.equal((await ask(manage)).context?.reason, 'not_a_member')
  })

  // Guards: revoked-elsewhere
  it('knows at once of every change of the user and the role', async () => {
    const { tenant, user, role, ask, subject } = await world()
    const other = await createRole(service(), tenant.id, { permissions: ['articles:read'] })
    const change = (id: 'updateUser' | 'updateRole', of: { readonly id: string }, body: object) => () =>
      service().ok(id, { params: { id: of.id }, body })
    const act = (id: 'suspendUser' | 'unsuspendUser' | 'deleteUser') => () =>
      service().ok(id, { params: { id: user.id } })
    const steps: [does: () => Promise<unknown>, reason: string][] = [
      [async () => undefined, 'permitted'],
      [change('updateRole', role, { permissions: ['articles:read'] }), 'not_in_role'],
      [change('updateRole', role, { permissions: ['articles:write'] }), 'permitted'],
      [change('updateUser', user, { roleId: other.id }), 'not_in_role'],
      [change('updateUser', user, { roleId: null }), 'no_role'],
      [change('updateUser', user, { roleId: role.id }), 'permitted'],
      [act('suspendUser'), 'subject_not_active'],
      [act('unsuspendUser'), 'permitted'],
      [change('updateUser', user, { status: 'inactive' }), 'subject_not_active'],
      [act('deleteUser'), 'unknown_subject'],
    ]
    for (const [index, [does, reason]] of steps.entries()) {
      await does()
      // Asked twice: the second answer is one that memory has.
      for (const _time of [1, 2])
        assert.equal((await ask({ subject, ...write, ...explain })).context?.reason, reason, String(index))
    }
  })
})
