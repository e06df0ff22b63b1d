// Takes a picture of every state of the pages at two widths, in light and in dark, plain and with a brand, and puts those of one kind
// beside each other: `node pages/scripts/contact-sheets.ts <folder> [language] [part of the names]`. They are for looking at, nothing is
// compared.
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import {
  type Frame,
  type FrameTenant,
  type Language,
  type TextOf,
  brandCss,
  catalogueOf,
  icon,
  languages,
  script,
  styleSheet,
  textOf,
} from '../src/index.ts'
import { states } from './states.ts'

const [folder, tag = 'en', part = ''] = process.argv.slice(2)
const language = languages.find((each) => each.tag === tag)
if (folder === undefined || language === undefined) {
  throw new Error('usage: node pages/scripts/contact-sheets.ts <folder> [language] [part of the names]')
}

const widths = [320, 1280] as const
const schemes = ['light', 'dark'] as const

const logo = (fill: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="160" height="40"><circle cx="20" cy="20" r="16" fill="${fill}"/>` +
  `<text x="48" y="28" font-family="sans-serif" font-size="24" font-weight="700" fill="${fill}">Acme</text></svg>`

interface Look {
  readonly css: string
  readonly tenant: FrameTenant
}

const looks: Readonly<Record<string, Look>> = {
  default: { css: '', tenant: { name: 'Acme', logoUri: null, darkLogoUri: null, layout: 'centered' } },
  branded: {
    css: brandCss({
      primary: '#0f766e',
      primaryForeground: '#ffffff',
      background: '#f0fdfa',
      accent: '#ccfbf1',
      accentForeground: '#115e59',
      ring: '#0d9488',
      radius: '4px',
      darkPrimary: '#5eead4',
      darkPrimaryForeground: '#042f2e',
      darkAccentForeground: '#99f6e4',
      darkRing: '#2dd4bf',
      darkRadius: '4px',
    }),
    tenant: { name: 'Acme', logoUri: '/logo.svg', darkLogoUri: '/dark-logo.svg', layout: 'split' },
  },
}

function frameOf({ tenant }: Look, shown: Language, text: TextOf): Frame {
  return {
    text,
    language: shown,
    languages,
    tenant,
    icon: '/icon.svg',
    root: '',
    address: '/sign-in',
    formToken: 'x',
    styles: ['/pages.css', '/brand.css'],
    script: '/pages.js',
    links: { termsUri: 'https://acme.example/terms', privacyUri: 'https://acme.example/privacy', supportUri: null },
  }
}

const types = { css: 'text/css', js: 'text/javascript', svg: 'image/svg+xml', html: 'text/html; charset=utf-8' }

/** Serves `/<look>/<state>` and what such a page loads. */
async function serve(shown: Language) {
  const words = textOf(shown.tag, await catalogueOf(shown))
  let brand = ''
  const files: Readonly<Record<string, () => string>> = {
    '/pages.css': styleSheet,
    '/brand.css': () => brand,
    '/pages.js': script,
    '/icon.svg': () => icon,
    '/logo.svg': () => logo('#0f766e'),
    '/dark-logo.svg': () => logo('#5eead4'),
  }
  const server = createServer(({ url = '/' }, response) => {
    const path = decodeURIComponent(url)
    const [, lookName = '', stateName = ''] = path.split('/')
    const [look, state] = [looks[lookName], states[stateName]]
    const isPage = look !== undefined && state !== undefined
    if (isPage) brand = look.css
    const extension = isPage ? 'html' : (path.split('.').at(-1) as keyof typeof types)
    const text = isPage ? state(frameOf(look, shown, words)) : files[path]?.()
    response.writeHead(text === undefined ? 404 : 200, { 'content-type': types[extension] ?? 'text/plain' }).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

interface Kind {
  readonly look: string
  readonly width: number
  readonly scheme: (typeof schemes)[number]
}

async function sheetOf(browser: Browser, origin: string, { look, width, scheme }: Kind, path: string) {
  const viewport = { width, height: width < 480 ? 640 : 800 }
  const context = await browser.newContext({ viewport, colorScheme: scheme, reducedMotion: 'reduce' })
  const page = await context.newPage()
  const pictures: string[] = []
  for (const name of Object.keys(states).filter((each) => each.includes(part))) {
    await page.goto(`${origin}/${look}/${encodeURIComponent(name)}`)
    const picture = await page.screenshot({ fullPage: width < 480 })
    pictures.push(
      `<figure><figcaption>${name}</figcaption><img src="data:image/png;base64,${picture.toString('base64')}"></figure>`,
    )
  }
  await context.close()
  const sheet = await browser.newPage({ viewport: { width: 2000, height: 1000 } })
  const shown = width < 480 ? width : 480
  await sheet.setContent(
    `<style>body{display:flex;flex-wrap:wrap;gap:12px;align-items:start;background:#888;font:14px sans-serif}
    figure{margin:0}img{width:${shown}px;display:block}</style>${pictures.join('')}`,
  )
  await sheet.screenshot({ path, fullPage: true })
  await sheet.close()
}

const { server, origin } = await serve(language)
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
mkdirSync(folder, { recursive: true })
for (const look of Object.keys(looks)) {
  for (const width of widths) {
    for (const scheme of schemes) {
      const path = join(folder, `${look}-${width}-${scheme}-${tag}.png`)
      await sheetOf(browser, origin, { look, width, scheme }, path)
      process.stdout.write(`${path}\n`)
    }
  }
}
await browser.close()
server.close()
