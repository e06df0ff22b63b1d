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

async function barriersOf(page: Page): Promise<string[]> {
  // Playwright's own world is not bound by the policy of the page. Colours that the reader chooses are not those that axe computes.
  return page.evaluate(`(async () => { ${axe};
    const isForced = matchMedia('(forced-colors: active)').matches
    const rules = { 'color-contrast': { enabled: !isForced } }
    const { violations } = await axe.run(document, { resultTypes: ['violations'], rules });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => [id, html, failureSummary].join(' '))) })()`)
}

/**
 * @param looksForBarriers false where the same states are checked by the same test on another engine: what a page looks like does not
 * depend on the database, and looking takes most of the time of such a test.
 */
export async function openWatchedPage(
  browser: Browser,
  options: BrowserContextOptions = {},
  looksForBarriers = true,
): Promise<WatchedPage> {
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
    for (const colorScheme of looksForBarriers ? (['light', 'dark'] as const) : []) {
      await page.emulateMedia({ colorScheme })
      assert.deepEqual(await barriersOf(page), [], `${page.url()} ${colorScheme}`)
    }
    if (looksForBarriers) await page.emulateMedia({ colorScheme: 'light' })
    const [width, shown] = await page.evaluate<number[]>('[document.documentElement.scrollWidth, innerWidth]')
    assert.equal(width, shown, `${page.url()} is wider than the screen`)
    assert.deepEqual(problems, [], page.url())
  }
  return { context, page, problems, check }
}
