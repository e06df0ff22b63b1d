// Long work that reports its progress, and that ends when it is cancelled or the screen is left.
import { useEffect, useRef, useState } from 'react'
import { messageOf } from '../api/client.ts'
import { locale } from '../texts/translate.ts'

type Work<Result> =
  | { readonly state: 'idle' }
  | { readonly state: 'running'; readonly count: number }
  | { readonly state: 'done'; readonly result: Result }
  | { readonly state: 'failed'; readonly problem: string }

/** Whether the user has stopped it: by "Cancel", or by choosing no file where the browser asked for one. */
const isStopped = (error: unknown, signal: AbortSignal) =>
  signal.aborted || (error instanceof DOMException && error.name === 'AbortError')

type Run<Result> = (signal: AbortSignal, onCount: (count: number) => void) => Promise<Result>

export function useWork<Result>() {
  const [work, setWork] = useState<Work<Result>>({ state: 'idle' })
  const abort = useRef<AbortController>(undefined)
  useEffect(() => () => abort.current?.abort(), [])
  const start = async (run: Run<Result>) => {
    abort.current?.abort()
    const controller = new AbortController()
    abort.current = controller
    // What was started before it was stopped says nothing any more.
    const finish = (end: Work<Result>) => {
      if (abort.current === controller) setWork(end)
    }
    setWork({ state: 'running', count: 0 })
    try {
      const result = await run(controller.signal, (count) => finish({ state: 'running', count }))
      finish({ state: 'done', result })
    } catch (error) {
      finish(isStopped(error, controller.signal) ? { state: 'idle' } : { state: 'failed', problem: messageOf(error) })
    }
  }
  const reset = () => {
    abort.current?.abort()
    abort.current = undefined
    setWork({ state: 'idle' })
  }
  return { work, start, cancel: () => abort.current?.abort(), reset }
}

/** Says why work has failed, if it has. */
export function WorkFailure({ of }: { readonly of: Work<unknown> }) {
  return of.state === 'failed' ? (
    <p className="field-problem" role="alert">
      {of.problem}
    </p>
  ) : null
}

const counted = new Intl.NumberFormat(locale)

interface ProgressProps {
  readonly label: string
  readonly count: number
  readonly of?: number
  /** Numbers as people read them. */
  readonly format?: (count: number) => string
  readonly onCancel: () => void
}

export function Progress({ label, count, of, format = (number) => counted.format(number), onCancel }: ProgressProps) {
  return (
    <div className="progress" role="status">
      <label>
        {label}: {format(count)}
        <progress {...(of === undefined ? {} : { max: of, value: count })} />
      </label>
      <button type="button" className="button" onClick={onCancel}>
        Cancel
      </button>
    </div>
  )
}
