import type { RoleFlag } from '@bailiwick/contract'
import type { Column } from '../../lists/table.tsx'
import { flagNames } from '../../session/rights.ts'
import { flags } from './flag-fields.ts'
import { findPreset } from './presets.ts'

type Flags = Readonly<Record<RoleFlag, boolean>>

/** Says what somebody may do: the name of the set of rights where there is one, otherwise each right. */
export const rightsColumn: Column<Flags> = {
  title: 'Rights',
  cell(record) {
    const rights = flags.filter((flag) => record[flag])
    const preset = findPreset(rights)
    if (preset !== undefined) return preset.label
    if (rights.length === 0) return <span className="quiet">No rights</span>
    return rights.map((flag) => flagNames[flag]).join(', ')
  },
}
