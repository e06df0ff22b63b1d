// The last section of a record: it is deleted there, and the list of what remains follows.
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { InputOf, OperationId } from '../api/operations.ts'
import { Section } from '../parts/page.tsx'
import { useTenantPath } from '../session/tenant.tsx'
import { ConfirmAction } from './confirm-action.tsx'

interface DeleteSectionProps<Id extends OperationId> {
  readonly operation: Id
  readonly input: InputOf<Id>
  readonly title: string
  /** What else is lost, or what prevents it. */
  readonly about: string
  /** The label of the button: "Delete role". */
  readonly label: string
  /** If given, it must be typed first. */
  readonly name?: string
  /** The screen that follows, below the tenant. */
  readonly list: string
  readonly children: ReactNode
}

export function DeleteSection<Id extends OperationId>({
  title,
  about,
  list,
  children,
  ...action
}: DeleteSectionProps<Id>) {
  const path = useTenantPath()
  const navigate = useNavigate()
  return (
    <Section title={title} isDangerous about={about}>
      <div>
        <ConfirmAction {...action} onDone={() => void navigate({ to: path(list) })}>
          {children}
        </ConfirmAction>
      </div>
    </Section>
  )
}
