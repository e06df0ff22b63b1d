// The form of one operation. Its state is the request: `{operationId, params, query, body}`. From that come the fields' rules, what is
// sent, and the request as code; the problems that the service finds go back to their fields by `issues[].path`.
import { Fragment, useRef } from 'react'
import { schemas } from 'virtual:operation-schemas'
import type { OperationId } from '../api/operations.ts'
import { type Right, useMayCall } from '../session/rights.ts'
import { CodePanel } from './code-panel.tsx'
import type { FieldDetails } from './field-spec.ts'
import { FormField } from './form-field.tsx'
import { ProblemList } from './form-problems.tsx'
import type { FormState } from './form-state.ts'
import { isSecret, schemaAt } from './schema.ts'
import { type OperationFormProps, useOperationForm } from './use-operation-form.ts'

/** Returns the state without its secrets, for the code that is shown. */
function withoutSecrets(state: FormState): FormState {
  const { body, operationId } = state
  const { body: schema } = schemas[operationId] ?? {}
  if (body === undefined || schema === undefined) return state
  const open = JSON.parse(
    JSON.stringify(body, (name, value: unknown) =>
      typeof value === 'string' &&
      (isSecret(schemaAt(schema, name)) || /password|secret|token|apiKey|privateKey/i.test(name))
        ? '…'
        : value,
    ),
  ) as FormState['body']
  return { ...state, body: open }
}

/** The title of a section, above the first of its fields. */
function SectionTitle({ of: { section }, after }: { readonly of: FieldDetails; readonly after?: FieldDetails }) {
  return section === undefined || section === after?.section ? null : <h3 className="form-section">{section}</h3>
}

interface ActionsProps {
  readonly right: Right
  readonly submit: string
  readonly isIdle: boolean
  readonly onCancel: (() => void) | undefined
}

function Actions({ right, submit, isIdle, onCancel }: ActionsProps) {
  return (
    <div className="actions">
      <button
        type="submit"
        className="button primary"
        disabled={!right.isAllowed || isIdle}
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
  )
}

export function OperationForm<Id extends OperationId>(props: OperationFormProps<Id>) {
  const { operation, record, submit, onCancel, children } = props
  const form = useRef<HTMLFormElement>(null)
  const right = useMayCall(operation)
  const { schema, edits, values, state, problems, change, edit, send } = useOperationForm(props, form)
  const isUnchanged = record !== undefined && edits.size === 0
  return (
    <form ref={form} className="form" noValidate onSubmit={send} aria-busy={change.isPending}>
      {values.visible.map((details, index) => {
        const previous = values.visible[index - 1]
        return (
          <Fragment key={details.name}>
            <SectionTitle of={details} {...(previous === undefined ? {} : { after: previous })} />
            <FormField
              details={details}
              schema={schema}
              record={record}
              edits={edits}
              values={values}
              isDisabled={!right.isAllowed}
              problemAt={problems.at}
              onEdit={edit}
            />
          </Fragment>
        )
      })}
      {children}
      {problems.hasMore ? <ProblemList error={change.error} unplaced={problems.unplaced} /> : null}
      <Actions right={right} submit={submit} isIdle={isUnchanged || change.isPending} onCancel={onCancel} />
      <CodePanel state={withoutSecrets(state)} />
    </form>
  )
}
