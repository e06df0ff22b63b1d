import { type ReactNode, useState } from 'react'
import { ActionButton } from '../../actions/action-button.tsx'
import type { OperationId } from '../../api/operations.ts'
import { Section } from '../../parts/page.tsx'
import { useMayCall } from '../../session/rights.ts'

interface AddingSectionProps {
  readonly title: string
  readonly about?: string
  /** The operation that adds something, and the label of the button that opens its form. */
  readonly operation: OperationId
  readonly label: string
  readonly form: (close: () => void) => ReactNode
  readonly children: ReactNode
}

/** A section with what an organization has, and a button that opens the form for more. */
export function AddingSection({ title, about, operation, label, form, children }: AddingSectionProps) {
  const [isAdding, setAdding] = useState(false)
  const right = useMayCall(operation)
  return (
    <Section
      title={title}
      about={about}
      actions={
        <ActionButton right={right} onClick={() => setAdding(true)}>
          {label}
        </ActionButton>
      }
    >
      {isAdding ? form(() => setAdding(false)) : null}
      {children}
    </Section>
  )
}
