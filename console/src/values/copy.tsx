// Copies to the clipboard what is shown, and secrets, which need not be shown to be copied.
import { useState } from 'react'
import { Icon } from '../parts/icon.tsx'
import { toast } from '../parts/toasts.tsx'

/** A button that copies a text. */
export function CopyButton({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) {
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    toast('Copied.')
  }
  return (
    <button type="button" className="button small" onClick={() => void copy()}>
      <Icon name="copy" /> {label}
    </button>
  )
}

/** A value with the button that copies it. */
export function Copyable({ text }: { readonly text: string }) {
  return (
    <span className="copyable">
      <code>{text}</code>
      <CopyButton text={text} />
    </span>
  )
}

interface CopySecretProps {
  readonly name: string
  /** Reads the secret. It is requested each time, so that the page keeps no secret. */
  readonly read: () => Promise<string>
}

/** Copies a secret without showing it, or shows it until it is hidden again; the page holds it only while it is shown. */
export function CopySecret({ name, read }: CopySecretProps) {
  const [shown, setShown] = useState<string>()
  const copy = async () => {
    await navigator.clipboard.writeText(shown ?? (await read()))
    toast(`${name} is copied.`)
  }
  return (
    <span className="copyable">
      <code>{shown ?? '••••••••••••••••'}</code>
      <button type="button" className="button small" onClick={() => void copy()}>
        <Icon name="copy" /> Copy
      </button>
      <button
        type="button"
        className="button small"
        aria-pressed={shown !== undefined}
        onClick={() => void (shown === undefined ? read().then(setShown) : setShown(undefined))}
      >
        {shown === undefined ? 'Show' : 'Hide'}
      </button>
    </span>
  )
}
