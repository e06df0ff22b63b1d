'use client'
// The address that a flow leads back to.
import { useSyncExternalStore } from 'react'

const never = () => () => undefined

/** The address of the page; undefined on the server and while the browser takes over what the server has rendered. */
export const usePageAddress = (): string | undefined =>
  useSyncExternalStore(
    never,
    () => location.href,
    () => undefined,
  )

/** @param redirectTo a whole address, or one relative to the page, which is known in the browser alone. */
export function useReturnAddress(redirectTo: string | undefined): string | undefined {
  const page = usePageAddress()
  if (redirectTo === undefined || URL.canParse(redirectTo)) return redirectTo
  return page === undefined ? undefined : new URL(redirectTo, page).href
}
