// A window of Chromium on the tests' app, and how it is looked at.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { password } from '../../server/test/harness/people/people.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** The service says so of whoever has not signed in yet, or has typed something wrong; the browser notes it as a failure to load. */
const refusal = /the server responded with a status of (?:400|401|422)/
/** Of the answer to signing out: it is meant for cookies, which are not sent from another site. */
const noCookies = /^Clear-Site-Data header on/

export interface Window {
  readonly context: BrowserContext
  readonly page: Page
  /** What went wrong in its pages. React says here that the server has rendered something else. */
  readonly problems: readonly string[]
  readonly openTab: () => Promise<Page>
}

export async function openWindow(browser: Browser): Promise<Window> {
  const context = await browser.newContext({ viewport: { width: 360, height: 720 } })
  const problems: string[] = []
  const openTab = async () => {
    const page = await context.newPage()
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('console', (message) => {
      const isProblem = message.type() === 'error' || message.type() === 'warning'
      if (isProblem && !refusal.test(message.text()) && !noCookies.test(message.text())) problems.push(message.text())
    })
    return page
  }
  return { context, page: await openTab(), problems, openTab }
}

/** Two looks hold all four: a barrier of the dark colours, or of the other direction, shows in the second. */
const looks = [
  { direction: 'ltr', colorScheme: 'light' },
  { direction: 'rtl', colorScheme: 'dark' },
] as const

/** Finds barriers in light and dark, from left to right and from right to left, and what is wider than the window. */
export async function check(page: Page) {
  const before = (await page.evaluate('document.documentElement.dir')) as string
  for (const { colorScheme, direction } of looks) {
    await page.emulateMedia({ colorScheme })
    await page.evaluate(`document.documentElement.dir = '${direction}'`)
    // Reading axe takes as long as one of its runs, so a document that is checked again keeps it.
    if (await page.evaluate(`typeof axe === 'undefined'`)) await page.evaluate(axe)
    const barriers =
      await page.evaluate(`(async () => { const { violations } = await axe.run(document, { resultTypes: ['violations'] });
      return violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ' ' + html + ' ' + failureSummary)) })()`)
    assert.deepEqual(barriers, [], `${direction} ${colorScheme}`)
    const [width, visible] = (await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')) as number[]
    assert.ok((width ?? 0) <= (visible ?? 0), `${direction}: ${width} px are wider than the window`)
  }
  await page.evaluate(`document.documentElement.dir = '${before}'`)
  await page.emulateMedia({ colorScheme: 'light' })
}

/** A screenshot for whoever works on the components: `SCREENSHOTS=/tmp/shots npm test -- react`. */
export async function shoot(page: Page, name: string) {
  const folder = process.env['SCREENSHOTS'] ?? ''
  if (folder !== '') await page.screenshot({ path: `${folder}/${name}.png` })
}

/** Signs in by the forms that ask for the address first. */
export async function signInHere(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Signs Ada out, by the button of her account. */
export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Account of Ada' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel('E-mail address').waitFor()
}
