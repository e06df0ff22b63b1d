// Every screen of the console with data that would like to be more than text. What the interface refuses is written past it, because an
// earlier version may have stored it: nothing runs, nothing leaves the page, and no link has another scheme than the web's or mail's.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { invalidateTenant } from '../../src/platform/cache/invalidation.ts'
import { type Statement, sql } from '../../src/platform/db/sql.ts'
import type { TenantId } from '../../src/platform/ids.ts'
import { tenantTables } from '../../src/service/tenant-tables/tenant-tables.ts'
import { describeOnOneEngine } from '../harness/databases/on-one-engine.ts'
import { freePort } from '../harness/free-port.ts'
import { openSession } from '../harness/people/sessions.ts'
import { type TestService, startTestService, testEnv } from '../harness/service.ts'
import { type World, createWorld } from '../matrix/world.ts'
import { describeBrowser, startChromium } from './chromium.ts'

const elsewhere = 'https://elsewhere.example'
const hostile = `"'><img src=${elsewhere}/i onerror=ran=1><svg onload=ran=1></title><script>ran=1</script>{{ran}}=1`
const link = `javascript:window.ran=1//${elsewhere}`
const shown = new Set(
  (
    'name description subject body last_error error verification_reason original_filename path ua browser device os engine cpu ' +
    'identifier username first_name last_name response'
  ).split(' '),
)
const links = /(?:_uri|^url|^issuer|^indicator|^email)$/
const lists = new Set(['redirect_uris', 'post_logout_redirect_uris', 'cors_origins'])
const documents = new Set(['public_meta', 'private_meta', 'meta'])

/** Overwrites whatever a screen may show of a tenant's rows. */
function* overwriting(tenantId: string): Generator<Statement> {
  for (const { name, declared } of tenantTables) {
    if (!('id' in declared)) continue
    for (const [column, { kind }] of Object.entries(declared)) {
      if (kind !== 'text') continue
      const text = shown.has(column) ? hostile : links.test(column) ? link : undefined
      const [table, field] = [sql.identifier(name), sql.identifier(column)]
      if (text !== undefined) {
        // Some are unique within their tenant.
        yield sql`UPDATE ${table} SET ${field} = ${text} || id WHERE tenant_id = ${tenantId} AND ${field} IS NOT NULL`
      } else if (lists.has(column)) {
        yield sql`UPDATE ${table} SET ${field} = ${JSON.stringify([link])} WHERE tenant_id = ${tenantId}`
      } else if (documents.has(column)) {
        yield sql`UPDATE ${table} SET ${field} = ${JSON.stringify({ [hostile]: link })} WHERE tenant_id = ${tenantId}`
      }
    }
  }
  yield sql`UPDATE users SET image_uri = ${link} WHERE tenant_id = ${tenantId}`
  yield sql`UPDATE organizations SET image_uri = ${link} WHERE tenant_id = ${tenantId}`
  yield sql`UPDATE applications SET policy_uri = ${link}, terms_uri = ${link} WHERE tenant_id = ${tenantId}`
  yield sql`UPDATE tenants SET name = ${hostile} WHERE id = ${tenantId}`
}

/** The addresses of all screens, from their declarations. */
const screenPaths = () => {
  const folder = join(import.meta.dirname, '../../../console/src/screens')
  const files = readdirSync(folder).filter((name) => name.endsWith('.ts'))
  const found = files.flatMap((name) => [...readFileSync(join(folder, name), 'utf8').matchAll(/\bpath: '([^']*)'/g)])
  return [...new Set(found.map(([, path = '']) => path))]
}

/** The records of the world that screens are about. */
const recordOf = (world: World): Readonly<Record<string, string>> => ({
  users: world.userId,
  organizations: world.organizationId,
  roles: world.roleId,
  'social-providers': world.providerId,
  'custom-providers': world.customProviderId,
  applications: world.applicationId,
  resources: world.resourceId,
  media: world.fileId,
  transformations: world.transformationId,
  'sign-ins': world.signInAttemptId,
  'sign-ups': world.signUpAttemptId,
  messages: world.messageId,
  templates: world.templateId,
  channels: world.channelId,
  webhooks: world.webhookId,
  connections: world.connectionId,
  hooks: world.hookId,
})

/** What a page must not contain, whatever it shows. */
const findings = `(() => {
  const found = []
  if (window.ran !== undefined) found.push('a script ran')
  const safe = new Set(['http:', 'https:', 'mailto:', 'blob:', 'data:'])
  for (const element of document.querySelectorAll('*')) {
    for (const { name, value } of element.attributes) {
      if (name.startsWith('on')) found.push('<' + element.localName + ' ' + name + '>')
      if (!['href', 'src', 'action', 'formaction', 'xlink:href', 'data'].includes(name) || value === '') continue
      const { protocol } = new URL(value, location.href)
      const isImage = element.localName === 'img' || element.localName === 'source'
      if (isImage && protocol === 'javascript:') continue
      if (!safe.has(protocol) || (protocol === 'data:' && !isImage)) found.push(element.outerHTML.slice(0, 200))
    }
  }
  const foreign = [...document.scripts].filter((script) => new URL(script.src, location.href).origin !== location.origin)
  return [...found, ...foreign.map((script) => 'a script of ' + script.src)]
})()`

describeBrowser('in Chromium', () => {
  describeOnOneEngine('the console with hostile data', (open) => {
    let service: TestService
    let origin: string
    let browser: Browser
    let world: World
    before(async () => {
      const port = await freePort()
      origin = `http://localhost:${port}`
      service = await startTestService((await open()).database, { ...testEnv, BAILIWICK_BASE_URL: `${origin}/api/v0` })
      await service.app.listen({ port, host: '127.0.0.1' })
      world = await createWorld(service)
      const { db, tenants } = service.deps
      await openSession(service, world.tenantId, world.userId, { ua: hostile })
      await db.transaction(async (tx) => {
        for (const statement of overwriting(world.tenantId)) await tx.run(statement)
        await invalidateTenant(tx, tenants, world.tenantId as TenantId)
      })
      // What events tell of it, too.
      const params = { id: world.roleId }
      await service.ok('updateRole', { params, body: { name: hostile.slice(0, 60), description: hostile } })
      browser = await startChromium()
    })
    after(async () => {
      await browser.close()
      await service.app.close()
    })

    async function watched(): Promise<{ page: Page; strayed: string[] }> {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
      const strayed: string[] = []
      page.on('request', (request) => {
        const url = new URL(request.url())
        // The preview of a message is a frame without rights, in which its pictures may be asked for.
        if (request.frame() !== page.mainFrame()) return
        if (url.origin !== origin && !['data:', 'blob:'].includes(url.protocol)) strayed.push(request.url())
      })
      page.on('dialog', (dialog) => {
        strayed.push(`a dialog: ${dialog.message()}`)
        void dialog.dismiss()
      })
      // What the policy had to stop was about to happen; it may stop pictures, which run nothing.
      page.on('console', (message) => {
        const text = message.text()
        if (text.includes('Content Security Policy') && !text.includes('img-src')) strayed.push(text)
      })
      return { page, strayed }
    }

    /** Where a screen is for the world. */
    function readAddress(path: string): string {
      if (path.startsWith('/')) return `/console${path}`
      const id = recordOf(world)[path.split('/')[0] ?? '']
      assert.ok(!path.includes('$id') || id !== undefined, `the test knows no record for ${path}`)
      const below = path
        .replace('$id', id ?? '')
        .replace('$groupId', world.groupId)
        .replace('$roleId', world.ownRoleId)
      return `/console/t/${world.tenantId}/${below}`
    }

    // Guards: hostile-console
    it('shows all of it as text, on every screen', async () => {
      let shownAsText = 0
      const waiting = screenPaths().map(readAddress)
      // Several windows, because a screen is mostly waited for.
      const openScreens = async () => {
        const { page, strayed } = await watched()
        for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
          await page.goto(`${origin}${address}`, { waitUntil: 'networkidle' })
          await page.locator('h1').first().waitFor()
          if ((await page.locator('body').innerText()).includes('onerror=ran=1')) shownAsText++
          const found = await page.evaluate<string[]>(findings)
          assert.deepEqual([...found, ...strayed], [], address)
        }
      }
      await Promise.all(Array.from({ length: 4 }, openScreens))
      assert.ok(shownAsText > 20, `only ${shownAsText} screens have shown it`)
    })
  })
})
