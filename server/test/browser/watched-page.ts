// A window of a real browser that checks its pages: no error, no barrier that axe finds, and nothing wider than the screen.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The narrowest screen that a page has to fit (WCAG 2.2, 1.4.10). */
export const phone = { width: 320, height: 640 }

export interface WatchedPage {
  readonly context: BrowserContext
  readonly page: Page
  /** The problems found so far. */
  readonly problems: readonly string[]
  /** Checks the state that is shown against all requirements, in light and in dark. */
  readonly check: () => Promise<void>
}

/** Reading axe takes as long as one of its runs, so a document that is checked again keeps it. */
async function addAxe(page: Page): Promise<void> {
  // What the developer tools evaluate is not bound by the policy of the page.
  if (await page.evaluate(`typeof axe === 'undefined'`)) await page.evaluate(axe)
}

/** @param rules those of axe's rules to check; all by default. */
async function barriersOf(page: Page, rules?: readonly string[]): Promise<string[]> {
  await addAxe(page)
  return page.evaluate(`(async () => {
    // Colours that the reader chooses are not those that axe computes; a rule that is asked for by name runs although it is disabled.
    const isForced = matchMedia('(forced-colors: active)').matches
    const runOnly = ${JSON.stringify(rules)}?.filter((rule) => !isForced || rule !== 'color-contrast')
    const rules = { 'color-contrast': { enabled: !isForced } }
    const { violations } = await axe.run(document, { resultTypes: ['violations'], rules, runOnly })
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => [id, html, failureSummary].join(' '))) })()`)
}

/** What axe finds in a state depends on the colour scheme for its rules about colours alone. */
const rulesAboutColours = ['color-contrast', 'link-in-text-block']

export async function openWatchedPage(browser: Browser, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  // Without animation: a colour that is changing from light to dark has no contrast that could be measured.
  const context = await browser.newContext({ viewport: phone, reducedMotion: 'reduce', ...options })
  const problems: string[] = []
  const page = await context.newPage()
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    // A form with errors is answered with 422, which the console reports as a failure to load.
    const isRefusedForm = message.text().includes('the server responded with a status of 4')
    if (message.type() === 'error' && !isRefusedForm) problems.push(message.text())
  })

  async function check() {
    // A list is paler while the one that was asked for last is loaded.
    await page.locator('table[aria-busy=true]').first().waitFor({ state: 'detached' })
    assert.deepEqual(await barriersOf(page), [], `${page.url()} light`)
    await page.emulateMedia({ colorScheme: 'dark' })
    assert.deepEqual(await barriersOf(page, rulesAboutColours), [], `${page.url()} dark`)
    await page.emulateMedia({ colorScheme: 'light' })
    const [width, shown] = await page.evaluate<number[]>('[document.documentElement.scrollWidth, innerWidth]')
    assert.equal(width, shown, `${page.url()} is wider than the screen`)
    assert.deepEqual(problems, [], page.url())
  }
  return { context, page, problems, check }
}
