// Takes pictures of the console with demo data, for looking at; nothing is compared: `node console/scripts/contact-sheets.ts <folder>
// [screen …]`, after `npm run build`. Each view becomes three pictures, 1280 pixels wide in light and in dark and 390 wide in light, and a
// contact sheet shows the three beside each other. Screens are chosen by the beginnings of their names: `users`, `roles/new`.
import { mkdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import sharp from 'sharp'
import { startChromium } from '../../server/test/browser/chromium.ts'
import { password } from '../../server/test/harness/people/people.ts'
import { type Demo, startDemo } from './demo-data.ts'
import { type View, type Who, viewsOf } from './views.ts'

const height = 800
const kinds = [
  { name: '1280-light', width: 1280, colorScheme: 'light' },
  { name: '1280-dark', width: 1280, colorScheme: 'dark' },
  { name: '390-light', width: 390, colorScheme: 'light' },
] as const
type Kind = (typeof kinds)[number]

const heightMax = 4000
const sheetHeightMax = 1600
const sheetWidths = { '1280-light': 800, '1280-dark': 800, '390-light': 390 }
const gap = 16

const [folder, ...chosen] = process.argv.slice(2)
if (folder === undefined) throw new Error('usage: node console/scripts/contact-sheets.ts <folder> [screen …]')

const fileOf = ({ name }: View) => name.replaceAll(/[^a-z0-9]+/gi, '-')

async function signIn(page: Page, { origin, consoleTenantId }: Demo, email: string) {
  const back = encodeURIComponent(`${origin}/console`)
  await page.goto(`${origin}/t/${consoleTenantId}/sign-in?redirect_to=${back}`)
  await page.getByLabel('E-mail address').fill(email)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Tenants' }).waitFor()
}

/** Opens a window in which the console meets this person. */
async function windowFor(browser: Browser, demo: Demo, who: Who) {
  const context = await browser.newContext({ viewport: { width: 1280, height }, reducedMotion: 'reduce' })
  if (who === 'nobody') {
    // A browser on this machine is the operator: the page says instead what it says to every other browser.
    await context.route('**/console/**', async (route) => {
      const response = await route.fetch()
      const isPage = (response.headers()['content-type'] ?? '').startsWith('text/html')
      if (!isPage) return route.fulfill({ response })
      return route.fulfill({
        response,
        body: (await response.text()).replace('content="operator"', 'content="nobody"'),
      })
    })
  }
  if (who === 'administrator' || who === 'member') {
    const { all, few } = demo.administrators
    const page = await context.newPage()
    await signIn(page, demo, who === 'administrator' ? all : few)
    await page.close()
  }
  return context
}

/** Resolves when nothing is being read, and nothing is drawn in place of what is to come. */
async function untilDrawn(page: Page) {
  await page.locator('h1, .empty, .problem, .card').first().waitFor()
  await page.locator('.loading').first().waitFor({ state: 'detached' })
}

async function pictureOf(page: Page, { width, colorScheme }: Kind): Promise<Buffer> {
  await page.emulateMedia({ colorScheme })
  await page.setViewportSize({ width, height })
  const whole = await page.evaluate<number>('document.documentElement.scrollHeight')
  await page.setViewportSize({ width, height: Math.min(Math.max(height, whole), heightMax) })
  await untilDrawn(page)
  return page.screenshot()
}

/** Opens the view once and takes its picture of each kind. */
async function picturesOf(context: BrowserContext, { origin }: Demo, { path, act }: View) {
  const page = await context.newPage()
  try {
    await page.goto(`${origin}/console${path}`, { waitUntil: 'networkidle' })
    await untilDrawn(page)
    await act?.(page)
    await page.waitForLoadState('networkidle')
    const pictures = new Map<Kind['name'], Buffer>()
    for (const kind of kinds) pictures.set(kind.name, await pictureOf(page, kind))
    return pictures
  } finally {
    await page.close()
  }
}

/** Puts the three pictures of a view beside each other. */
async function writeSheet(pictures: ReadonlyMap<Kind['name'], Buffer>, path: string) {
  let left = gap
  const parts = []
  for (const [kind, picture] of pictures) {
    const width = sheetWidths[kind]
    const small = await sharp(picture).resize({ width }).toBuffer({ resolveWithObject: true })
    const shown = Math.min(small.info.height, sheetHeightMax)
    const input = await sharp(small.data).extract({ left: 0, top: 0, width, height: shown }).toBuffer()
    parts.push({ input, left, top: gap, height: shown })
    left += width + gap
  }
  const tallest = Math.max(...parts.map((part) => part.height)) + 2 * gap
  const background = '#888'
  await sharp({ create: { width: left, height: tallest, channels: 3, background } })
    .composite(parts)
    .png()
    .toFile(path)
}

const demo = await startDemo()
const browser = await startChromium()
const contexts = new Map<Who, BrowserContext>()
mkdirSync(folder, { recursive: true })
try {
  const isChosen = ({ name }: View) => chosen.length === 0 || chosen.some((beginning) => name.startsWith(beginning))
  for (const view of viewsOf(demo).filter(isChosen)) {
    const context = contexts.get(view.who) ?? (await windowFor(browser, demo, view.who))
    contexts.set(view.who, context)
    try {
      const pictures = await picturesOf(context, demo, view)
      for (const [kind, picture] of pictures) await writeFile(join(folder, `${fileOf(view)}.${kind}.png`), picture)
      await writeSheet(pictures, join(folder, `sheet.${fileOf(view)}.png`))
      process.stdout.write(`${view.name}\n`)
    } catch (error) {
      process.stdout.write(`${view.name} has no picture: ${String(error)}\n`)
      process.exitCode = 1
    }
  }
} finally {
  await browser.close()
  await demo.close()
}
