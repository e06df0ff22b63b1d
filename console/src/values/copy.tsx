// Copies to the clipboard what is shown, and secrets, which need not be shown to be copied.
import { use, useState } from 'react'
import { Icon } from '../parts/icon.tsx'
import { FactName } from '../parts/page.tsx'
import { toast } from '../parts/toasts.tsx'

interface CopyButtonProps {
  readonly text: string
  readonly label?: string
  /** What is copied, where several buttons say the same. */
  readonly about?: string
}

/** A button that copies a text. */
export function CopyButton({ text, label = 'Copy', about }: CopyButtonProps) {
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    toast(about === undefined ? 'Copied.' : `${about} is copied.`)
  }
  return (
    <button
      type="button"
      className="button small"
      aria-label={about === undefined ? undefined : `${label} ${about}`}
      onClick={() => void copy()}
    >
      <Icon name="copy" /> {label}
    </button>
  )
}

/**
 * A value with the button that copies it.
 * @param name what it is, for the label of the button. Among facts it has their name.
 */
export function Copyable({ text, name }: { readonly text: string; readonly name?: string }) {
  const fact = use(FactName)
  const about = name ?? fact
  return (
    <span className="copyable">
      <code>{text}</code>
      <CopyButton text={text} {...(about === undefined ? {} : { about })} />
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
        <Icon name="copy" /> Copy {name.replace(/^The /, '')}
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
