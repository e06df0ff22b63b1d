// The actions of the open screen, for the palette.
import { useEffect, useSyncExternalStore } from 'react'

export interface PageAction {
  readonly title: string
  readonly run: () => void
}

let actions: readonly PageAction[] = []
const listeners = new Set<() => void>()

function set(next: readonly PageAction[]) {
  actions = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Offers an action in the palette for as long as the screen is open. */
export function usePageAction(title: string, run: () => void) {
  useEffect(() => {
    const action = { title, run }
    set([...actions, action])
    return () => set(actions.filter((each) => each !== action))
  }, [title, run])
}

export const useActionsOfPage = (): readonly PageAction[] => useSyncExternalStore(subscribe, () => actions)
