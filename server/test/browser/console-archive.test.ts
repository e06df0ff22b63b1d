// A tenant leaves one deployment and continues in another, by the console of each, in Chromium at a phone's width.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { describeOnOneEngine } from '../harness/on-one-engine.ts'
import { createTenant, createUser } from '../harness/factories.ts'
import { freePort } from '../harness/free-port.ts'
import { type TestService, startTestService, testEnv } from '../harness/service.ts'
import { describeBrowser, startChromium } from './chromium.ts'
import { openWatchedPage } from './watched-page.ts'

const passphrase = 'four words nobody guesses'

describeBrowser('in Chromium', () => {
  // What the console does with an archive does not depend on the database.
  describeOnOneEngine('the archive of a tenant in the console', (open) => {
    const folder = mkdtempSync(join(tmpdir(), 'bailiwick-console-archive-'))
    const services: TestService[] = []
    let browser: Browser

    async function started() {
      const port = await freePort()
      const origin = `http://localhost:${port}`
      const { database } = await open()
      const service = await startTestService(database, { ...testEnv, BAILIWICK_BASE_URL: `${origin}/api/v0` })
      await service.app.listen({ port, host: '127.0.0.1' })
      services.push(service)
      return { service, origin }
    }

    before(async () => {
      browser = await startChromium()
    })
    after(async () => {
      await browser.close()
      for (const { app } of services) await app.close()
      rmSync(folder, { recursive: true })
    })

    it('is saved as a file and imported from it, with what is wrong said before', async () => {
      const [source, target] = [await started(), await started()]
      const { tenant } = await createTenant(source.service)
      const user = await createUser(source.service, tenant.id)
      const path = join(folder, 'tenant.bailiwick')

      const from = await openWatchedPage(browser)
      await from.page.goto(`${source.origin}/console/t/${tenant.id}/settings`)
      await from.page.getByLabel('Passphrase', { exact: true }).fill(passphrase)
      await from.check()
      const download = from.page.waitForEvent('download')
      await from.page.getByRole('button', { name: 'Export tenant', exact: true }).click()
      await (await download).saveAs(path)
      assert.equal((await download).suggestedFilename(), `${tenant.slug}.bailiwick`)
      await from.page.getByRole('status').getByText('The file is saved').waitFor()
      await from.context.close()

      const { page, context, check } = await openWatchedPage(browser)
      await page.goto(`${target.origin}/console/deployment`)
      const send = () => page.getByRole('button', { name: 'Import tenant', exact: true }).click()
      await page.getByLabel('Archive (.bailiwick)', { exact: true }).setInputFiles(path)
      await page.getByLabel('Passphrase', { exact: true }).fill('another passphrase')
      await send()
      await page.getByRole('alert').getByText('The passphrase is not the one of this file').waitFor()
      await check()
      await page.getByLabel('Passphrase', { exact: true }).fill(passphrase)
      await send()
      await page.getByRole('status').getByText('is imported, with').waitFor()
      await check()
      const read = ({ service }: { readonly service: TestService }) =>
        service.ok('getUser', { params: { id: user.id } })
      assert.deepEqual(await read(target), await read(source))
      await page.getByRole('link', { name: tenant.name, exact: true }).click()
      await page.waitForURL(`${target.origin}/console/t/${tenant.id}`)
      await context.close()
    })
  })
})
