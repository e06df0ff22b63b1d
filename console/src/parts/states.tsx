// What a screen shows while it has nothing to show: loading, empty, an error, nothing found.
import { isBailiwickError } from '@bailiwick/sdk'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { messageOf } from '../api/client.ts'

/** Grey lines in place of the content to come, shown only if it takes longer than 300 ms. */
export function Loading({ lines = 4 }: { readonly lines?: number }) {
  return (
    <div className="loading" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} className="bone" />
      ))}
    </div>
  )
}

interface EmptyProps {
  readonly title: string
  readonly children?: ReactNode
  readonly action?: ReactNode
}

export function Empty({ title, children, action }: EmptyProps) {
  return (
    <div className="empty">
      <p className="empty-title">{title}</p>
      {children === undefined ? null : <p className="quiet">{children}</p>}
      {action}
    </div>
  )
}

interface ProblemProps {
  readonly error: unknown
  readonly onRetry?: () => void
}

/** Shows the error of a failed call in place of its answer. */
export function Problem({ error, onRetry }: ProblemProps) {
  const requestId = isBailiwickError(error) ? error.requestId : undefined
  return (
    <div className="problem" role="alert">
      <p className="problem-title">{messageOf(error)}</p>
      {requestId === undefined ? null : <p className="quiet">Request {requestId}</p>}
      {onRetry === undefined ? null : (
        <button type="button" className="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  )
}

/** Shows why a change was refused, beside what asked for it, and possibly what can be done about it. */
export function Refusal({ error, children }: { readonly error: unknown; readonly children?: ReactNode }) {
  if (error === null) return null
  return (
    <div className="form-problem" role="alert">
      <p>{messageOf(error)}</p>
      {children}
    </div>
  )
}

/** Stands in for a whole screen, so its title is the heading of the page, and a link leads on from there. */
export function NotFound({ what = 'page' }: { readonly what?: string }) {
  const { tenantId } = useParams({ strict: false }) as { readonly tenantId?: string }
  const isInTenant = tenantId !== undefined && what !== 'tenant'
  return (
    <div className="empty">
      <h1 className="empty-title">There is no such {what}</h1>
      <p className="quiet">It was deleted, or you do not have the right to see it.</p>
      <Link className="button" to={isInTenant ? `/t/${tenantId}` : '/'}>
        {isInTenant ? 'Go to the overview' : 'Go to your tenants'}
      </Link>
    </div>
  )
}
