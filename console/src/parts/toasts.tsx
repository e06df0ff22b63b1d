// Short notes of what has been done, announced politely.
import { useSyncExternalStore } from 'react'

interface Toast {
  readonly id: number
  readonly text: string
}

const shownMs = 6000
const shownMax = 3
let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

function set(next: readonly Toast[]) {
  toasts = next
  for (const listener of listeners) listener()
}

const dismiss = (id: number) => set(toasts.filter((each) => each.id !== id))

/** Shows for some seconds what has been done. */
export function toast(text: string) {
  const id = ++lastId
  set([...toasts, { id, text }].slice(-shownMax))
  setTimeout(() => dismiss(id), shownMs)
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts)
  return (
    <div className="toasts" role="status" aria-live="polite">
      {shown.map(({ id, text }) => (
        <p key={id} className="toast">
          {text}
        </p>
      ))}
    </div>
  )
}
