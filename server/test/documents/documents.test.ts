// Checks documents against the repository that they describe.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { renderChangelog } from '../../../site/src/documents/changelog.ts'
import { renderDocument } from '../../../site/src/documents/markdown.ts'
import { readInterface } from '../../../site/src/reference/openapi.ts'
import { readCommand } from '../../../site/src/reference/read-command.ts'
import { curlSample } from '../../../site/src/reference/samples.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const read = (file: string) => readFileSync(join(root, file), 'utf8')

describe('documents', () => {
  it('are all in the list of docs/README.md, and link only to files and headings that exist', () => {
    execFileSync(process.execPath, ['site/src/build.ts', '--check'], { cwd: root, stdio: 'pipe' })
  })

  it('are refused with a link to a file that does not exist, a picture from elsewhere or HTML, and say so', () => {
    const text =
      '# X\n\n[a](nowhere.md) [b](scim.md#x) [c](https://a.example) [d](../bench) ![e](https://a.example/e.png)\n\n<b>f</b>'
    const { problems, links, body } = renderDocument('docs/tour.md', text)
    assert.deepEqual(problems, [
      'docs/tour.md links to docs/nowhere.md, which does not exist',
      'docs/tour.md shows https://a.example/e.png, which is no picture of this repository',
      'docs/tour.md contains HTML: <b>',
      'docs/tour.md contains HTML: </b>',
    ])
    assert.deepEqual(links, [{ target: 'docs/scim.md', fragment: 'x' }])
    assert.ok(
      body.markup.includes('<p>a <a href="../scim/#x">b</a> <a href="https://a.example" rel="noopener">c</a> d'),
    )
  })

  it('show the changelog as a page for each version, the newest of which leads to the others', () => {
    const text =
      '# Changelog\n\nLead.\n\n## Unreleased\n\n- A.\n\n## 0.1.0 - 2026-11-23\n\n### Added\n\n- B ([x](docs/scim.md)).\n'
    const [newest, older, ...more] = renderChangelog(text)
    assert.deepEqual(more, [])
    assert.match(
      newest.document.body.markup,
      /Unreleased[\s\S]*A\.[\s\S]*<a href="\.\.\/changelog\/0\.1\.0\/">0\.1\.0 - 2026-11-23<\/a>/,
    )
    assert.equal(older?.address, 'changelog/0.1.0/')
    assert.match(older.document.body.markup, /<h1>Changes in 0\.1\.0 - 2026-11-23<\/h1>\s*<h2 id="added">/)
    assert.ok(older.document.body.markup.includes('<a href="../../scim/">x</a>'))
  })

  it('link to other guides by their titles, and to rows of tables by the names in them', () => {
    const text = '# X\n\n[scim.md](scim.md)\n\n| code | status |\n|---|---|\n| `email_taken` | 409 |'
    const { body, fragments } = renderDocument('docs/tour.md', text)
    assert.ok(body.markup.includes('<a href="../scim/">Provisioning by SCIM</a>'))
    assert.ok(body.markup.includes('<tr id="email_taken">') && fragments.has('email_taken'))
  })

  it('show each operation with a command that the page can send as it is printed', () => {
    for (const [key, source] of [
      ['management', 'contract/openapi.json'],
      ['frontend', 'contract/openapi-frontend.json'],
    ] as const) {
      const all = readInterface(key, source, '')
      for (const operation of all.tags.flatMap(({ operations }) => operations)) {
        const { method, url, body } = readCommand(curlSample(operation, all))
        assert.equal(method, operation.method, operation.id)
        assert.doesNotMatch(url.replace('http://127.0.0.1:4000', ''), /[{}]|undefined/, operation.id)
        if (operation.body?.mediaType === 'application/json')
          assert.deepEqual(JSON.parse(body ?? ''), operation.body.example, operation.id)
      }
    }
  })

  it('docs/configuration.md lists exactly what config.ts reads', () => {
    execFileSync(process.execPath, ['server/scripts/config-docs.ts', '--check'], { cwd: root, stdio: 'pipe' })
  })
})

describe('ARCHITECTURE.md', () => {
  const architecture = read('ARCHITECTURE.md')

  it('has at most 100 lines', () => {
    assert.ok(architecture.trimEnd().split('\n').length <= 100)
  })

  it('shows every wing of the server with every folder in it', () => {
    const foldersOf = (path: string) =>
      readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) =>
        entry.isDirectory() ? [entry.name] : [],
      )
    const block = /```\nservice [^`]*```/.exec(architecture)?.[0] ?? ''
    const shown = new Map(block.split(/^(?=[a-z])/m).map((text) => [/^[a-z]+/.exec(text)?.[0], text] as const))
    shown.delete(undefined)
    assert.deepEqual(new Set(shown.keys()), new Set(foldersOf('server/src')))
    for (const [wing, text] of shown) {
      for (const folder of foldersOf(`server/src/${wing}`)) {
        assert.ok(text.includes(` ${folder}/`), `ARCHITECTURE.md does not show ${wing}/${folder}/`)
      }
    }
  })

  it('names only files that exist', () => {
    for (const [, path = ''] of architecture.matchAll(
      /`((?:service|flows|identity|media|messaging|tenancy|platform|contract\/src)\/[\w./-]*)`/g,
    )) {
      const file = path.startsWith('contract/') ? path : `server/src/${path}`
      assert.ok(existsSync(join(root, file)), `${path} is not there`)
    }
  })
})
