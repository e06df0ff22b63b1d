// The columns of a declared table: the type of each, whether it may be null, and whether an INSERT has to name it.
import type { Timestamp } from '../clock.ts'
import type { TenantId } from '../ids.ts'
import { type JsonText } from '../json-text.ts'
import type { SqlValue } from './sql.ts'

export type ColumnKind = 'text' | 'integer' | 'real'

/** What a column's values are beyond their kind. An archive's rows are held to it. */
export type ColumnForm = 'text' | 'id' | 'time' | 'json' | 'integer' | 'flag' | 'real'

/** Whether a new row must give the column, may leave it out, or must leave it out because the engine fills it in. */
export type Given = 'always' | 'optionally' | 'never'

export interface Column<Value extends SqlValue = SqlValue, When extends Given = Given> {
  readonly kind: ColumnKind
  readonly form: ColumnForm
  readonly isNullable: boolean
  readonly given: When
  /** The value in a new row that leaves the column out. */
  readonly initial: SqlValue
  /** Exists for the type only; no column has it. */
  readonly value?: Value
}

export type Columns = Readonly<Record<string, Column>>

/** A column that every new row must give. */
interface RequiredColumn<Value extends SqlValue> extends Column<Value, 'always'> {
  /** The column may be null, and is null in a new row that leaves it out. */
  readonly nullable: () => Column<Value | null, 'optionally'>
  /** A new row that leaves the column out gets this value. */
  readonly default: (initial: Value & SqlValue) => Column<Value, 'optionally'>
  /** The engine fills the column in. */
  readonly generated: () => Column<Value, 'never'>
}

const kinds: Readonly<Partial<Record<ColumnForm, ColumnKind>>> = { integer: 'integer', flag: 'integer', real: 'real' }

function required<Value extends SqlValue>(form: ColumnForm): RequiredColumn<Value> {
  const kind = kinds[form] ?? 'text'
  return {
    kind,
    form,
    isNullable: false,
    given: 'always',
    initial: null,
    nullable: () => ({ kind, form, isNullable: true, given: 'optionally', initial: null }),
    default: (initial) => ({ kind, form, isNullable: false, given: 'optionally', initial }),
    generated: () => ({ kind, form, isNullable: false, given: 'never', initial: null }),
  }
}

export const text = <Value extends string = string>(): RequiredColumn<Value> => required('text')
/** An id of one kind of record; kinds do not mix. */
export const id = <Id extends string>(): RequiredColumn<Id> => required('id')
export const time = (): RequiredColumn<Timestamp> => required('time')
/** JSON of one kind of value, as text. */
export const json = <Value = unknown>(): RequiredColumn<JsonText<Value>> => required('json')
export const integer = <Value extends number = number>(): RequiredColumn<Value> => required('integer')
/** 0 or 1. */
export const flag = (): RequiredColumn<number> => required('flag')
export const real = (): RequiredColumn<number> => required('real')

/** Makes several columns of one kind: `...many(text().nullable(), 'url', 'description')`. */
export const many = <C extends Column, Name extends string>(column: C, ...names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, column])) as { readonly [Each in Name]: C }

/** Returns the columns of a record that belongs to a tenant, has an id, and is listed by its time of creation. */
export const record = <Id extends string>() => ({
  tenant_id: id<TenantId>(),
  id: id<Id>(),
  created_at: time(),
  updated_at: time(),
})
