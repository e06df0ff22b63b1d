// What `npm run pictures` runs: takes the pictures of docs/pictures/ again, in Chromium, from a service with data of its own.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { startChromium } from '../server/test/browser/chromium.ts'
import { freePort } from '../server/test/harness/free-port.ts'
import { strangersEnvironment } from './packages/consumer-project.ts'
import { repository } from './packages/published.ts'

const secondsMax = 30
const bytesMax = 60_000
const size = { width: 960, height: 640 }
const brand = { primary: '#0f766e', primaryForeground: '#ffffff', ring: '#0f766e', accentForeground: '#0f766e' }

async function untilReady(address: string) {
  for (let second = 0; second < secondsMax; second++) {
    const isReady = await fetch(`${address}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return
    await sleep(1000)
  }
  throw new Error(`the service is not ready after ${secondsMax} seconds`)
}

async function send(
  method: string,
  address: string,
  body: object,
): Promise<{ readonly id: string; readonly slug: string }> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(address, { method, headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${address} answered ${response.status} ${await response.text()}`)
  return (await response.json()) as { readonly id: string; readonly slug: string }
}

/** A tenant as a company would set it up: with its own colours and a button for a social provider. */
async function createTenant(address: string): Promise<string> {
  const api = `${address}/api/v0`
  const { id, slug } = await send('POST', `${api}/tenants`, { name: 'Example shop', environment: 'development' })
  await send('PUT', `${api}/tenants/${id}/brand`, brand)
  await send('POST', `${api}/auth/social-providers`, {
    tenantId: id,
    providerKey: 'google',
    enabled: true,
    useCustomCredentials: true,
    clientId: 'client',
    clientSecret: 'secret',
  })
  return slug
}

const folder = mkdtempSync(join(tmpdir(), 'bailiwick-pictures-'))
const port = await freePort()
const service = spawn(process.execPath, [join(repository, 'server/src/service/cli.mjs'), 'start'], {
  env: { ...strangersEnvironment(), PORT: String(port), BAILIWICK_DATA_DIR: folder },
  stdio: ['ignore', 'ignore', 'inherit'],
})
try {
  await untilReady(`http://127.0.0.1:${port}`)
  const slug = await createTenant(`http://127.0.0.1:${port}`)
  const browser = await startChromium()
  try {
    const page = await browser.newPage({ viewport: size, colorScheme: 'light', deviceScaleFactor: 2 })
    await page.goto(`http://localhost:${port}/t/${slug}/sign-in`, { waitUntil: 'networkidle' })
    const picture = await sharp(await page.screenshot())
      .webp({ quality: 82, effort: 6 })
      .toBuffer()
    if (picture.length > bytesMax) throw new Error(`the picture has ${picture.length} bytes`)
    writeFileSync(join(repository, 'docs/pictures/sign-in.webp'), picture)
    console.log(`docs/pictures/sign-in.webp  ${Math.ceil(picture.length / 1024)} kB`)
  } finally {
    await browser.close()
  }
} finally {
  service.kill()
  await once(service, 'exit')
  rmSync(folder, { recursive: true, force: true })
}
