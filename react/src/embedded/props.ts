// The properties of both embedded forms.
import { useCallback } from 'react'
import type { Appearance } from '../appearance.ts'
import { useBailiwick } from '../provider.tsx'

export interface EmbeddedFormProps {
  readonly appearance?: Appearance | undefined
  readonly redirectTo?: string | undefined
  readonly onSignedIn?: (() => void) | undefined
  /** Shows the other form. */
  readonly onSwitch: () => void
  /** Whether the other form was shown before, so that the focus moves here. */
  readonly isNext: boolean
}

/** Returns what to do once somebody is signed in: tell the page and the other tabs, and let the browser go on. */
export function useArrival({
  onSignedIn,
  redirectTo,
}: Pick<EmbeddedFormProps, 'onSignedIn' | 'redirectTo'>): () => Promise<void> {
  const { store } = useBailiwick()
  return useCallback(async () => {
    await store.changed()
    onSignedIn?.()
    if (redirectTo !== undefined) location.assign(redirectTo)
  }, [store, onSignedIn, redirectTo])
}
