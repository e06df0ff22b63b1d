// Checks documents against the repository that they describe.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const documents = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...globSync('docs/**/*.md', { cwd: root }),
]

/** Returns what can be linked to in a document, with GitHub's names. */
const anchorsOf = (markdown: string): ReadonlySet<string> =>
  new Set(
    Array.from(markdown.matchAll(/^#+ (.*)$/gm), ([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )

describe('documents', () => {
  it('link only to what exists', () => {
    for (const document of documents) {
      for (const [, target = ''] of read(document).matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)) {
        assert.ok(existsSync(join(root, dirname(document), target)), `${document} links to ${target}`)
      }
    }
  })

  it('are all in the index, docs/README.md', () => {
    const index = read('docs/README.md')
    for (const document of globSync('docs/*.md', { cwd: root })) {
      // Except the index itself, and the quickstarts, of which it names one for each kind of app.
      if (/README\.md$|quickstart-/.test(document)) continue
      assert.ok(index.includes(`](${document.slice('docs/'.length)}`), `docs/README.md does not name ${document}`)
    }
  })

  it('link only to headings that exist', () => {
    for (const document of documents) {
      for (const [, file = '', anchor = ''] of read(document).matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)) {
        const target = file === '' ? document : join(dirname(document), file)
        if (target.endsWith('.md'))
          assert.ok(anchorsOf(read(target)).has(anchor), `${document} links to ${target}#${anchor}`)
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
