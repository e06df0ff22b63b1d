// A change of the rules that is not saved yet: only the differences from the rules in use.
import type { SettingName, TenantAuth } from '@bailiwick/contract'
import { useState } from 'react'
import { isSame } from '../../form/form-state.ts'

export type Draft = Readonly<Partial<Record<SettingName, unknown>>>

export function useDraft(rules: TenantAuth) {
  const [edits, setEdits] = useState<Draft>({})
  // If somebody else has meanwhile set the same value, it is no longer a difference.
  const changed = Object.fromEntries(
    Object.entries(edits).filter(([name, value]) => !isSame(value ?? null, rules[name as SettingName] ?? null)),
  ) as Draft
  return {
    draft: changed,
    valueOf: (name: SettingName): unknown => (name in changed ? changed[name] : rules[name]),
    edit: (name: SettingName, value: unknown) => setEdits({ ...edits, [name]: value ?? null }),
    reset: () => setEdits({}),
  }
}
