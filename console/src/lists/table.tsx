import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { translate } from '../texts/translate.ts'

export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => ReactNode
}

interface TableProps<Row> {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  readonly to?: (row: Row) => string
  readonly isStale?: boolean
}

/** The column of what can be done with a row: it is at the end, and its buttons say what they do. */
const isOfActions = (title: string) => title === translate('Actions')

/** A table of rows that are already loaded. On phones each row becomes a card. */
export function Table<Row>({ label, columns, rows, keyOf, to, isStale = false }: TableProps<Row>) {
  return (
    <table className="table" aria-label={label} aria-busy={isStale}>
      <thead>
        <tr>
          {columns.map(({ title }) => (
            <th key={title} scope="col">
              {isOfActions(title) ? <span className="visually-hidden">{title}</span> : title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ title, cell }, index) => (
              <td key={title} {...(isOfActions(title) ? { className: 'row-actions' } : { 'data-label': title })}>
                {index === 0 && to !== undefined ? (
                  <Link to={to(row)} className="row-link">
                    {cell(row)}
                  </Link>
                ) : (
                  cell(row)
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
