import { Link } from '@tanstack/react-router'
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import type { Right } from '../session/rights.ts'

interface ActionButtonProps {
  /** A button without this right stays in its place and says why it is disabled. */
  readonly right: Right
  readonly onClick: () => void
  readonly children: ReactNode
  readonly isPrimary?: boolean
  readonly isDangerous?: boolean
}

const kindOf = (isPrimary: boolean, isDangerous: boolean) =>
  ['button', isPrimary ? 'primary' : '', isDangerous ? 'dangerous' : ''].filter((each) => each !== '').join(' ')

/** Puts the focus on the heading of the screen, if what had it has disappeared. */
function focusHeading() {
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) document.querySelector<HTMLElement>('main h1')?.focus()
  })
}

/** A button that stays visible to somebody who may not press it, with the reason. */
export function ActionButton({ right, onClick, children, isPrimary = false, isDangerous = false }: ActionButtonProps) {
  const reason = useId()
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const element = button.current
    return () => {
      if (document.activeElement === element) focusHeading()
    }
  }, [])
  const { isAllowed } = right
  return (
    <span className="action">
      <button
        ref={button}
        type="button"
        className={kindOf(isPrimary, isDangerous)}
        aria-disabled={!isAllowed}
        aria-describedby={isAllowed ? undefined : reason}
        onClick={isAllowed ? onClick : undefined}
      >
        {children}
      </button>
      {isAllowed ? null : (
        <span id={reason} role="tooltip" className="reason">
          {right.reason}
        </span>
      )}
    </span>
  )
}

/** The same, as a link to another screen. */
export function ActionLink({
  right,
  to,
  children,
  isPrimary = false,
}: Omit<ActionButtonProps, 'onClick' | 'isDangerous'> & { readonly to: string }) {
  if (!right.isAllowed) {
    return (
      <ActionButton right={right} isPrimary={isPrimary} onClick={() => undefined}>
        {children}
      </ActionButton>
    )
  }
  return (
    <Link to={to} className={kindOf(isPrimary, false)}>
      {children}
    </Link>
  )
}
