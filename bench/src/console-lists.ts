// How soon the console's lists can be used on a large deployment: 10,000 tenants, and one of them with 1,000,000 users, 100,000 events and
// 10,000 organizations, on SQLite, in Chromium. Run it with `node bench/src/console-lists.ts [--users=N]`; it needs /usr/bin/chromium.
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Page, chromium } from 'playwright-core'
import { openBulkEngine } from './data/bulk-engine.ts'
import { insertContents, insertTenants } from './data/bulk-rows.ts'
import { catchUp } from './data/deps-of-store.ts'
import { createStore } from './data/store.ts'
import { describeMachine } from './machine.ts'
import { startBailiwick } from './servers/bailiwick.ts'

const rounds = 5
const { values } = parseArgs({ options: { users: { type: 'string' } } })
const users = Number(values.users ?? '1000000')
const size = { users, events: Math.min(users, 100_000), organizations: 10_000 }
const directory = mkdtempSync(join(tmpdir(), 'bailiwick-console-'))
process.on('exit', () => rmSync(directory, { recursive: true, force: true }))

const store = await createStore(directory, 'console', undefined)
const options = { compileCache: join(directory, 'compile-cache') }

async function asOperator<Answer>(port: number, method: string, path: string, body?: object): Promise<Answer> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v0${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${path} answered ${response.status} ${await response.text()}`)
  return (await response.json()) as Answer
}

const first = await startBailiwick(store, options)
const { id } = await asOperator<{ id: string }>(first.port, 'POST', '/tenants', {
  name: 'Main',
  environment: 'production',
})
await first.stop()
const engine = await openBulkEngine(store)
await insertTenants(engine, id, 9999)
await insertContents(engine, id, size)
await engine.finish()
await catchUp(store)
await (await openBulkEngine(store)).finish()

const median = (times: readonly number[]) =>
  times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? Number.NaN

/** The median and the slowest, in milliseconds. */
async function measured(name: string, once: (round: number) => Promise<void>) {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = performance.now()
    await once(round)
    times.push(performance.now() - startedAt)
  }
  console.log(`| ${name} | ${median(times).toFixed(0)} ms | ${Math.max(...times).toFixed(0)} ms |`)
}

interface List {
  readonly name: string
  readonly path: string
  /** The text that is typed into the search in each round, and the expected result. */
  readonly search?: (round: number) => readonly [typed: string, found: string]
}

const inMiddle = (round: number, count: number) => Math.floor(count / 2) + round

const lists: readonly List[] = [
  {
    name: 'tenants',
    path: '',
    search: (round) => [`tenant-${inMiddle(round, 9999)}`, `Tenant ${inMiddle(round, 9999)}`],
  },
  {
    name: 'users',
    path: `/t/${id}/users`,
    search: (round) => [`person ${inMiddle(round, users)}`, `Person ${inMiddle(round, users)}`],
  },
  {
    name: 'organizations',
    path: `/t/${id}/organizations`,
    search: (round) => [`company ${inMiddle(round, 10_000)}`, `Company ${inMiddle(round, 10_000)}`],
  },
  { name: 'events', path: `/t/${id}/events` },
]

async function measureList(page: Page, origin: string, { name, path, search }: List) {
  const rows = page.locator('.table tbody tr')
  await measured(`${name}: from the address to the first rows`, async () => {
    await page.goto(`${origin}/console${path}`)
    await rows.first().waitFor()
  })
  await measured(`${name}: the next page`, async () => {
    const before = (await rows.first().textContent()) ?? ''
    await page.getByRole('button', { name: 'Older' }).click()
    await page.locator('.table[aria-busy="false"]').waitFor()
    await rows.first().filter({ hasNotText: before }).waitFor()
  })
  if (search === undefined) return
  await measured(`${name}: from the last letter of a search to what it finds`, async (round) => {
    const [typed, found] = search(round)
    await page.getByRole('searchbox').fill(typed)
    await rows.filter({ hasText: found }).first().waitFor()
  })
}

const server = await startBailiwick(store, options)
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
try {
  const origin = `http://localhost:${server.port}`
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  console.log(
    `${new Date().toISOString().slice(0, 10)}; ${await describeMachine(undefined)}; load ${loadavg()[0]?.toFixed(1)}`,
  )
  console.log('| what | median of 5 | slowest |\n| --- | --- | --- |')
  await page.goto(`${origin}/console`)
  for (const list of lists) await measureList(page, origin, list)
  const preview = (body: object) => asOperator(server.port, 'POST', `/auth/tenants/${id}/preview`, body)
  await measured(
    'preview of a rule that takes no way to sign in away',
    async () => void (await preview({ nameRequired: true })),
  )
  await measured(
    `preview of a rule that takes one away, over ${users.toLocaleString('en')} users`,
    async () => void (await preview({ strategyEmailPasswordEnabled: false })),
  )
} finally {
  await browser.close()
  await server.stop()
}
