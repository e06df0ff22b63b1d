import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Setting, settingGroups } from './setting-kinds.ts'
import { type SettingName, tenantAuthSettings } from './tenant-auth-settings.ts'

const words = { group: 'sessions', label: 'Maximum session length', help: 'How long a session can last.' } as const
const limits = { default: 1, minimum: 1, maximum: 2 } as const

// @ts-expect-error: no setting is in years
export const years: Setting = { kind: 'integer', ...limits, unit: 'years', ...words }
// @ts-expect-error: what is on or off has no unit
export const onInSeconds: Setting = { kind: 'boolean', default: true, unit: 'seconds', ...words }
// @ts-expect-error: every setting has a group
export const ungrouped: Setting = { kind: 'boolean', default: true, label: 'x', help: 'x' }

describe('the settings of a tenant', () => {
  const all = Object.entries<Setting>(tenantAuthSettings)

  it('each have a label of their own in their group, and help in whole sentences', () => {
    const labels = all.map(([, { group, label }]) => `${group}: ${label}`)
    assert.equal(new Set(labels).size, labels.length)
    for (const [name, { help, label }] of all) {
      assert.match(label, /^[A-Z][^.]*$/, name)
      assert.match(help, /^[A-Z].*\.$/s, name)
    }
  })

  it('name only settings that exist', () => {
    for (const [name, { help }] of all) {
      const named = help.match(/\b[a-z]+[A-Z]\w*(?:Enabled|Required|Lifetime|Timeout|Limit)\b/g) ?? []
      assert.deepEqual(
        named.filter((each) => !Object.hasOwn(tenantAuthSettings, each as SettingName)),
        [],
        name,
      )
    }
  })

  it('leave no group empty', () => {
    const used = new Set(all.map(([, { group }]) => group))
    assert.deepEqual(Object.keys(settingGroups).toSorted(), [...used].toSorted())
  })
})
