// A user's way through an authorization on the hosted pages, without JavaScript: what is asked on each page, and how it ends.
import type { PageBrowser, Shown } from '../browser/page-browser.ts'
import { unique } from '../factories.ts'
import { latestMessageTo } from '../messages.ts'
import type { TestService } from '../service.ts'
import { type VisitingBrowser, callbackUri } from './authorization.ts'
import { password } from './people.ts'

const asBrowser = { accept: 'text/html' }
/** More pages than any authorization needs. */
const pagesMax = 12

export interface Walker {
  readonly service: TestService
  /** The browser at the hosted pages. */
  readonly browser: PageBrowser
  /** The same browser at the authorization server. */
  readonly visiting: VisitingBrowser
  readonly email: string
  /** The second factor, if the user has one. */
  readonly recoveryCode?: string
}

export interface Walk {
  /** The pages that asked for something, in their order. */
  readonly pages: readonly string[]
  /** `code`, or the error that the application gets, or `page <title>` where the user is left. */
  readonly end: string
  /** The address at the application. */
  readonly back: URL | undefined
}

const hasField = ({ document }: Shown, name: string) => document.querySelector(`[name="${name}"]`) !== null

/** Answers what a page asks for. Returns the name of the page, and the next one. */
async function answerPage(
  { service, browser, email, recoveryCode = '' }: Walker,
  page: Shown,
): Promise<{ readonly name: string; readonly next: Shown } | undefined> {
  const path = new URL(page.url).pathname
  if (hasField(page, 'answer')) {
    return { name: 'consent', next: await browser.send(page, {}, { button: 'Allow' }) }
  }
  if (path.endsWith('/sign-up') && hasField(page, 'email')) {
    const fields = { email: `${unique()}@example.com`, password }
    let next = await browser.send(page, fields)
    if (hasField(next, 'code')) {
      next = await browser.send(next, { code: (await latestMessageTo(service.deps, fields.email)).code ?? '' })
    }
    return { name: 'sign-up', next }
  }
  if (hasField(page, 'level')) return { name: 'verify', next: await browser.send(page, {}, { button: 'Continue' }) }
  if (hasField(page, 'identifier')) {
    const next = await browser.send(page, { identifier: email }, { button: 'Continue' })
    return { name: 'identifier', next }
  }
  if (hasField(page, 'password')) return { name: 'password', next: await browser.send(page, { password }) }
  if (hasField(page, 'code')) {
    const recovery = await browser.open(`${path}?with=recovery`)
    return { name: 'second factor', next: await browser.send(recovery, { code: recoveryCode }) }
  }
  const onwards = page.document.querySelector('a.button.primary')?.getAttribute('href')
  if (onwards !== null && onwards !== undefined && onwards.includes('/continue?')) {
    const { pathname, search } = new URL(onwards, page.url)
    return { name: 'account', next: await browser.open(pathname + search) }
  }
  return undefined
}

/** Returns the address that a page leaves for by itself, or that an answer leads to at the authorization server. */
function addressLeft({ status, headers, url }: Shown): string | undefined {
  if (status === 303) return url
  const refresh = headers['refresh']
  return typeof refresh === 'string' ? refresh.replace('0;url=', '') : undefined
}

/** Goes from the application to the authorization server, and answers every page until the browser is back. */
export async function walkAuthorization(walker: Walker, url: URL): Promise<Walk> {
  const { visiting, browser } = walker
  const pages: string[] = []
  let address = url.href
  for (let visits = 0; visits < pagesMax; visits++) {
    const answer = await visiting.visit(address, asBrowser)
    const { location = '' } = answer.headers
    if (location.startsWith(callbackUri)) {
      const back = new URL(location)
      return { pages, back, end: back.searchParams.has('code') ? 'code' : (back.searchParams.get('error') ?? '') }
    }
    if (answer.statusCode !== 303) return { pages, back: undefined, end: `status ${answer.statusCode}` }
    const { pathname, search } = new URL(location)
    let page = await browser.open(pathname + search)
    for (let left = addressLeft(page); ; left = addressLeft(page)) {
      if (left !== undefined) {
        address = left
        break
      }
      const answered = await answerPage(walker, page)
      if (answered === undefined) return { pages, back: undefined, end: `page ${page.title}` }
      pages.push(answered.name)
      if (pages.length > pagesMax) return { pages, back: undefined, end: 'no end' }
      page = answered.next
    }
  }
  return { pages, back: undefined, end: 'no end' }
}
