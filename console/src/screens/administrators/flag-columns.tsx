import type { RoleFlag } from '@bailiwick/contract'
import type { Column } from '../../lists/table.tsx'
import { Icon } from '../../parts/icon.tsx'
import { flagNames } from '../../session/rights.ts'
import { flags } from './flag-fields.ts'

/** A mark with its meaning in words. */
function Held({ isHeld }: { readonly isHeld: boolean }) {
  return (
    <span className={isHeld ? 'held' : 'held none'}>
      {isHeld ? <Icon name="check" /> : <span aria-hidden="true">–</span>}
      <span className="visually-hidden">{isHeld ? 'yes' : 'no'}</span>
    </span>
  )
}

/** A column for each right: yes or no. */
export const flagColumns: readonly Column<Readonly<Record<RoleFlag, boolean>>>[] = flags.map((flag) => ({
  title: flagNames[flag],
  cell: (record) => <Held isHeld={record[flag]} />,
}))
