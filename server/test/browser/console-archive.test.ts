// A tenant leaves one deployment and continues in another, by the console of each, in Chromium at a phone's width. The browser asks for the
// file in a dialog of the system, which no test can answer: a file that is private to the page takes the place of the chosen one.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { describeOnOneEngine } from '../harness/databases/on-one-engine.ts'
import { createFile, createTenant, createUser } from '../harness/factories.ts'
import { png } from '../harness/files/images.ts'
import { freePort } from '../harness/free-port.ts'
import { type TestService, startTestService, testEnv } from '../harness/service.ts'
import { describeBrowser, startChromium } from './chromium.ts'
import { openWatchedPage } from './watched-page.ts'

const passphrase = 'four words nobody guesses'

/** A browser in which pages cannot ask for a file, such as Firefox. */
const withoutPicker = 'delete globalThis.showSaveFilePicker'

/** Chooses a file whose disk takes nothing after the first bytes until `disk.go()` is called, and counts what becomes of it. */
const withSlowDisk = `
  const disk = (globalThis.disk = { written: 0, aborted: 0, name: '' })
  disk.hold = () => void (disk.gate = new Promise((resolve) => (disk.go = resolve)))
  disk.hold()
  globalThis.showSaveFilePicker = async ({ suggestedName }) => {
    const root = await navigator.storage.getDirectory()
    const handle = await root.getFileHandle(suggestedName, { create: true })
    return {
      createWritable: async () => {
        const file = await handle.createWritable()
        disk.written = 0
        return {
          write: async (bytes) => {
            if (disk.written > 0) await disk.gate
            await file.write(bytes)
            disk.written += bytes.length
          },
          close: () => file.close(),
          abort: async () => {
            disk.aborted++
            await file.abort()
          },
        }
      },
    }
  }`
const privateFiles = `(async () => {
  const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('downloads')
  return Promise.all((await Array.fromAsync(folder.values())).map(async (file) => (await file.getFile()).size))
})()`
/** More than what the sockets and the browser take in before anything is read. */
const fileBytes = 19 * 1024 * 1024

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
      await from.page.addInitScript(withoutPicker)
      await from.page.goto(`${source.origin}/console/t/${tenant.id}/settings`)
      await from.page.getByLabel('Passphrase', { exact: true }).fill(passphrase)
      await from.check()
      const download = from.page.waitForEvent('download')
      await from.page.getByRole('button', { name: 'Export tenant', exact: true }).click()
      await (await download).saveAs(path)
      assert.equal((await download).suggestedFilename(), `${tenant.slug}.bailiwick`)
      await from.page.getByRole('status').getByText('The file is saved').waitFor()
      // What was saved is complete, and was kept on the disk until then, not in the tab.
      assert.deepEqual(await from.page.evaluate<number[]>(privateFiles), [statSync(path).size])
      await from.context.close()

      const { page, context, check } = await openWatchedPage(browser)
      await page.goto(`${target.origin}/console/deployment`)
      const send = () => page.getByRole('button', { name: 'Import tenant', exact: true }).click()
      await page.getByLabel('Archive (.bailiwick)', { exact: true }).setInputFiles(path)
      await page.getByLabel('Passphrase', { exact: true }).fill('another passphrase')
      await send()
      await page.getByRole('alert').getByText('The passphrase is wrong').waitFor()
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

    it('can be cancelled while the file is written, which ends the download at the service', async () => {
      const { service, origin } = await started()
      const { tenant } = await createTenant(service)
      // What follows the picture cannot be compressed, and so the archive is larger than it.
      await createFile(service, tenant.id, {}, Buffer.concat([png(1, 1), randomBytes(fileBytes)]))
      const { page, context, check } = await openWatchedPage(browser)
      await page.addInitScript(withSlowDisk)
      await page.goto(`${origin}/console/t/${tenant.id}/settings`)
      const save = page.getByRole('button', { name: 'Export tenant', exact: true })
      // A node makes two archives at a time, so a third one shows that the cancelled ones have ended there.
      for (const aborted of [1, 2]) {
        await page.getByLabel('Passphrase', { exact: true }).fill(passphrase)
        await save.click()
        await page.getByText(/^Read: /).waitFor()
        if (aborted === 1) await check()
        await page.getByRole('button', { name: 'Cancel', exact: true }).click()
        await page.evaluate('disk.go()')
        await page.getByText(/^Read: /).waitFor({ state: 'detached' })
        assert.equal(await page.evaluate('disk.aborted'), aborted)
        const written = await page.evaluate<number>('disk.written')
        assert.ok(written < fileBytes, `${written} bytes were still downloaded`)
        await page.evaluate('disk.hold()')
      }
      assert.equal(await page.getByRole('alert').count(), 0)
      await page.evaluate('disk.go()')
      await save.click()
      await page.getByRole('status').getByText('The file is saved').waitFor()
      const size = await page.evaluate<number>(`(async () => {
        const root = await navigator.storage.getDirectory()
        return (await (await root.getFileHandle('${tenant.slug}.bailiwick')).getFile()).size
      })()`)
      assert.equal(size, await page.evaluate('disk.written'))
      assert.ok(size > fileBytes)
      await context.close()
    })
  })
})
