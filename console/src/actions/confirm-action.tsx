// A button that asks before it does something that cannot be undone.
import type { UseMutationResult } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react'
import type { InputOf, OperationId, AnswerOf } from '../api/operations.ts'
import { useChange } from '../api/use-operation.ts'
import { Refusal } from '../parts/states.tsx'
import { toast } from '../parts/toasts.tsx'
import { useMayCall } from '../session/rights.ts'
import { ActionButton } from './action-button.tsx'
import { outcomes } from './outcomes.ts'

interface ConfirmActionProps<Id extends OperationId> {
  readonly operation: Id
  readonly input: InputOf<Id>
  /** The button's label and the dialog's heading: "Delete role". */
  readonly label: string
  /** What the action will do, and to whom. */
  readonly children: ReactNode
  /** If given, it must be typed first: the name of what is deleted. */
  readonly name?: string
  readonly isDangerous?: boolean
  /** The notice shown, and announced, when it is done. */
  readonly done?: string
  readonly onDone?: (answer: AnswerOf<Id>) => void
}

interface ConfirmFormProps<Id extends OperationId> extends Omit<ConfirmActionProps<Id>, 'operation' | 'input'> {
  readonly heading: string
  readonly change: UseMutationResult<AnswerOf<Id>, Error, InputOf<Id>>
  /** What was typed of the name. */
  readonly typed: string
  readonly onType: (text: string) => void
  readonly onConfirm: () => void
  readonly onCancel: () => void
}

function ConfirmForm<Id extends OperationId>(props: ConfirmFormProps<Id>) {
  const { heading, label, children, name, isDangerous = true, change, typed, onType, onConfirm, onCancel } = props
  const kind = isDangerous ? 'button destructive' : 'button primary'
  const confirm = (event: FormEvent) => {
    event.preventDefault()
    onConfirm()
  }
  return (
    <form method="dialog" onSubmit={confirm}>
      <h2 id={heading}>{label}</h2>
      <div className="dialog-text">{children}</div>
      {name === undefined ? null : (
        <label className="field">
          <span className="label">
            Type the name to confirm: <strong>{name}</strong>
          </span>
          <input value={typed} autoComplete="off" onChange={(event) => onType(event.target.value)} />
        </label>
      )}
      <Refusal error={change.error} />
      <div className="actions">
        <button type="button" className="button" onClick={onCancel}>
          Cancel
        </button>
        <button
          type="submit"
          className={kind}
          disabled={(name !== undefined && typed !== name) || change.isPending}
          aria-busy={change.isPending}
        >
          {label}
        </button>
      </div>
    </form>
  )
}

export function ConfirmAction<Id extends OperationId>(props: ConfirmActionProps<Id>) {
  const { operation, input, label, isDangerous = true, done, onDone } = props
  const dialog = useRef<HTMLDialogElement>(null)
  const [typed, setTyped] = useState('')
  const heading = useId()
  const right = useMayCall(operation)
  const close = () => dialog.current?.close()
  const change = useChange(operation, {
    onDone: (answer) => {
      close()
      const outcome = done ?? outcomes[operation]
      if (outcome !== undefined) toast(outcome)
      onDone?.(answer)
    },
  })
  const open = () => {
    setTyped('')
    change.reset()
    dialog.current?.showModal()
  }
  return (
    <>
      <ActionButton right={right} isDangerous={isDangerous} onClick={open}>
        {label}
      </ActionButton>
      <dialog ref={dialog} className="dialog" aria-labelledby={heading}>
        <ConfirmForm
          {...props}
          heading={heading}
          change={change}
          typed={typed}
          onType={setTyped}
          onConfirm={() => change.mutate(input)}
          onCancel={close}
        />
      </dialog>
    </>
  )
}
