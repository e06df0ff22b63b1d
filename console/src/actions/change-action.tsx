// A button that does something at once, because it can be undone.
import type { ReactNode } from 'react'
import { messageOf } from '../api/client.ts'
import type { AnswerOf, InputOf, OperationId } from '../api/operations.ts'
import { useChange } from '../api/use-operation.ts'
import { toast } from '../parts/toasts.tsx'
import { useMayCall } from '../session/rights.ts'
import { ActionButton } from './action-button.tsx'

interface ChangeActionProps<Id extends OperationId> {
  readonly operation: Id
  readonly input: InputOf<Id>
  readonly children: ReactNode
  /** The notice shown when it is done. */
  readonly done?: string
  readonly onDone?: (answer: AnswerOf<Id>) => void
}

export function ChangeAction<Id extends OperationId>({
  operation,
  input,
  children,
  done,
  onDone,
}: ChangeActionProps<Id>) {
  const change = useChange(operation, {
    onDone: (answer) => {
      if (done !== undefined) toast(done)
      onDone?.(answer)
    },
  })
  return (
    <>
      <ActionButton right={useMayCall(operation)} onClick={() => change.mutate(input)}>
        {children}
      </ActionButton>
      {change.error === null ? null : (
        <span className="field-problem" role="alert">
          {messageOf(change.error)}
        </span>
      )}
    </>
  )
}
