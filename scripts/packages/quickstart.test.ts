// The quickstarts, walked: their commands are run and their files written as they are printed, with the packages as they would be
// published, and the apps are used in Chromium.
import assert from 'node:assert/strict'
import { type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { describeBrowser, startChromium } from '../../server/test/browser/chromium.ts'
import { aboutSqlite } from '../../server/test/harness/databases/engines.ts'
import { freePort } from '../../server/test/harness/free-port.ts'
import { GuideWalk } from './guide-walk.ts'
import { readGuide } from './guide.ts'
import { readManifest, repository } from './published.ts'

const password = 'correct horse battery staple'
const guides = {
  express: readGuide('quickstart-express.md'),
  react: readGuide('quickstart-react.md'),
  next: readGuide('quickstart-next.md'),
}
const filesOf = {
  express: ['server.js', 'public/index.html', 'public/app.js', 'grant.js'],
  react: ['index.html', 'main.jsx', 'server.js'],
  next: ['app/layout.jsx', 'app/page.jsx', 'app/members/page.jsx', 'proxy.js'],
}
const codeLinesMax = 25
const stepsMax = 6
const waitMsMax = 120_000
/** A walk installs what its guide names, which may be hundreds of megabytes. */
const limit = { timeout: 480_000 }
/** The walks follow one another. */
const suiteLimit = { timeout: 1_200_000 }

for (const [name, { files }] of Object.entries(guides)) {
  describe(`docs/quickstart-${name}.md`, () => {
    it(`prints the files of examples/${name}`, () => {
      assert.deepEqual([...files.keys()], filesOf[name as keyof typeof filesOf])
      for (const [file, text] of files) {
        assert.equal(text, readFileSync(join(repository, 'examples', name, file), 'utf8'), file)
      }
      assert.equal(readManifest(`examples/${name}`).version, readManifest('.').version)
    })
  })
}

for (const name of ['react', 'next'] as const) {
  describe(`docs/quickstart-${name}.md`, () => {
    it(`has at most ${stepsMax} steps and ${codeLinesMax} lines of JavaScript`, () => {
      const text = readFileSync(join(repository, `docs/quickstart-${name}.md`), 'utf8')
      assert.equal([...text.matchAll(/^## \d/gm)].length, stepsMax)
      const scripts = [...guides[name].files].filter(([file]) => /\.jsx?$/.test(file))
      const lines = scripts.flatMap(([, code]) => code.split('\n').filter((line) => line.trim() !== ''))
      assert.ok(lines.length <= codeLinesMax, `${lines.length} lines`)
    })
  })
}

describeBrowser(
  'in Chromium',
  () => {
    describe('the walk through', { ...suiteLimit, ...aboutSqlite }, () => {
      const walk = new GuideWalk()
      let service: ChildProcess
      let browser: Browser
      before(async () => {
        await walk.prepare()
        service = await walk.start(guides.express.commands[0] ?? '', walk.folder, 'service', /is ready/)
        browser = await startChromium()
      }, suiteLimit)
      after(async () => {
        await browser?.close()
        await walk.end()
      })
      afterEach((test) => {
        if (!(test as { readonly passed?: boolean }).passed) console.log(walk.printed())
      })

      async function openPage() {
        const page = await browser.newPage()
        // Next.js compiles a page when it is first asked for.
        page.setDefaultTimeout(waitMsMax)
        const problems: string[] = []
        page.on('pageerror', (error) => problems.push(error.message))
        page.on('console', (message) => {
          // The page asks whether anybody is signed in, and the browser logs the refusal as an error.
          const isRefusal = message.text().includes('the server responded with a status of 401')
          const isIcon = message.location().url.endsWith('/favicon.ico')
          // The development server's own connection is cut when the page is left while it connects.
          const isDevelopment = message.text().includes('/_next/webpack-hmr')
          if (message.type() === 'error' && !isRefusal && !isIcon && !isDevelopment) problems.push(message.text())
        })
        return { page, problems }
      }

      /** Makes the app as the guide says, and starts it. */
      async function makeApp(name: keyof typeof guides, folder: string, ready: RegExp): Promise<string> {
        const { commands, files } = guides[name]
        const [startService, make = '', makeTenant = '', run = ''] = commands
        assert.equal(startService, 'npx bailiwick\n')
        const parent = join(walk.folder, name)
        const app = join(parent, folder)
        mkdirSync(parent)
        await walk.takeAppPort()
        await walk.run(make, parent).catch(async () => {
          // A registry may stall once, which says nothing about the guide.
          rmSync(parent, { recursive: true })
          mkdirSync(parent)
          await walk.run(make, parent)
        })
        await walk.run(makeTenant, app)
        walk.write(app, files)
        await walk.start(run, app, 'app', ready)
        return app
      }

      /** Starts on the hosted page on which people sign in. */
      async function signUp(page: Page, email: string, servicePort?: number) {
        await page.getByRole('link', { name: 'Sign up' }).click()
        await page.getByLabel('E-mail address').fill(email)
        await page.getByLabel('Password', { exact: true }).fill(password)
        await page.getByRole('button', { name: 'Sign up' }).click()
        // The form submits itself when the code is complete.
        await page.getByLabel('Code').fill(await walk.sentCode(email, servicePort))
      }

      /** Creates an organization on the hosted page, and chooses it in the app. */
      async function chooseOrganization(page: Page, app: string) {
        await page.getByRole('link', { name: 'Manage organizations' }).click()
        await page.getByRole('link', { name: 'Create an organization' }).last().click()
        await page.getByLabel('Name', { exact: true }).fill('Bletchley Park')
        await page.getByRole('button', { name: 'Create' }).click()
        await page.getByText('The organization has been created.').waitFor()
        await page.goto(app)
        const list = page.getByLabel('Organization', { exact: true })
        await list.selectOption({ label: 'Bletchley Park' })
        await page.locator('select[aria-busy=false]').waitFor()
        assert.match(await list.inputValue(), /^c/)
      }

      it(
        'docs/quickstart-express.md leads to an app whose users sign up, sign in and have permissions',
        limit,
        async () => {
          const email = 'ada@example.com'
          const app = await makeApp('express', 'my-shop', /The app is ready/)
          assert.ok(existsSync(join(walk.folder, '.bailiwick')))
          const { page, problems } = await openPage()
          const fill = async (button: string) => {
            await page.getByLabel('E-mail address').fill(email)
            await page.getByLabel('Password').fill(password)
            await page.getByRole('button', { name: button }).click()
          }
          await page.goto(walk.here('http://127.0.0.1:3000/'))
          await fill('Create an account')
          await page.getByLabel('The code that was sent to you').fill(await walk.sentCode(email))
          await page.getByRole('button', { name: 'Verify' }).click()
          await page.getByText(`You are signed in as ${email}.`).waitFor()

          await page.getByRole('button', { name: 'Show orders' }).click()
          await page.getByText('permission_required').waitFor()
          assert.match(await walk.run(guides.express.commands[4] ?? '', app), /may read orders/)
          await page.reload()
          await page.getByRole('button', { name: 'Show orders' }).click()
          await page.getByText('Domesday').waitFor()

          // The app's server gets the session's cookie too, because another port is still the same site: it needs no token from the page.
          assert.match(
            await page.evaluate('fetch("/api/greeting").then((answer) => answer.text())'),
            /Hello, ada@example.com/,
          )
          assert.equal(await page.evaluate('fetch("/api/me").then(({ status }) => status)'), 200)

          await page.getByRole('button', { name: 'Sign out' }).click()
          await fill('Sign in')
          await page.getByText(`You are signed in as ${email}.`).waitFor()
          assert.deepEqual(
            problems.filter((problem) => !problem.includes('a status of 403')),
            [],
          )
        },
      )

      it(
        'docs/quickstart-react.md leads to an app whose users sign up on the hosted page, and come back',
        limit,
        async () => {
          const email = 'grace@example.com'
          await makeApp('react', 'my-shop', /The app is ready/)
          const { page, problems } = await openPage()
          const home = walk.here('http://localhost:3000/')
          await page.goto(home)
          await page.getByRole('link', { name: 'Sign in' }).click()
          await signUp(page, email)
          await page.waitForURL(home)
          await page.getByRole('button', { name: `Account of ${email}` }).waitFor()
          await chooseOrganization(page, home)

          await page.getByRole('link', { name: 'My orders' }).click()
          await page.getByText(`"customer":"${email}"`).waitFor()
          await page.goBack()
          await page.getByRole('button', { name: `Account of ${email}` }).click()
          await page.getByRole('button', { name: 'Sign out' }).click()
          await page.getByRole('link', { name: 'Sign in' }).waitFor()
          assert.equal((await page.request.get(`${home}orders`)).status(), 401)
          assert.deepEqual(problems, [])
        },
      )

      it('docs/quickstart-next.md leads to a page for members, rendered with its user', limit, async () => {
        const email = 'hedy@example.com'
        await makeApp('next', 'my-club', /Ready in/)
        const { page, problems } = await openPage()
        const members = walk.here('http://localhost:3000/members')
        await page.goto(members)
        await page.getByRole('heading', { name: 'Sign in' }).waitFor()
        await signUp(page, email)
        await page.waitForURL(members)
        await page.getByText(`Hello, ${email}`).waitFor()
        assert.match(
          await (await page.request.get(members)).text(),
          /<button[^>]*aria-label="Account of hedy@example.com"/,
        )
        await chooseOrganization(page, members)

        await page.getByRole('button', { name: `Account of ${email}` }).click()
        await page.getByRole('button', { name: 'Sign out' }).click()
        await page.waitForURL(walk.here('http://localhost:3000/'))
        await page.getByRole('link', { name: 'Sign in' }).waitFor()
        await page.goto(members)
        await page.getByRole('heading', { name: 'Sign in' }).waitFor()
        assert.deepEqual(problems, [])
      })

      /** Makes a new app with sign-in by one command, starts it as that prints, and opens it. */
      async function createApp(template: string, run: string, ready: RegExp, url = 'http://127.0.0.1:4000') {
        await walk.takeAppPort()
        walk.publishAll()
        const options = `--template ${template} --url ${url} --app-url http://localhost:3000/`
        const printed = await walk.run(`npx create-bailiwick-app my-${template} ${options}`, walk.folder)
        assert.match(printed, /1\. cd my-.*\n.*2\. npm run dev.*\n.*3\. Open http:\/\/localhost:\d+\/ and sign up\./)
        const app = await walk.start(walk.here(run), join(walk.folder, `my-${template}`), 'app', ready)
        const { page, problems } = await openPage()
        await page.goto(walk.here('http://localhost:3000/'))
        return { app, page, problems }
      }

      it(
        '`create-bailiwick-app` makes an Express app whose users sign in, with a service of its own',
        limit,
        async () => {
          const email = 'rosalind@example.com'
          const port = await freePort()
          const url = `http://127.0.0.1:${port}`
          const { app, page, problems } = await createApp('express', 'npm run dev', /The app is ready/, url)
          await page.getByRole('link', { name: 'sign-in' }).click()
          await signUp(page, email, port)
          await page.getByRole('link', { name: 'me', exact: true }).click()
          await page.getByText(`"email":"${email}"`).waitFor()
          await page.goBack()
          await page.getByRole('link', { name: 'sign-out' }).click()
          assert.deepEqual(problems, [])
          // Ctrl-C ends both.
          walk.signal(app, 'SIGINT')
          await walk.untilGone(`${url}/livez`)
        },
      )

      it('`create-bailiwick-app` makes a Vite app with React whose users sign in', limit, async () => {
        const email = 'dorothy@example.com'
        const { page, problems } = await createApp('vite-react', 'npm run dev -- --port 3000', /ready in/)
        await page.getByRole('link', { name: 'Sign in' }).click()
        await signUp(page, email)
        await page.getByRole('button', { name: `Account of ${email}` }).waitFor()
        assert.deepEqual(problems, [])
      })

      it('the first step leads to a service that Ctrl-C ends', async () => {
        walk.signal(service, 'SIGINT')
        const [code, signal] = (await once(service, 'exit')) as [number | null, string | null]
        // npx reports the signal, whatever the service did.
        assert.match(String(code ?? signal), /^(?:0|130|SIGINT)$/)
        await walk.untilGone('http://127.0.0.1:4000/livez')
      })
    })
  },
  suiteLimit,
)
