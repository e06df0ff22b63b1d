// The state of a form: what was typed, the request that this makes, and what became of it.
import { isBailiwickError } from '@bailiwick/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, type RefObject, useEffect, useState } from 'react'
import { schemas } from 'virtual:operation-schemas'
import type { AnswerOf, InputOf, OperationId } from '../api/operations.ts'
import { useChange } from '../api/use-operation.ts'
import { toast } from '../parts/toasts.tsx'
import { type FieldSpec, readFields } from './field-spec.ts'
import { isWithin } from './form-issues.ts'
import { type OwnProblems, checkControls, findProblems } from './form-problems.tsx'
import { type Edits, type FormState, type Values, valueAt, withEdit } from './form-state.ts'
import type { Schema } from './schema.ts'

export interface OperationFormProps<Id extends OperationId> {
  readonly operation: Id
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  /** Values of the body that have no field, such as the tenant, and the fields' initial values: all of them are sent. */
  readonly start?: Values
  /** The record that is changed: its values are shown, and only those that somebody changes here are sent. */
  readonly record?: object
  readonly fields: readonly FieldSpec[]
  /** The label of the button: "Create role". */
  readonly submit: string
  /** The notice shown when it is done: "The role is created." */
  readonly done?: string
  readonly onDone?: (answer: AnswerOf<Id>) => void
  readonly onCancel?: () => void
  /** Called with the values of all fields as they are typed, for a preview. */
  readonly onValues?: (values: Values) => void
  /** Further parts of the form, below the fields. */
  readonly children?: ReactNode
  /** Changes the request before it is sent, such as for fields that are one on the screen and two in the body. */
  readonly toBody?: (body: Values) => Values
  /** Returns what is wrong with the body that would be sent, by field. */
  readonly check?: (body: Values) => OwnProblems
}

type Basis = Readonly<Partial<Record<'ifUpdatedAt' | 'ifVersion', string>>>

/** Returns the state that a change is based on, for operations that refuse a change based on an outdated state. */
function basisOf(query: Schema | undefined, record: unknown): Basis {
  const updatedAt = valueAt(record, 'updatedAt')
  const version = valueAt(record, 'version')
  if (query?.properties?.['ifUpdatedAt'] !== undefined && typeof updatedAt === 'string')
    return { ifUpdatedAt: updatedAt }
  if (query?.properties?.['ifVersion'] !== undefined && typeof version === 'number')
    return { ifVersion: String(version) }
  return {}
}

/** Passes the values on whenever they have changed. */
function useValues(present: Values, onValues: ((values: Values) => void) | undefined) {
  const values = onValues === undefined ? '' : JSON.stringify(present)
  useEffect(() => {
    if (values !== '') onValues?.(JSON.parse(values) as Values)
  }, [values, onValues])
}

type FormElement = RefObject<HTMLFormElement | null>

/** Shows a refused change: what somebody else has saved becomes the basis, and the first problem takes the focus. */
function useRefusal(
  error: Error | null,
  form: FormElement,
  querySchema: Schema | undefined,
  setBasis: (basis: Basis) => void,
) {
  const client = useQueryClient()
  useEffect(() => {
    if (error === null) return
    if (isBailiwickError(error, 'changed_meanwhile')) {
      // What somebody else has saved is read and shown beside what was typed, so that saving again replaces it knowingly.
      setBasis(basisOf(querySchema, error.current))
      void client.invalidateQueries()
    }
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid="true"], .form-problem')
    wrong?.focus()
  }, [error, form, querySchema, setBasis, client])
}

export function useOperationForm<Id extends OperationId>(props: OperationFormProps<Id>, form: FormElement) {
  const { operation, params = {}, query = {}, start = {}, record, fields, done, onDone, onValues, toBody } = props
  const { body: schema, query: querySchema } = schemas[operation] ?? {}
  const [edits, setEdits] = useState<Edits>(new Map())
  const [basis, setBasis] = useState<Basis>({})
  const [ownProblems, setOwnProblems] = useState<OwnProblems>(new Map())
  const [mended, setMended] = useState<ReadonlySet<string>>(new Set())
  const change = useChange(operation, {
    onDone: (answer) => {
      setEdits(new Map())
      if (done !== undefined) toast(done)
      onDone?.(answer)
    },
  })
  const values = readFields(fields, { record, start }, edits)
  const body = schema === undefined ? undefined : (toBody?.(values.typed) ?? values.typed)
  const state: FormState = { operationId: operation, params, query: { ...query, ...basis }, body }
  useValues(values.present, onValues)
  useRefusal(change.error, form, querySchema, setBasis)

  function edit(name: string, value: unknown) {
    if (edits.size === 0) setBasis(basisOf(querySchema, record))
    setEdits(withEdit(edits, record, name, value))
    if (change.error !== null) setMended(new Set([...mended, name]))
    setOwnProblems(new Map([...ownProblems].filter(([at]) => !isWithin(`/${at}`, name))))
  }

  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const ofControls = checkControls(event.currentTarget)
    const found = ofControls.size === 0 && body !== undefined ? (props.check?.(body) ?? ofControls) : ofControls
    setOwnProblems(found)
    const [wrong] = found.keys()
    if (wrong !== undefined) {
      event.currentTarget.querySelector<HTMLElement>(`[name="${CSS.escape(wrong)}"]`)?.focus()
      return
    }
    setMended(new Set())
    // The form is made of the schema of the same operation.
    change.mutate({ params, query: state.query, ...(body === undefined ? {} : { body }) } as unknown as InputOf<Id>)
  }

  const problems = findProblems(change.error, { own: ownProblems, mended, visible: values.visible })
  return { schema, edits, values, state, problems, change, edit, send }
}
