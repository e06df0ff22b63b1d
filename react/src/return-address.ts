'use client'
// The address to which a flow returns.
import { useSyncExternalStore } from 'react'

const never = () => () => undefined

/** The address of the page; undefined on the server and during hydration. */
export const usePageAddress = (): string | undefined =>
  useSyncExternalStore(
    never,
    () => location.href,
    () => undefined,
  )

/** @param redirectTo a whole address, or one relative to the page, which only the browser knows. */
export function useReturnAddress(redirectTo: string | undefined): string | undefined {
  const page = usePageAddress()
  if (redirectTo === undefined || URL.canParse(redirectTo)) return redirectTo
  return page === undefined ? undefined : new URL(redirectTo, page).href
}

/** Returns the token of the invitation whose link has led to a page, if one has. */
export const readInvitationToken = (page: string): string | null => new URL(page).searchParams.get('invitationToken')
