// The operations of the management interface, typed by the SDK: some answer with one value, others with a page of a list.
import type { Operations, Pages } from '@bailiwick/sdk'

export type OperationId = keyof Operations
/** By operation, so that the type of one is looked up and not chosen among all. */
type Inputs = { readonly [Id in OperationId]: NonNullable<Parameters<Operations[Id]>[0]> }
type Answers = { readonly [Id in OperationId]: Awaited<ReturnType<Operations[Id]>> }

/** The input of a call of the operation. */
export type InputOf<Id extends OperationId> = Inputs[Id]
/** The operation's answer. */
export type AnswerOf<Id extends OperationId> = Answers[Id]

/** Operations that answer page by page. */
export type ListId = keyof Pages & OperationId
/** One row of a list. */
export type RowOf<Id extends ListId> = AnswerOf<Id> extends { readonly data: readonly (infer Row)[] } ? Row : never
/** One page of a list. */
export interface ListPage<Row> {
  readonly data: readonly Row[]
  /** `prev` and `next` are cursors; null where there is no such page. */
  readonly meta: { readonly total: number; readonly prev: string | null; readonly next: string | null }
}
