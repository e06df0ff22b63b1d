// A list of the service, page by page: search as one types, filters, and links to older and newer rows. All of this is kept in the address.
import { type ReactNode, useEffect, useId, useState } from 'react'
import type { InputOf, ListId, ListPage, RowOf } from '../api/operations.ts'
import { useOperation } from '../api/use-operation.ts'
import { Icon } from '../parts/icon.tsx'
import { Loading, Problem } from '../parts/states.tsx'
import { useSettled } from '../parts/use-settled.ts'
import { locale, translate } from '../texts/translate.ts'
import { useSearchState } from './search-state.ts'
import { type Column, Table } from './table.tsx'

interface Choice {
  readonly value: string
  readonly label: string
}

export interface Filter {
  /** The query parameter. */
  readonly name: string
  readonly label: string
  /** Values to choose from; without them, any text. */
  readonly options?: readonly Choice[]
  readonly type?: 'text' | 'number' | 'date'
  /** The kinds of values to choose from. The parameter is then the name of a kind, a colon and the value. */
  readonly kinds?: readonly (Choice & Pick<Filter, 'options' | 'type'>)[]
}

interface RecordListProps<Id extends ListId> {
  readonly operation: Id
  readonly input: InputOf<Id>
  /** What the list is of, for screen readers: "Users". */
  readonly label: string
  readonly columns: readonly Column<RowOf<Id>>[]
  readonly keyOf: (row: RowOf<Id>) => string
  /** The address that a row links to. The first column becomes the link. */
  readonly to?: (row: RowOf<Id>) => string
  /** The label of the search field, for lists that can be searched by text. */
  readonly search?: string
  readonly filters?: readonly Filter[]
  readonly empty: ReactNode
  readonly perPage?: number
  /** Milliseconds after which it is read again. */
  readonly everyMs?: number
}

const typingMs = 150
const counted = new Intl.NumberFormat(locale)
/** A search counts no further than to the next one. */
const searchedMax = 1000

const found = (total: number, query: string | undefined) =>
  query !== undefined && query !== '' && total === searchedMax + 1
    ? `More than ${counted.format(searchedMax)} found`
    : `${counted.format(total)} found`

function SearchField({
  label,
  onSettled,
  initial,
}: {
  readonly label: string
  readonly initial: string
  readonly onSettled: (text: string) => void
}) {
  const [text, setText] = useState(initial)
  const settled = useSettled(text, typingMs)
  useEffect(() => {
    if (settled !== initial) onSettled(settled)
    // Only typing starts a search; the address may change for other reasons.
  }, [settled])
  return (
    <label className="search">
      <Icon name="search" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={text}
        maxLength={256}
        onChange={(event) => setText(event.target.value)}
      />
    </label>
  )
}

interface FilterFieldProps {
  readonly filter: Filter
  readonly value: string
  readonly onChange: (value: string) => void
}

/** Chooses the kind of the value, and then the value; both fields are in one filter. */
function KindsField({ filter, value, onChange }: FilterFieldProps) {
  const { kinds = [], name, label } = filter
  const [chosen = '', ...rest] = value.split(':')
  const [key, setKey] = useState(chosen)
  const kind = kinds.find((each) => each.value === key)
  const choose = (next: string) => {
    setKey(next)
    if (value !== '') onChange('')
  }
  return (
    <>
      <FilterField filter={{ name, label, options: kinds }} value={key} onChange={choose} />
      {kind === undefined ? null : (
        <FilterField
          key={kind.value}
          filter={{ ...kind, name }}
          value={kind.value === chosen ? rest.join(':') : ''}
          onChange={(next) => onChange(next === '' ? '' : `${kind.value}:${next}`)}
        />
      )}
    </>
  )
}

function FilterField({ filter, value, onChange }: FilterFieldProps) {
  const id = useId()
  if (filter.kinds !== undefined) return <KindsField filter={filter} value={value} onChange={onChange} />
  return (
    <div className="filter">
      <label htmlFor={id}>{filter.label}</label>
      {filter.options === undefined ? (
        <input
          id={id}
          type={filter.type ?? 'text'}
          defaultValue={value}
          onBlur={(event) => onChange(event.target.value)}
          onKeyDown={(event) => event.key === 'Enter' && onChange(event.currentTarget.value)}
        />
      ) : (
        <select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
          <option value="">All</option>
          {filter.options.map((each) => (
            <option key={each.value} value={each.value}>
              {translate(each.label)}
            </option>
          ))}
        </select>
      )}
    </div>
  )
}

type SearchState = ReturnType<typeof useSearchState>

/** The query of a list at the place and with the filters of the address, and whether these leave something out. */
function narrow(
  { cursor = '', query = '', ...values }: SearchState[0],
  filters: readonly Filter[],
  { isSearched, perPage }: { readonly isSearched: boolean; readonly perPage: number },
) {
  const chosen = filters.flatMap(({ name, type }) => {
    const value = values[name] ?? ''
    return value === '' ? [] : [[name, type === 'date' ? `${value}T00:00:00.000000Z` : value] as const]
  })
  const narrowed = {
    perPage: String(perPage),
    ...(cursor === '' ? {} : { cursor }),
    ...(!isSearched || query.trim() === '' ? {} : { query: query.trim() }),
    ...Object.fromEntries(chosen),
  }
  return { narrowed, isNarrowed: chosen.length > 0 || query !== '' || cursor !== '' }
}

interface ListToolsProps {
  readonly search: string | undefined
  readonly filters: readonly Filter[]
  readonly state: SearchState
}

/** The search field and the filters of a list that has them. */
function ListTools({ search, filters, state: [values, setValues] }: ListToolsProps) {
  if (search === undefined && filters.length === 0) return null
  return (
    <div className="list-tools" role="search">
      {search === undefined ? null : (
        <SearchField
          label={search}
          initial={values['query'] ?? ''}
          onSettled={(text) => setValues({ query: text, cursor: '' })}
        />
      )}
      {filters.map((filter) => (
        <FilterField
          key={filter.name}
          filter={filter}
          value={values[filter.name] ?? ''}
          onChange={(value) => setValues({ [filter.name]: value, cursor: '' })}
        />
      ))}
    </div>
  )
}

export function RecordList<Id extends ListId>(props: RecordListProps<Id>) {
  const { operation, input, label, columns, keyOf, to, search, filters = [], empty, perPage = 20, everyMs } = props
  const state = useSearchState()
  const [values, setValues] = state
  const { narrowed, isNarrowed } = narrow(values, filters, { isSearched: search !== undefined, perPage })
  const { query } = input as { readonly query?: object }
  // Every list takes these parameters.
  const whole = { ...input, query: { ...query, ...narrowed } } as unknown as InputOf<Id>
  const { data, error, isPlaceholderData, refetch } = useOperation(operation, whole, {
    keepsLast: true,
    ...(everyMs === undefined ? {} : { everyMs }),
  })
  const page = data as ListPage<RowOf<Id>> | undefined
  /** A search may pass over so many users that a page has none and others do. */
  const isOnly = page?.meta.next === null && page.meta.prev === null
  const clear = () => setValues({ query: '', cursor: '', ...Object.fromEntries(filters.map(({ name }) => [name, ''])) })
  return (
    <div className="list">
      <ListTools search={search} filters={filters} state={state} />
      <p role="status" className="visually-hidden">
        {isNarrowed && page !== undefined && !isPlaceholderData ? found(page.meta.total, values['query']) : ''}
      </p>
      {error === null ? null : <Problem error={error} onRetry={() => void refetch()} />}
      {page === undefined && error === null ? <Loading lines={8} /> : null}
      {page?.data.length === 0 && isOnly ? isNarrowed ? <NothingFound onClear={clear} /> : empty : null}
      {page?.data.length === 0 && !isOnly ? (
        <>
          <p className="quiet">Nothing on this page matches.</p>
          <Paging meta={page.meta} onMove={(next) => setValues({ cursor: next })} />
        </>
      ) : null}
      {page === undefined || page.data.length === 0 ? null : (
        <>
          <Table
            label={label}
            columns={columns}
            rows={page.data}
            keyOf={keyOf}
            isStale={isPlaceholderData}
            {...(to === undefined ? {} : { to })}
          />
          <Paging meta={page.meta} onMove={(next) => setValues({ cursor: next })} />
        </>
      )}
    </div>
  )
}

function NothingFound({ onClear }: { readonly onClear: () => void }) {
  return (
    <div className="empty">
      <p className="empty-title">Nothing matches</p>
      <button type="button" className="button" onClick={onClear}>
        Clear search and filters
      </button>
    </div>
  )
}

function Paging({
  meta,
  onMove,
}: {
  readonly meta: ListPage<unknown>['meta']
  readonly onMove: (cursor: string) => void
}) {
  const { total, prev, next } = meta
  return (
    <nav className="paging" aria-label="Pages">
      <span className="quiet">{counted.format(total)} in all</span>
      {prev === null && next === null ? null : (
        <span className="actions">
          <button type="button" className="button small" disabled={prev === null} onClick={() => onMove(prev ?? '')}>
            Newer
          </button>
          <button type="button" className="button small" disabled={next === null} onClick={() => onMove(next ?? '')}>
            Older
          </button>
        </span>
      )}
    </nav>
  )
}
