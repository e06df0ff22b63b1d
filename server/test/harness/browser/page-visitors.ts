// Users of a tenant who have signed in on the hosted pages, each with a browser of their own.
import { createTenant, createUser, unique } from '../factories.ts'
import { password } from '../people/people.ts'
import type { TestService } from '../service.ts'
import { PageBrowser, type Shown } from './page-browser.ts'

export interface Home {
  readonly tenant: { readonly id: string; readonly slug: string; readonly publicKey: string }
  /** The beginning of the paths of its pages. */
  readonly at: string
}

export async function newHome(service: TestService, auth: object = {}): Promise<Home> {
  const { tenant } = await createTenant(service)
  if (Object.keys(auth).length > 0) await service.ok('putAuthTenant', { params: { id: tenant.id }, body: auth })
  return { tenant, at: `/t/${tenant.slug}` }
}

export interface Visitor {
  readonly userId: string
  readonly email: string
  readonly browser: PageBrowser
}

/** A new user with a verified address, or the given one, signed in on the pages. */
export async function visitor(service: TestService, { tenant, at }: Home, body: object = {}): Promise<Visitor> {
  const email = `${unique()}@example.com`
  const user = await createUser(service, tenant.id, { email, password, name: 'Ada', ...body })
  await service.ok('verifyEmailAddress', { body: { id: user.primaryEmailId } })
  const browser = new PageBrowser(service)
  await signInAt(browser, at, user.emailAddresses[0]?.email ?? email)
  return { userId: user.id, email: user.emailAddresses[0]?.email ?? email, browser }
}

/** Signs in with the password; ends at the page that the flow leads to. */
export async function signInAt(browser: PageBrowser, at: string, identifier: string): Promise<Shown> {
  const start = await browser.open(`${at}/sign-in`)
  return browser.send(await browser.send(start, { identifier }), { password })
}

export const pathOf = ({ url }: Pick<Shown, 'url'>): string => new URL(url).pathname

/** Returns the address of a link, by its text. */
export function hrefOf({ document }: Shown, label: string): string {
  const found = [...document.querySelectorAll('a')].find(({ textContent }) => textContent.trim() === label)
  return found?.getAttribute('href') ?? ''
}

/** Returns path and query of an address in a message. */
export function pathIn(link: string | null | undefined): string {
  const { pathname, search } = new URL(link ?? '')
  return pathname + search
}
