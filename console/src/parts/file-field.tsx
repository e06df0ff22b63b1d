// The choice of a file, with its label.
import { useId } from 'react'

interface FileFieldProps {
  readonly label: string
  /** Types and endings of names, as in HTML. */
  readonly accept: string
  readonly isDisabled: boolean
  readonly onChoose: (file: File | undefined) => void
}

export function FileField({ label, accept, isDisabled, onChoose }: FileFieldProps) {
  const id = useId()
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <input
        id={id}
        type="file"
        accept={accept}
        disabled={isDisabled}
        onChange={({ target }) => onChoose(target.files?.[0])}
      />
    </div>
  )
}
