// A short list within a screen, page by page. The list itself keeps its position, because the address belongs to the whole screen.
import { type ReactNode, useState } from 'react'
import type { InputOf, ListId, ListPage, RowOf } from '../../api/operations.ts'
import { useOperation } from '../../api/use-operation.ts'
import { type Column, Table } from '../../lists/table.tsx'
import { Loading, Problem } from '../../parts/states.tsx'
import { locale } from '../../texts/translate.ts'

const perPage = 10

interface PagedProps<Id extends ListId> {
  readonly operation: Id
  readonly input: InputOf<Id>
  readonly label: string
  readonly columns: readonly Column<RowOf<Id>>[]
  readonly keyOf: (row: RowOf<Id>) => string
  readonly empty: ReactNode
}

export function Paged<Id extends ListId>({ operation, input, label, columns, keyOf, empty }: PagedProps<Id>) {
  const [cursor, setCursor] = useState('')
  const query = { perPage: String(perPage), ...(cursor === '' ? {} : { cursor }) }
  const whole: InputOf<Id> = { ...input, query }
  const { data, error, isPlaceholderData, refetch } = useOperation(operation, whole, { keepsLast: true })
  if (error !== null) return <Problem error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Loading />
  // Every list answers with a page.
  const page = data as unknown as ListPage<RowOf<Id>>
  if (page.data.length === 0) return <p className="quiet">{empty}</p>
  const { prev, next, total } = page.meta
  return (
    <div className="list">
      <Table label={label} columns={columns} rows={page.data} keyOf={keyOf} isStale={isPlaceholderData} />
      {prev === null && next === null ? null : (
        <nav className="paging" aria-label={`Pages of ${label.toLowerCase()}`}>
          <span className="quiet">{total.toLocaleString(locale)} in all</span>
          <span className="actions">
            <button
              type="button"
              className="button small"
              disabled={prev === null}
              onClick={() => setCursor(prev ?? '')}
            >
              Newer
            </button>
            <button
              type="button"
              className="button small"
              disabled={next === null}
              onClick={() => setCursor(next ?? '')}
            >
              Older
            </button>
          </span>
        </nav>
      )}
    </div>
  )
}
