// The address in a mail: a page of the tenant's, which takes flow and token out of it and sends them by POST. Opening it does nothing, so
// that a mail scanner that follows links uses none up.

/** @param page an address that was checked against the tenant's own. */
export function linkTo(page: string, flowId: string, token: string): string {
  const url = new URL(page)
  url.searchParams.set('flow', flowId)
  // Fragments stay in the browser: neither logs nor referrers see them.
  url.hash = `token=${token}`
  return url.href
}
