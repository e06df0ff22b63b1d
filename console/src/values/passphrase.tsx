// The passphrase of an archive.
import { useId } from 'react'
import { locale } from '../texts/translate.ts'

export const passphraseLengthMin = 12

interface PassphraseProps {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly hint: string
  readonly isDisabled: boolean
  readonly isNew: boolean
}

export function Passphrase({ value, onChange, hint, isDisabled, isNew }: PassphraseProps) {
  const id = useId()
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        Passphrase
      </label>
      <input
        id={id}
        type="password"
        value={value}
        minLength={passphraseLengthMin}
        autoComplete={isNew ? 'new-password' : 'off'}
        disabled={isDisabled}
        aria-describedby={`${id}-hint`}
        onChange={(event) => onChange(event.target.value)}
      />
      <p id={`${id}-hint`} className="hint">
        {hint}
      </p>
    </div>
  )
}

/** Sizes as people read them. */
export const megabytes = (bytes: number) =>
  `${(bytes / 1e6).toLocaleString(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 })} MB`
