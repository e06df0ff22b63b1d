// What stands in place of a part of the console that could not be fetched: offline, or because the service has been upgraded since the page
// was opened. It tries again by itself.
import { type ComponentType, lazy, useEffect, useState } from 'react'

/** Whether a part of the console could not be fetched, in the words of the three browser engines. */
export const isOfLoading = (error: unknown): boolean =>
  error instanceof Error &&
  /dynamically imported module|Importing a module script failed|Unable to preload CSS/.test(error.message)

const everyMs = 5000
const reloadedKey = 'bailiwick-console-reloaded'
/** A page that was loaded again and still lacks the part would go on for ever. */
const reloadPauseMs = 60_000

const isReachable = () =>
  fetch('/console/frame', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )

/** Loads the page again, which fetches the parts of the present version. Browsers keep a failed part for as long as the page lives. */
export function loadAgain() {
  sessionStorage.setItem(reloadedKey, String(Date.now()))
  location.reload()
}

const wasJustReloaded = () => Date.now() - Number(sessionStorage.getItem(reloadedKey) ?? 0) < reloadPauseMs

/** Loads the page again as soon as the service can be reached. @returns whether it was reached, and yet the part is missing. */
function useAnotherTry(): boolean {
  const [isMissing, setMissing] = useState(false)
  useEffect(() => {
    const tryAgain = async () => {
      if (!(await isReachable())) return
      if (wasJustReloaded()) setMissing(true)
      else loadAgain()
    }
    void tryAgain()
    const timer = setInterval(() => void tryAgain(), everyMs)
    const onLine = () => void tryAgain()
    addEventListener('online', onLine)
    return () => {
      clearInterval(timer)
      removeEventListener('online', onLine)
    }
  }, [])
  return isMissing
}

export function NotLoaded() {
  const isMissing = useAnotherTry()
  return (
    <div className="problem" role="alert">
      <h1 className="problem-title">This screen could not be loaded</h1>
      <p className="quiet">
        {isMissing
          ? 'The service can be reached, but this part of the console is missing. Load the page again, or tell the operator.'
          : 'The service cannot be reached, or it was upgraded since you opened this page. The page is loaded again as soon as the service can be reached.'}
      </p>
      <button type="button" className="button" onClick={loadAgain}>
        Load the page again
      </button>
    </div>
  )
}

/** In a screen with values that somebody has typed, which loading the page again would lose: it waits to be asked. */
export function PartNotLoaded() {
  return (
    <div className="problem" role="alert">
      <p className="problem-title">This part could not be loaded.</p>
      <p className="quiet">
        What you have entered is still here. Save it first, because loading the page again loses it.
      </p>
      <button type="button" className="button" onClick={loadAgain}>
        Load the page again
      </button>
    </div>
  )
}

/** A part of a screen that is loaded by itself. If that fails, the rest of the screen stays as it is. */
export const lazyPart = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  lazy(async () => ({ default: await load().catch((): ComponentType<Props> => PartNotLoaded) }))
