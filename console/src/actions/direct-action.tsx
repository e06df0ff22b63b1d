import { messageOf } from '../api/client.ts'
import type { AnswerOf, InputOf, OperationId } from '../api/operations.ts'
import { useChange } from '../api/use-operation.ts'
import { toast } from '../parts/toasts.tsx'
import { useMayCall } from '../session/rights.ts'
import { ActionButton } from './action-button.tsx'

interface DirectActionProps<Id extends OperationId> {
  readonly operation: Id
  readonly input: InputOf<Id>
  readonly label: string
  /** The notice shown when it is done. */
  readonly done: string
  readonly onDone?: (answer: AnswerOf<Id>) => void
}

/** A button that calls an operation at once, because its effect can be undone. */
export function DirectAction<Id extends OperationId>({ operation, input, label, done, onDone }: DirectActionProps<Id>) {
  const right = useMayCall(operation)
  const change = useChange(operation, {
    onDone: (answer) => {
      toast(done)
      onDone?.(answer)
    },
  })
  return (
    <>
      <ActionButton right={right} onClick={() => change.mutate(input)}>
        {label}
      </ActionButton>
      {change.error === null ? null : (
        <span role="alert" className="field-problem">
          {messageOf(change.error)}
        </span>
      )}
    </>
  )
}
