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
  it('are all of them where everything is on and there', () => {
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

  it('need what they send through', () => {
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
  it('is told with every strategy and why it cannot be used', () => {
    const [issue, ...more] = lockoutIssues(withAll(true), withAll(false), everything)
    assert.deepEqual(more, [])
    assert.equal(issue?.path, '/signInEnabled')
    for (const strategy of firstFactorStrategies) assert.ok(issue.message.includes(`${strategy}: `), strategy)
  })

  it('is nothing when sign-in is off anyway', () => {
    assert.deepEqual(lockoutIssues(withAll(true), { ...withAll(false), signInEnabled: false }, everything), [])
  })

  it('is also to switch on what has no channel', () => {
    const issues = lockoutIssues(withAll(false), withAll(true), nothing)
    assert.deepEqual(
      issues.map(({ path }) => path),
      ['/strategyEmailLinkEnabled', '/strategyEmailCodeEnabled', '/strategyPhoneCodeEnabled'],
    )
  })

  it('is not what was on before', () => {
    assert.deepEqual(lockoutIssues(withAll(true), { ...withAll(true), signUpEnabled: false }, nothing), [])
  })
})
