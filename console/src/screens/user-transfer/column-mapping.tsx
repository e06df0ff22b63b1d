// What each column of a file of separated values is imported as.
import { Table } from '../../lists/table.tsx'
import { type Column, type Target, isRepeatable, targets } from './columns.ts'

interface ColumnMappingProps {
  readonly columns: readonly Column[]
  readonly onChange: (columns: readonly Column[]) => void
}

interface TargetChoiceProps {
  readonly column: Column
  readonly onChoose: (target: Target) => void
}

const TargetChoice = ({ column: { name, target }, onChoose }: TargetChoiceProps) => (
  <select
    aria-label={`Import ${name} as`}
    value={target}
    onChange={(event) => onChoose(targets.find(({ value }) => value === event.target.value)?.value ?? '')}
  >
    {targets.map(({ value, label }) => (
      <option key={value} value={value}>
        {label}
      </option>
    ))}
  </select>
)

/** Returns why the columns cannot be imported like this; undefined if they can. */
export function mappingProblem(columns: readonly Column[]): string | undefined {
  const chosen = columns.map(({ target }) => target).filter((target) => target !== '')
  if (chosen.length === 0) return 'Choose for at least one column what it is imported as.'
  const twice = targets.find(
    ({ value }) => !isRepeatable(value) && chosen.filter((target) => target === value).length > 1,
  )
  return twice === undefined ? undefined : `Only one column can be imported as “${twice.label}”.`
}

export function ColumnMapping({ columns, onChange }: ColumnMappingProps) {
  const rows = columns.map((column, index) => ({ column, index }))
  const choose = (at: number, target: Target) =>
    onChange(columns.map((column, index) => (index === at ? { ...column, target } : column)))
  return (
    <Table
      label="Columns"
      rows={rows}
      keyOf={({ index }) => String(index)}
      columns={[
        { title: 'Column', cell: ({ column }) => <strong>{column.name}</strong> },
        { title: 'Example', cell: ({ column }) => <span className="quiet">{column.example}</span> },
        {
          title: 'Imported as',
          cell: ({ column, index }) => <TargetChoice column={column} onChoose={(target) => choose(index, target)} />,
        },
      ]}
    />
  )
}
