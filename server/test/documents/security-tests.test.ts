// How docs/security-tests.md is made of the list of guards and of the tests that name them. `npm run check` compares the page itself.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { securityTestsPage } from '../../scripts/security-tests-page.ts'

const guards = `# Tests

## 1 Sessions

- \`used-once\`: **A code is used once.** CVE-1,
  CVE-2
- \`saml\`: **Does not apply: SAML.** It is not offered

## 2 Names

- \`names\`: **Names are text.** CVE-3
`

/** Not written out, so that this file itself guards nothing. */
const mark = '// Guards'

const source = `describe('a code', () => {
  ${mark}: used-once
  it('is refused the second time', () => {})
  for (const name of names) {
    ${mark}: names, used-once
    it(\`\${name} is shown as it is\`, () => {})
  }
})
`

const pageOf = (tests: string, text = guards) => securityTestsPage(text, [{ path: 'a.test.ts', source: tests }])

describe('the page of the tests against known vulnerabilities', () => {
  it('lists under each guard the tests that name it, with … for what a test fills in', () => {
    const { page, problems } = pageOf(source)
    assert.deepEqual(problems, [])
    assert.equal(
      page.slice(page.indexOf('## 1')),
      `## 1 Sessions

- **A code is used once.** CVE-1,
  CVE-2
  - \`a.test.ts\` › is refused the second time
  - \`a.test.ts\` › a code › … is shown as it is
- **Does not apply: SAML.** It is not offered

## 2 Names

- **Names are text.** CVE-3
  - \`a.test.ts\` › a code › … is shown as it is
`,
    )
  })

  it('is refused if a guard has no test', () => {
    const { problems } = pageOf(source.replace('names, used-once', 'used-once'))
    assert.deepEqual(problems, ['No test names the guard "names".'])
  })

  it('is refused if a test names a guard that is not listed, or a comment has no test', () => {
    const { problems } = pageOf(
      `${source.replace('Guards: used-once', 'Guards: sessions, used-once')}// Guards: names\n`,
    )
    assert.deepEqual(problems, [
      'a.test.ts: no test follows "// Guards: names".',
      'a.test.ts: there is no guard "sessions".',
    ])
  })

  it('is refused if an entry has no name', () => {
    const { problems } = pageOf(source, `${guards}- **Nothing.** CVE-4\n`)
    assert.match(problems.join('\n'), /^An entry has no name: - \*\*Nothing/)
  })
})
