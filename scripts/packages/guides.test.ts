// The quickstarts of React and Next.js: what they print is what examples/ has, and there is little of it.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { readGuide } from './guide.ts'
import { readManifest, repository } from './published.ts'

const filesOf = {
  react: ['index.html', 'main.jsx', 'server.js'],
  next: ['app/layout.jsx', 'app/page.jsx', 'app/members/page.jsx', 'proxy.js'],
}
const codeLinesMax = 25
const stepsMax = 6

for (const [name, expected] of Object.entries(filesOf)) {
  describe(`docs/quickstart-${name}.md`, () => {
    const { files } = readGuide(`quickstart-${name}.md`)

    it(`prints the files of examples/${name}`, () => {
      assert.deepEqual([...files.keys()], expected)
      for (const [file, text] of files) {
        assert.equal(text, readFileSync(join(repository, 'examples', name, file), 'utf8'), file)
      }
      assert.equal(readManifest(`examples/${name}`).version, readManifest('.').version)
    })

    it(`has at most ${stepsMax} steps and ${codeLinesMax} lines of JavaScript`, () => {
      const text = readFileSync(join(repository, `docs/quickstart-${name}.md`), 'utf8')
      assert.equal([...text.matchAll(/^## \d/gm)].length, stepsMax)
      const scripts = [...files].filter(([file]) => /\.jsx?$/.test(file))
      const lines = scripts.flatMap(([, code]) => code.split('\n').filter((line) => line.trim() !== ''))
      assert.ok(lines.length <= codeLinesMax, `${lines.length} lines`)
    })
  })
}
