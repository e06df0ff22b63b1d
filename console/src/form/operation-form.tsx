// The form of one operation. Its state is the request: `{operationId, params, query, body}`. From that come the fields' rules, what is
// sent, and the request as code; the problems that the service finds go back to their fields by `issues[].path`.
import type { Issue } from '@bailiwick/contract'
import { isBailiwickError } from '@bailiwick/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, Fragment, type ReactNode, useEffect, useRef, useState } from 'react'
import { schemas } from 'virtual:operation-schemas'
import { messageOf } from '../api/client.ts'
import type { AnswerOf, InputOf, OperationId } from '../api/operations.ts'
import { useChange } from '../api/use-operation.ts'
import { toast } from '../parts/toasts.tsx'
import { useMayCall } from '../session/rights.ts'
import { CodePanel } from './code-panel.tsx'
import { Field, type FieldProps, type Option } from './field.tsx'
import { type Edits, type FormState, bodyOf, isSame, valueAt } from './form-state.ts'
import { type Schema, isRequiredAt, isSecret, schemaAt } from './schema.ts'

type Values = Readonly<Record<string, unknown>>

/** A field by its path in the body alone, or with details that the schema cannot express. */
export type FieldSpec =
  | string
  | (Pick<
      FieldProps,
      'hint' | 'emptyLabel' | 'isSeconds' | 'isMultiline' | 'isCode' | 'placeholder' | 'autoComplete'
    > & {
      readonly name: string
      readonly label?: string
      /** Fields of one section follow each other; the form shows its title above the first of them. */
      readonly section?: string
      /** Choices with names of their own, which may depend on the other fields. */
      readonly options?: readonly Option[] | ((body: Values) => readonly Option[])
      /** Shown while no value is given: the default that the service then uses. */
      readonly fallback?: (body: Values) => unknown
      /** Shown only while this is true of the body. */
      readonly isShown?: (body: Values) => boolean
      /** The rules of a value that the contract leaves open, such as the settings of one provider. */
      readonly schema?: Schema
      readonly isRequired?: boolean
      /** Draws the field by itself, for values that no single control can hold. */
      readonly render?: (control: OwnControl) => ReactNode
    })

export interface OwnControl {
  readonly value: unknown
  readonly onChange: (value: unknown) => void
  readonly isDisabled: boolean
  /** The problem at a path in the body. */
  readonly problemAt: (path: string) => string | undefined
}

export interface OperationFormProps<Id extends OperationId> {
  readonly operation: Id
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  /** Values of the body that have no field, such as the tenant, and the fields' initial values: all of them are sent. */
  readonly start?: Readonly<Record<string, unknown>>
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
  readonly onValues?: (values: Readonly<Record<string, unknown>>) => void
  /** Further parts of the form, below the fields. */
  readonly children?: ReactNode
  /** Changes the request before it is sent, such as for fields that are one on the screen and two in the body. */
  readonly toBody?: (body: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
/** Returns `messagesPerDay` as "Messages per day". */
const labelOf = (name: string) =>
  sentence(
    (name.split('/').at(-1) ?? name)
      .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .replace(/\bid\b/g, 'ID')
      .replace(/\buri\b/g, 'address'),
  )

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

const shownValue = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value ?? null))

const specOf = (field: FieldSpec): Exclude<FieldSpec, string> => (typeof field === 'string' ? { name: field } : field)

/** A description of the contract, reworded for somebody who fills in a form instead of writing JSON. */
function hintOf({ description }: Schema): string | undefined {
  if (description === undefined) return undefined
  const plain = description.replaceAll('`', '').replace(/(^|[;.] )null: /, '$1If empty, ')
  const whole = sentence(plain.replace(/^If empty, (?=the|what)/, 'If empty: '))
  return /[.!?…]$/.test(whole) ? whole : `${whole}.`
}

const isWithin = (path: string, name: string) => path === `/${name}` || path.startsWith(`/${name}/`)

/** The code that is shown contains no secrets. */
function withoutSecrets(state: FormState): FormState {
  const { body, operationId } = state
  const { body: schema } = schemas[operationId] ?? {}
  if (body === undefined || schema === undefined) return state
  const shown = JSON.parse(
    JSON.stringify(body, (name, value: unknown) =>
      typeof value === 'string' &&
      (isSecret(schemaAt(schema, name)) || /password|secret|token|apiKey|privateKey/i.test(name))
        ? '…'
        : value,
    ),
  ) as FormState['body']
  return { ...state, body: shown }
}

export function OperationForm<Id extends OperationId>(props: OperationFormProps<Id>) {
  const {
    operation,
    params = {},
    query = {},
    start = {},
    record,
    fields,
    submit,
    done,
    onDone,
    onCancel,
    onValues,
    children,
  } = props
  const { body: schema, query: querySchema } = schemas[operation] ?? {}
  const right = useMayCall(operation)
  const [edits, setEdits] = useState<Edits>(new Map())
  const [basis, setBasis] = useState<Basis>({})
  const [ownProblems, setOwnProblems] = useState<ReadonlyMap<string, string>>(new Map())
  const form = useRef<HTMLFormElement>(null)
  const client = useQueryClient()
  const change = useChange(operation, {
    onDone: (answer) => {
      setEdits(new Map())
      if (done !== undefined) toast(done)
      onDone?.(answer)
    },
  })

  const specs = fields.map(specOf)
  const initial = { ...record, ...start }
  const all = bodyOf(initial, edits)
  // One name can have several fields, such as the choice of the provider for each kind of channel; one of them at most is shown.
  const shown = specs.filter(({ isShown }) => isShown?.(all) !== false)
  const hidden = new Set(specs.map(({ name }) => name))
  for (const { name } of shown) hidden.delete(name)
  // What was typed into a field that is no longer shown is not sent, but kept in case the field is shown again.
  const sent: Edits = new Map([...edits].filter(([name]) => !hidden.has(name)))
  const typed = bodyOf(start, sent)
  const present = bodyOf(initial, sent)
  const body = schema === undefined ? undefined : (props.toBody?.(typed) ?? typed)
  const state: FormState = { operationId: operation, params, query: { ...query, ...basis }, body }
  const issues: readonly Issue[] = isBailiwickError(change.error) ? change.error.issues : []
  const problemOf = (name: string) => {
    const found = issues.filter(({ path }) => isWithin(path, name)).map(({ message }) => sentence(message))
    const own = [...ownProblems].find(([at]) => isWithin(`/${at}`, name))
    return own?.[1] ?? (found.length === 0 ? undefined : `${found.join('. ')}.`)
  }
  const unplaced = issues.filter(({ path }) => !shown.some(({ name }) => isWithin(path, name)))

  const values = onValues === undefined ? '' : JSON.stringify(present)
  useEffect(() => {
    if (values !== '') onValues?.(JSON.parse(values) as Readonly<Record<string, unknown>>)
  }, [values, onValues])

  useEffect(() => {
    if (change.error === null) return
    if (isBailiwickError(change.error, 'changed_meanwhile')) {
      // What somebody else has saved is read and shown beside what was typed, so that saving again replaces it knowingly.
      setBasis(basisOf(querySchema, change.error.current))
      void client.invalidateQueries()
    }
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid="true"], .form-problem')
    wrong?.focus()
  }, [change.error, querySchema, client])

  function edit(name: string, value: unknown) {
    if (edits.size === 0) setBasis(basisOf(querySchema, record))
    const next = new Map(edits)
    const base = edits.has(name) ? edits.get(name)?.base : valueAt(record, name)
    if (record !== undefined && isSame(value ?? null, base ?? null)) next.delete(name)
    else next.set(name, { value, base })
    setEdits(next)
    setOwnProblems(new Map([...ownProblems].filter(([at]) => !isWithin(`/${at}`, name))))
  }

  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const found = [...event.currentTarget.elements].flatMap((element) => {
      const control = element as HTMLInputElement
      return control.name === '' || !(control.willValidate ?? false) || control.validity.valid
        ? []
        : ([[control.name, control.validationMessage]] as const)
    })
    setOwnProblems(new Map(found))
    if (found[0] !== undefined) {
      event.currentTarget.querySelector<HTMLElement>(`[name="${CSS.escape(found[0][0])}"]`)?.focus()
      return
    }
    change.mutate({ params, query: state.query, ...(body === undefined ? {} : { body }) } as unknown as InputOf<Id>)
  }

  const isUnchanged = record !== undefined && edits.size === 0
  return (
    <form ref={form} className="form" noValidate onSubmit={send} aria-busy={change.isPending}>
      {shown.map((spec, index) => {
        const title =
          spec.section === undefined || spec.section === shown[index - 1]?.section ? null : (
            <h3 className="form-section">{spec.section}</h3>
          )
        const fieldSchema = spec.schema ?? schemaAt(schema, spec.name)
        const edited = edits.get(spec.name)
        const current = valueAt(record, spec.name)
        const given = edited === undefined ? (valueAt(typed, spec.name) ?? current) : edited.value
        const value = given === undefined ? spec.fallback?.(present) : given
        if (spec.render !== undefined) {
          const onChange = (next: unknown) => edit(spec.name, next)
          const control = { value, onChange, isDisabled: !right.isAllowed, problemAt: problemOf }
          return (
            <Fragment key={spec.name}>
              {title}
              {spec.render(control)}
            </Fragment>
          )
        }
        const { options, ...look } = spec
        const choices = typeof options === 'function' ? options(present) : options
        return (
          <Fragment key={spec.name}>
            {title}
            <Field
              {...look}
              {...(choices === undefined ? {} : { options: choices })}
              label={spec.label ?? labelOf(spec.name)}
              hint={spec.hint ?? hintOf(fieldSchema)}
              schema={fieldSchema}
              isRequired={spec.isRequired ?? isRequiredAt(schema, spec.name)}
              isDisabled={!right.isAllowed}
              isOfRecord={record !== undefined}
              value={value}
              onChange={(next) => edit(spec.name, next)}
              problem={problemOf(spec.name)}
              changedTo={edited !== undefined && !isSame(edited.base, current) ? shownValue(current) : undefined}
            />
          </Fragment>
        )
      })}
      {children}
      {change.error === null || (issues.length > 0 && unplaced.length === 0) ? null : (
        <div className="form-problem" role="alert" tabIndex={-1}>
          <p>{messageOf(change.error)}</p>
          {unplaced.length === 0 ? null : (
            <ul>
              {unplaced.map(({ path, message }) => (
                <li key={path + message}>
                  <code>{path}</code> {message}
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
      <div className="actions">
        <button
          type="submit"
          className="button primary"
          disabled={!right.isAllowed || isUnchanged || change.isPending}
          title={right.isAllowed ? undefined : right.reason}
        >
          {submit}
        </button>
        {onCancel === undefined ? null : (
          <button type="button" className="button" onClick={onCancel}>
            Cancel
          </button>
        )}
        {right.isAllowed ? null : <span className="quiet">{right.reason}</span>}
      </div>
      <CodePanel state={withoutSecrets(state)} />
    </form>
  )
}
