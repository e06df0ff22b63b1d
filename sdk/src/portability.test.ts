// The published code runs wherever there is fetch: it needs nothing of Node, and imports nothing from outside except jose.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, relative, resolve } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = resolve(root, 'src')
const manifest = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8')) as {
  readonly dependencies: object
  readonly exports: Record<string, string>
}

const declaration = /^(?:import|export)\b(?:[^'"]*\bfrom)?\s*(['"])(.*?)\1/gm
const call = /\b(?:import|require)\s*\((.*?)\)/g

/** Returns the imports that remain without the types; a dynamic import with its argument, whatever that is. */
function findImports(source: string): string[] {
  // Examples in comments import the package itself.
  const text = stripTypeScriptTypes(source).replaceAll(/\/\*[\s\S]*?\*\//g, '')
  const declared = [...text.matchAll(declaration)].map(([, , specifier]) => specifier ?? '')
  return [...declared, ...[...text.matchAll(call)].map(([, argument]) => argument ?? '')]
}

function outsideImports(entry: string): string[] {
  const seen = new Set<string>()
  const outside: string[] = []
  const visit = (file: string) => {
    if (seen.has(file)) return
    seen.add(file)
    for (const specifier of findImports(readFileSync(file, 'utf8'))) {
      const target = resolve(dirname(file), specifier)
      const isInside = specifier.startsWith('.') && !relative(folder, target).startsWith('..')
      if (isInside) visit(target)
      else outside.push(`${relative(root, file)}: ${specifier}`)
    }
  }
  visit(entry)
  // The types of a tenant are one file.
  assert.ok(seen.size > 1 || entry.endsWith('types.ts'))
  return outside
}

/** The installed packages that each entry needs. Entries for browsers must need none. */
const needed: Readonly<Record<string, readonly string[]>> = {
  '.': [],
  './frontend': [],
  './organization-connections': [],
  './challenge': [],
  './hooks': [],
  './types': [],
  './webhooks': [],
  './jwt': ['jose'],
  './server': ['jose'],
  './api-keys': ['jose'],
  './express': ['jose'],
  './fastify': ['jose'],
}

describe('the package', () => {
  it('installs jose and the types of the contract, and nothing else', () => {
    assert.deepEqual(Object.keys(manifest.dependencies), ['@bailiwick/contract', 'jose'])
  })

  for (const [name, target] of Object.entries(manifest.exports)) {
    if (!target.endsWith('.ts')) continue
    it(`imports through ${name} only the listed packages`, () => {
      const outside = outsideImports(resolve(root, target)).map((line) => /: '?([\w@-]+)/.exec(line)?.[1] ?? line)
      assert.deepEqual([...new Set(outside)], needed[name])
    })
  }

  it('sees every form of import', () => {
    const text = [
      "import 'a'",
      "import { b } from 'b'",
      "import { type C } from 'c'",
      "import type { D } from 'd'",
      "export * from 'e'",
      "const f = await import('f')",
      'const g = require(`g`)',
      'const h = import(h)',
    ].join('\n')
    assert.deepEqual(findImports(text), ['a', 'b', 'c', 'e', "'f'", '`g`', 'h'])
  })

  it('type-checks without the types of Node', async () => {
    const compiler = resolve(root, '../node_modules/typescript/bin/tsc')
    const output = await new Promise<string>((done) => {
      const project = resolve(root, 'tsconfig.browser.json')
      execFile(process.execPath, [compiler, '--noEmit', '-p', project], { cwd: root }, (_error, stdout, stderr) => {
        done(stdout + stderr)
      })
    })
    // Faults of the contract itself are not tested here.
    const faults = output.split('\n').filter((line) => line !== '' && !line.startsWith('../'))
    assert.deepEqual(faults, [])
  })
})
