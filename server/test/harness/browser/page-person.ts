// A user who is signed in on the hosted pages.
import type { Tenant, User } from '@bailiwick/contract'
import { openSession } from '../people/sessions.ts'
import { signedInUser, tenantWith } from '../people/signed-in-user.ts'
import type { TestService } from '../service.ts'
import { PageBrowser, type Shown } from './page-browser.ts'

export interface PagePerson {
  readonly tenant: Tenant
  readonly user: User
  readonly email: string
  /** The beginning of the paths of the tenant's pages. */
  readonly at: string
  readonly browser: PageBrowser
  readonly open: (path: string) => Promise<Shown>
  /** Signs the user in again, as confirming their identity does. */
  readonly renew: () => Promise<void>
}

/** @param user what the user has besides an address. */
export async function pagePerson(
  service: TestService,
  {
    tenant,
    auth = {},
    user: body = {},
  }: { readonly tenant?: Tenant; readonly auth?: object; readonly user?: object } = {},
): Promise<PagePerson> {
  const home = tenant ?? (await tenantWith(service, auth))
  const { user, email } = await signedInUser(service, home, { name: 'Ada', ...body })
  const at = `/t/${home.slug}`
  // Passkeys of this machine work under localhost.
  const browser = new PageBrowser(service, 'localhost')
  const renew = async () => {
    const { token } = await openSession(service, home.id, user.id)
    browser.cookies.set(`__Host-sid-${home.id}`, token)
  }
  await renew()
  return { tenant: home, user, email, at, browser, renew, open: (path) => browser.open(at + path) }
}

/** Returns the path of a page below the root of the tenant's pages, with its query. */
export function placeOf({ url }: Shown): string {
  const { pathname, search } = new URL(url)
  return pathname.replace(/^\/t\/[^/]+/, '') + search
}
