// Documents are held to the repository that they describe.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const documents = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...globSync('docs/**/*.md', { cwd: root }),
]

describe('documents', () => {
  it('link only to what is there', () => {
    for (const document of documents) {
      for (const [, target = ''] of read(document).matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)) {
        assert.ok(existsSync(join(root, dirname(document), target)), `${document} links to ${target}`)
      }
    }
  })

  it('docs/configuration.md is what config.ts reads', () => {
    execFileSync(process.execPath, ['server/scripts/config-docs.ts', '--check'], { cwd: root, stdio: 'pipe' })
  })
})

describe('ARCHITECTURE.md', () => {
  const architecture = read('ARCHITECTURE.md')

  it('has at most 100 lines', () => {
    assert.ok(architecture.trimEnd().split('\n').length <= 100)
  })

  it('lists every folder of the server, and none that is not there', () => {
    const lines = architecture.matchAll(/^ {2}((?:[\w-]+\/(?:, |(?= )))+) {2,}\S/gm)
    const listed = [...lines].flatMap(([, names = '']) => names.split(', ').map((name) => name.slice(0, -1)))
    const folders = readdirSync(join(root, 'server/src'), { withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    )
    assert.deepEqual(
      new Set(folders.map(({ name }) => name)),
      new Set(listed),
      'the tree of server/src differs from the one that ARCHITECTURE.md shows',
    )
  })

  it('names only files that are there', () => {
    for (const [, path = ''] of architecture.matchAll(/`((?:http|contract\/src|net)\/[\w./-]*)`/g)) {
      const file = path.startsWith('contract/') ? path : `server/src/${path}`
      assert.ok(existsSync(join(root, file)), `${path} is not there`)
    }
  })
})
