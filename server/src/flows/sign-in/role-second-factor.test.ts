// A role that requires a second factor of its users, in a tenant that requires none of the others.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { RoleDetails, SignInExplanation } from '@bailiwick/contract'
import { createRole, createTenant, createUser, unique } from '../../../test/harness/factories.ts'
import { Person, password } from '../../../test/harness/people/people.ts'
import { describeService } from '../../../test/harness/service.ts'

const noFactors = { strategyAuthenticatorCodeEnabled: false, strategySecurityKeyEnabled: false }

describeService('a role that requires a second factor', (service) => {
  async function home(requiresSecondFactor = true) {
    const { tenant } = await createTenant(service())
    const role = await createRole(service(), tenant.id, { name: 'Keeper', requiresSecondFactor })
    const someone = async (roleId?: string) => {
      const email = `${unique()}@example.com`
      const user = await createUser(service(), tenant.id, {
        email,
        password,
        ...(roleId === undefined ? {} : { roleId }),
      })
      await service().ok('verifyEmailAddress', { body: { id: user.primaryEmailId } })
      return new Person(service(), tenant, user, email)
    }
    return { tenant, role, someone }
  }

  // Guards: second-factors
  it('lets its users in only with one, and everybody else without', async () => {
    const { role, someone } = await home()
    const [keeper, other] = [await someone(role.id), await someone()]
    assert.equal((await other.begin()).signInAttempt.status, 'complete')
    const { signInAttempt, session } = await keeper.begin()
    assert.equal(signInAttempt.status, 'needs_enrolment')
    assert.equal(session, undefined)
    await keeper.browser.refused('getProfile', 'unauthenticated')
  })

  it('holds from the next sign-in after the role is given or changed', async () => {
    const { role, someone } = await home(false)
    const keeper = await someone(role.id)
    assert.equal((await keeper.begin()).signInAttempt.status, 'complete')
    const body = { requiresSecondFactor: true }
    const changed = await service().ok<RoleDetails>('updateRole', { params: { id: role.id }, body })
    assert.equal(changed.requiresSecondFactor, true)
    assert.equal((await keeper.begin(keeper.elsewhere())).signInAttempt.status, 'needs_enrolment')
    await service().ok('updateRole', { params: { id: role.id }, body: { requiresSecondFactor: false } })
    assert.equal((await keeper.begin(keeper.elsewhere())).signInAttempt.status, 'complete')
  })

  it('is named by the explanation of a sign-in', async () => {
    const { tenant, role, someone } = await home()
    const explained = async ({ email }: Person) => {
      const call = { params: { id: tenant.id }, body: { identifier: email } }
      return service().ok<SignInExplanation>('explainSignIn', call)
    }
    const keeper = await explained(await someone(role.id))
    assert.deepEqual(keeper.secondFactorRules, [{ by: 'role', id: role.id, name: 'Keeper' }])
    assert.deepEqual(
      keeper.secondFactors.map(({ strategy, usable }) => [strategy, usable]),
      [
        ['authenticator_code', false],
        ['security_key', false],
      ],
    )
    assert.deepEqual((await explained(await someone())).secondFactorRules, [])
  })

  it('keeps its users from removing their last second factor', async () => {
    const { role, someone } = await home(false)
    const keeper = await someone(role.id)
    await keeper.begin()
    await keeper.addApp()
    await service().ok('updateRole', { params: { id: role.id }, body: { requiresSecondFactor: true } })
    await keeper.browser.refused('deleteAuthenticatorCode', 'second_factor_required')
  })

  it('is refused where no second factor can be set up, and keeps the last one switched on', async () => {
    const { tenant, role } = await home()
    const off = { params: { id: tenant.id }, body: noFactors }
    const { issues } = await service().refused('putAuthTenant', 'validation_failed', off)
    assert.match(issues?.[0]?.message ?? '', /role Keeper requires a second factor/)
    await service().ok('updateRole', { params: { id: role.id }, body: { requiresSecondFactor: false } })
    await service().ok('putAuthTenant', off)
    const rule = { requiresSecondFactor: true }
    await service().refused('updateRole', 'validation_failed', { params: { id: role.id }, body: rule })
    const body = { tenantId: tenant.id, name: 'Other', ...rule }
    await service().refused('createRole', 'validation_failed', { body })
  })
})
