// A secret that the service reveals only once. It is copied without being shown, and the page forgets it when the dialog closes.
import { useEffect, useId, useRef } from 'react'
import { CopySecret } from '../../values/copy.tsx'

interface SecretOnceProps {
  readonly title: string
  readonly about: string
  readonly name: string
  readonly secret: string
  readonly onClose: () => void
}

export function SecretOnce({ title, about, name, secret, onClose }: SecretOnceProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby={heading} onClose={onClose}>
      <h2 id={heading}>{title}</h2>
      <p className="quiet">{about}</p>
      <CopySecret name={name} read={() => Promise.resolve(secret)} />
      <div className="actions">
        <button type="button" className="button primary" onClick={() => dialog.current?.close()}>
          Done
        </button>
      </div>
    </dialog>
  )
}
