// A button that asks before it does something that cannot be undone.
import { type ReactNode, useId, useRef, useState } from 'react'
import { messageOf } from '../api/client.ts'
import type { InputOf, OperationId, AnswerOf } from '../api/operations.ts'
import { useChange } from '../api/use-operation.ts'
import { useMayCall } from '../session/rights.ts'
import { ActionButton } from './action-button.tsx'

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
  readonly onDone?: (answer: AnswerOf<Id>) => void
}

export function ConfirmAction<Id extends OperationId>({
  operation,
  input,
  label,
  children,
  name,
  isDangerous = true,
  onDone,
}: ConfirmActionProps<Id>) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [typed, setTyped] = useState('')
  const heading = useId()
  const right = useMayCall(operation)
  const change = useChange(operation, {
    onDone: (answer) => {
      dialog.current?.close()
      onDone?.(answer)
    },
  })
  const open = () => {
    setTyped('')
    change.reset()
    dialog.current?.showModal()
  }
  const kind = isDangerous ? 'button destructive' : 'button primary'
  return (
    <>
      <ActionButton right={right} isDangerous={isDangerous} onClick={open}>
        {label}
      </ActionButton>
      <dialog ref={dialog} className="dialog" aria-labelledby={heading}>
        <form
          method="dialog"
          onSubmit={(event) => {
            event.preventDefault()
            change.mutate(input)
          }}
        >
          <h2 id={heading}>{label}</h2>
          <div className="dialog-text">{children}</div>
          {name === undefined ? null : (
            <label className="field">
              <span className="label">
                Type <strong>{name}</strong> to confirm
              </span>
              <input value={typed} autoComplete="off" onChange={(event) => setTyped(event.target.value)} />
            </label>
          )}
          {change.error === null ? null : (
            <p className="form-problem" role="alert">
              {messageOf(change.error)}
            </p>
          )}
          <div className="actions">
            <button type="button" className="button" onClick={() => dialog.current?.close()}>
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
      </dialog>
    </>
  )
}
