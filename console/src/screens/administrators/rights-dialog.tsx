import { type ReactNode, useEffect, useId, useRef } from 'react'

interface RightsDialogProps {
  readonly title: string
  readonly children: ReactNode
  readonly onClose: () => void
}

/** A dialog for the form that changes somebody's rights. */
export function RightsDialog({ title, children, onClose }: RightsDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} className="dialog wide" aria-labelledby={heading} onClose={onClose}>
      <h2 id={heading}>{title}</h2>
      {children}
    </dialog>
  )
}
