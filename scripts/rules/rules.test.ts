// Each rule finds what breaks it in a tree, and leaves alone what keeps it.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { breaches, idleExceptions, rules } from './rules.ts'

const nothing = {
  'docs/dependencies.md': '| pg | 8.1.0 | PostgreSQL |',
  'package.json': '{}',
  'scripts/rules/rules.ts': '',
}

function treeOf(sources: Readonly<Record<string, string>>) {
  const all: Readonly<Record<string, string>> = { ...nothing, ...sources }
  return { files: Object.keys(all), read: (path: string) => all[path] ?? '' }
}

const broken: readonly (readonly [path: string, source: string, rule: RegExp])[] = [
  ['sdk/src/a.ts', 'export default 1', /Named exports/],
  ['server/src/tenancy/index.ts', "export * from './a.ts'", /barrels/],
  ['server/src/a.test.ts', "mock.module('./a.ts')", /mock our own/],
  ['server/src/a.test.ts', "it.skip('signs in', () => {})", /skipped/],
  ['pages/src/a.test.ts', "describe('a page', { skip: true }, () => {})", /skipped/],
  ['server/src/tenancy/a.ts', "const key = process.env['KEY']", /environment/],
  ['server/src/tenancy/a.ts', 'sql`SELECT lower(name) FROM roles`', /no lower/],
  ['server/src/tenancy/a.ts', 'sql`SELECT id FROM roles LIMIT 10 OFFSET ${skipped}`', /OFFSET/],
  ['server/src/tenancy/a.ts', 'sql`SELECT COUNT(*) AS count FROM roles`', /counts rows without/],
  ['server/src/media/a.ts', 'const answer = await fetch(address)', /platform\/net/],
  ['server/src/media/a.ts', "import { request } from 'node:https'", /platform\/net/],
  ['server/src/flows/a.ts', 'const now = Date.now()', /the clock/],
  ['server/src/flows/someFile.ts', '', /kebab-case/],
  ['server/src/flows/sign-in/feature.ts', '', /no list/],
  ['server/src/platform/db/migrations/0002-more.ts', '', /no list/],
  ['contract/src/shapes/user.ts', 'export const User = object({})', /has a description/],
  ['sdk/src/a.ts', 'const user = found as unknown as User', /says why/],
  ['sdk/src/a.ts', '// @ts-expect-error', /says why/],
  ['server/src/a.test.ts', '// oxlint-disable-next-line no-console', /says why/],
  ['server/package.json', '{"private":true,"dependencies":{"pg":"^8.1.0"}}', /exact version/],
  ['sdk/package.json', '{}', /is private/],
  ['docs/decisions/0001-x.md', 'See `platform/none.ts`.', /does not exist/],
  ['server/src/flows/sign-in/routes.ts', 'const row = await db.first(sql`SELECT 1`)', /no SQL/],
  ['package.json', '{"devDependencies":{"vite":"7.0.0"}}', /no row/],
]

const kept: readonly (readonly [path: string, source: string])[] = [
  ['console/vite.config.ts', 'export default {}'],
  ['server/src/tenancy/a.ts', '// process.env is read by config.ts'],
  ['server/src/a.test.ts', "it('is private', { skip: process.platform !== 'linux' }, () => {})"],
  ['server/src/platform/net/egress.ts', "import { request } from 'node:https'"],
  ['server/src/media/a.ts', "import type { IncomingMessage } from 'node:http'"],
  ['server/src/media/a.ts', 'await this.#fetch(next)'],
  ['sdk/src/a.ts', '// The query selects these columns.\nconst user = found as unknown as User'],
  ['contract/src/shapes/user.ts', '/** An account. */\nexport const User = object({})'],
  ['sdk/src/a.test.ts', 'const user = {} as unknown as User'],
  ['sdk/src/a.ts', '// @ts-expect-error a parameter is missing'],
  ['sdk/src/a.ts', '// oxlint-disable-next-line no-console -- the operator reads it'],
  ['server/package.json', '{"private":true,"dependencies":{"pg":"8.1.0","@bailiwick/contract":"*"}}'],
  ['docs/decisions/0001-x.md', 'See `rules/rules.ts`, and `./x.ts` in imports.'],
]

describe('the check of the rules', () => {
  for (const [path, source, rule] of broken) {
    it(`refuses ${source || 'an empty file'} in ${path}`, () => {
      const found = breaches(treeOf({ [path]: source }))
      assert.equal(found.length, 1, found.join('\n'))
      assert.match(found[0] ?? '', rule)
    })
  }

  for (const [path, source] of kept) {
    it(`accepts ${source} in ${path}`, () => assert.deepEqual(breaches(treeOf({ [path]: source })), []))
  }

  it('accepts features and migrations that a list names', () => {
    const tree = treeOf({
      'server/src/flows/sign-in/feature.ts': '',
      'server/src/service/features.ts': "import { signIn } from '../flows/sign-in/feature.ts'",
      'server/src/platform/db/migrations/0002-more.ts': '',
      'server/src/platform/db/migrations/index.ts': "import { more } from './0002-more.ts'",
    })
    assert.deepEqual(breaches(tree), [])
  })

  it('has each rule in one of the cases above', () => {
    for (const { rule } of rules) {
      assert.ok(
        broken.some(([path, source]) => breaches(treeOf({ [path]: source })).some((each) => each.endsWith(rule))),
        rule,
      )
    }
  })

  it('refuses more packages of the server than the budget has', () => {
    const names = Array.from({ length: 29 }, (_, at) => `p${at}`)
    const dependencies = Object.fromEntries(names.map((name) => [name, '1.0.0']))
    const tree = treeOf({
      'server/package.json': JSON.stringify({ private: true, dependencies }),
      'docs/dependencies.md': `| ${names.join(', ')} | 1.0.0 | |`,
    })
    assert.deepEqual(breaches(tree), ['server/package.json: 29 packages; the budget is 28'])
  })

  it('refuses an exception that is needed no longer', () => {
    const tree = treeOf({ 'console/vite.config.ts': 'export const config = {}' })
    assert.ok(idleExceptions(tree).some((each) => each.startsWith('console/vite.config.ts')))
  })
})
