import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type TenantAuthSettings, defaultTenantAuthSettings } from '@bailiwick/contract'
import {
  firstFactorStrategies,
  lockoutIssues,
  obstacle,
  strategySettings,
  usableStrategies,
} from './usable-strategies.ts'

const everything = { hasEmailChannel: true, hasSmsChannel: true, hasSocialProvider: true }
const nothing = { hasEmailChannel: false, hasSmsChannel: false, hasSocialProvider: false }

const withAll = (value: boolean): TenantAuthSettings => {
  const auth = { ...defaultTenantAuthSettings() }
  for (const settings of Object.values(strategySettings)) {
    for (const setting of settings) Object.assign(auth, { [setting]: value })
  }
  return auth
}

describe('usable strategies', () => {
  it('are all of them if everything is on and available', () => {
    assert.deepEqual(usableStrategies(withAll(true), everything), firstFactorStrategies)
  })

  for (const strategy of firstFactorStrategies) {
    for (const setting of strategySettings[strategy]) {
      it(`${strategy} needs ${setting}`, () => {
        const auth = { ...withAll(true), [setting]: false }
        assert.equal(obstacle(strategy, auth, everything), `${setting} is off`)
      })
    }
  }

  it('need the channel that they send through', () => {
    const auth = withAll(true)
    assert.deepEqual(usableStrategies(auth, nothing), [
      'username_password',
      'email_password',
      'phone_password',
      'security_key',
    ])
    assert.match(obstacle('email_code', auth, nothing) ?? '', /e-mail channel/)
    assert.match(obstacle('phone_code', auth, nothing) ?? '', /SMS channel/)
    assert.match(obstacle('oauth', auth, nothing) ?? '', /social provider/)
  })
})

describe('a change that locks everybody out', () => {
  it('is refused with the reason for every strategy', () => {
    const [issue, ...more] = lockoutIssues(withAll(true), withAll(false), everything)
    assert.deepEqual(more, [])
    assert.equal(issue?.path, '/signInEnabled')
    for (const strategy of firstFactorStrategies) assert.ok(issue.message.includes(`${strategy}: `), strategy)
  })

  it('is accepted if sign-in is off anyway', () => {
    assert.deepEqual(lockoutIssues(withAll(true), { ...withAll(false), signInEnabled: false }, everything), [])
  })

  it('includes switching on a strategy without a channel', () => {
    const issues = lockoutIssues(withAll(false), withAll(true), nothing)
    assert.deepEqual(
      issues.map(({ path }) => path),
      ['/strategyEmailLinkEnabled', '/strategyEmailCodeEnabled', '/strategyPhoneCodeEnabled'],
    )
  })

  it('includes switching on roles of organizations that could give nothing', () => {
    const off = { ...withAll(true), organizationRolesEnabled: false, organizationRolePermissions: [] }
    const on = { ...off, organizationRolesEnabled: true }
    assert.deepEqual(
      lockoutIssues(off, on, everything).map(({ path, code }) => [path, code]),
      [['/organizationRolesEnabled', 'unusable']],
    )
    assert.deepEqual(lockoutIssues(on, on, everything), [], 'what was on before stays')
    assert.deepEqual(lockoutIssues(off, { ...on, organizationRolePermissions: ['org:read'] }, everything), [])
  })

  it('does not include a strategy that was on before', () => {
    assert.deepEqual(lockoutIssues(withAll(true), { ...withAll(true), signUpEnabled: false }, nothing), [])
  })
})
