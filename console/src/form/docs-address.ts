/**
 * Returns the address of a page of the documentation whose examples are about a tenant. The fragment stays in the browser.
 * @param address may have a fragment of its own.
 */
export const docsAddress = (address: string, tenantId: string | undefined): string =>
  tenantId === undefined ? address : `${address}${address.includes('#') ? '' : '#'}&tenant=${tenantId}`
