// When a page first becomes visible in a browser, on a slow phone with a slow connection, opened for the first time.
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, chromium } from 'playwright-core'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** 1.6 Mbit/s with 150 ms of latency and a quarter of the processor: a slow phone on a slow 4G connection. */
const network = { offline: false, downloadThroughput: 200_000, uploadThroughput: 93_750, latency: 150 }
const processorSlowdown = 4

const pauseMs = 50
const triesMax = 600

async function measurePaint(browser: Browser, address: string): Promise<number> {
  // A new context has an empty cache.
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  const devTools = await context.newCDPSession(page)
  await devTools.send('Network.enable')
  await devTools.send('Network.emulateNetworkConditions', network)
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: processorSlowdown })
  await page.goto(address)
  // It is text because it runs in the page, and this package has no types for browsers. The policy of the console refuses what a page
  // would evaluate itself, so it is asked from here.
  const paint = `performance.getEntriesByName('first-contentful-paint')[0]?.startTime`
  let time = await page.evaluate<unknown>(paint)
  for (let tries = 0; time === undefined && tries < triesMax; tries += 1) {
    await sleep(pauseMs)
    time = await page.evaluate<unknown>(paint)
  }
  await context.close()
  if (typeof time !== 'number') throw new Error(`${address} was not painted`)
  return time
}

/**
 * Opens a page several times, each time with an empty cache.
 * @returns the median of the times until the first contentful paint, in milliseconds; undefined if there is no Chromium.
 */
export async function firstPaint(address: string, times: number): Promise<number | undefined> {
  const executablePath = places.find((path) => existsSync(path))
  if (executablePath === undefined) return undefined
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  try {
    const paints: number[] = []
    for (let index = 0; index < times; index += 1) paints.push(await measurePaint(browser, address))
    return paints.toSorted((one, other) => one - other)[Math.floor(times / 2)]
  } finally {
    await browser.close()
  }
}
