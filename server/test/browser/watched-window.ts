// A window of the browser whose every page is held to have no errors and nothing that the policy refuses.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContext, Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export interface WatchedWindow {
  readonly context: BrowserContext
  readonly page: Page
  /** Fails where the page that is shown has errors, barriers that axe finds in light or dark, or is wider than the window. */
  readonly check: () => Promise<void>
}

async function barriersOf(page: Page): Promise<string[]> {
  // Playwright's own world is not bound by the policy of the page.
  return page.evaluate(`(async () => { ${axe}; const { violations } = await axe.run(document, { resultTypes: ['violations'] });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ' ' + html)) })()`)
}

/** At a phone's width unless the options say another. */
export async function watchedWindow(
  browser: Browser,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<WatchedWindow> {
  const viewport = { width: 320, height: 640 }
  // Without transitions, so that a colour is never looked at halfway between light and dark.
  const context = await browser.newContext({ viewport, reducedMotion: 'reduce', ...options })
  const problems: string[] = []
  const page = await context.newPage()
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    // A form that was not right is answered with a status of 4xx, which the console notes as a failure to load.
    const isRefusedForm = message.text().includes('the server responded with a status of 4')
    if (message.type() === 'error' && !isRefusedForm) problems.push(message.text())
  })
  const check = async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      assert.deepEqual(await barriersOf(page), [], `${page.url()} ${colorScheme}`)
    }
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
    const [width, shown] = await page.evaluate<number[]>('[document.documentElement.scrollWidth, innerWidth]')
    assert.equal(width, shown, `${page.url()} is wider than the window`)
    assert.deepEqual(problems, [], page.url())
  }
  return { context, page, check }
}
