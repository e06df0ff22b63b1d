// A real browser. If the machine has none, its tests report that they did not run; in CI that is a failure.
import { existsSync } from 'node:fs'
import { describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const executablePath = places.find((path) => existsSync(path))

/** How long a page may take for a step. The usual thirty seconds are too short for a machine that stands still for a while. */
const stepMsMax = 120_000

export async function startChromium(): Promise<Browser> {
  const { chromium } = await import('playwright-core')
  // Chromium's sandbox does not start as root, the usual user of tests in containers; the pages are our own.
  const browser = await chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: ['--no-sandbox'],
    timeout: stepMsMax,
  })
  browser.on('context', (context) => context.setDefaultTimeout(stepMsMax))
  return browser
}

/**
 * Defines a suite that needs the browser.
 * @param options.timeout in milliseconds, for a suite that takes longer than others.
 */
export function describeBrowser(title: string, suite: () => void, options: { readonly timeout?: number } = {}) {
  if (executablePath !== undefined) {
    describe(title, options, suite)
    return
  }
  const reason = `did not run: there is no browser (apt-get install chromium; looked for ${places.join(', ')})`
  const isCi = (process.env['CI'] ?? '') !== ''
  describe(title, () => {
    it('has a browser', isCi ? {} : { skip: reason }, () => {
      throw new Error(`${title}: ${reason}`)
    })
  })
}

/**
 * Gives a page a platform authenticator, simulated by the developer tools: it stores passkeys and consents to everything.
 * @param settings deviations, as WebAuthn.VirtualAuthenticatorOptions of the DevTools protocol.
 */
export async function addAuthenticator(page: Page, settings: object = {}) {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('WebAuthn.enable')
  const { authenticatorId } = await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
      ...settings,
    },
  })
  return { devTools, authenticatorId }
}
