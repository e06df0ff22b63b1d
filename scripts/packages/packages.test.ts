// What is published, packed anew: its form, and whether it works in projects that contain nothing else of this repository.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { type BuildOptions, build } from 'esbuild'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { type PackedPackage, publishedReadme } from './build.ts'
import { ConsumerProject, pinnedVersion } from './consumer-project.ts'
import { readExamples } from './examples.ts'
import { packedPackages } from './packed-packages.ts'
import { publishedManifest, publishedPackages, readManifest, repository } from './published.ts'

/** The previous major versions of the frameworks that this repository installs; the middleware promises to work with both. */
const olderFrameworks = ['express-4@npm:express@4.22.1', 'fastify-4@npm:fastify@4.29.1']
/** A package with the runtime in which Vercel runs middleware. */
const edgeRuntime = '@edge-runtime/vm@5.0.0'
const names = [
  '@bailiwick/contract',
  '@bailiwick/sdk',
  '@bailiwick/testing',
  '@bailiwick/react',
  'bailiwick',
  'create-bailiwick-app',
]
let packages: ReadonlyMap<string, PackedPackage>
const packed = (name: string) => packages.get(name) ?? assert.fail(`${name} is not packed`)

/** Packing and installing take minutes on a busy machine. */
const limit = { timeout: 480_000 }
let removePackages = () => {}

before(async () => {
  const made = await packedPackages()
  removePackages = made.remove
  packages = new Map(made.packages.map((each) => [each.name, each]))
}, limit)
after(() => removePackages())

describe('the packages', () => {
  it('are complete and have the same version', () => {
    assert.deepEqual([...packages.keys()], names)
    assert.deepEqual(
      new Set([...packages.values()].map(({ version }) => version)),
      new Set([readManifest('.').version]),
    )
  })

  for (const name of names) {
    it(`${name} has nothing that publint objects to`, async () => {
      const { messages, pkg } = await publint({ pkgDir: packed(name).folder, strict: true })
      assert.deepEqual(
        messages.map((message) => formatMessage(message, pkg as Record<string, unknown>)),
        [],
      )
    })

    it(`${name} holds compiled files, and no source, no test and no script that npm would run`, () => {
      const { folder } = packed(name)
      const files = globSync('**/*', { cwd: folder })
      assert.ok(files.includes('README.md') && files.includes('LICENSE'))
      const strays = files.filter(
        (file) => /(?<!\.d)\.ts$|\.test\.|(?:^|\/)test\//.test(file) && !file.includes('pages/browser/'),
      )
      assert.deepEqual(strays, [])
      const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as object
      for (const key of ['scripts', 'private', 'workspaces', 'devDependencies']) assert.ok(!(key in manifest), key)
    })

    it(`${name} has the lines of the sources, or a map to them, so that stack traces name them`, () => {
      const published = publishedPackages.find((each) => each.name === name) ?? assert.fail()
      const parts = [{ folder: published.folder, at: 'dist' }]
      for (const { folder } of published.contains ?? []) parts.push({ folder, at: folder })
      let modules = 0
      for (const { folder, at } of parts) {
        const dist = join(packed(name).folder, at)
        // Texts are data.
        for (const file of globSync('**/*.js', { cwd: dist, exclude: ['**/*.json.js'] })) {
          modules += 1
          if (existsSync(join(dist, `${file}.map`))) continue
          const source = readFileSync(join(repository, folder, 'src', file.replace(/\.js$/, '.ts')), 'utf8').split('\n')
          const lines = readFileSync(join(dist, file), 'utf8').split('\n')
          assert.equal(lines.length, source.length, file)
          const found = (text: readonly string[]) =>
            text.map((line) => /^[ \t]*((?:async )?function \w+)/.exec(line)?.[1])
          assert.deepEqual(found(lines), found(source), file)
        }
      }
      // The last has one module, which imports the package before.
      assert.ok(modules > 5 || name === 'create-bailiwick-app')
    })

    it(`${name} has a README that links to nothing outside of the package`, () => {
      const { folder } = packed(name)
      for (const [, target = ''] of readFileSync(join(folder, 'README.md'), 'utf8').matchAll(
        /\]\((?!https?:|#)([^)]+)\)/g,
      ))
        assert.ok(existsSync(join(folder, target)), target)
    })
  }

  for (const name of names.filter((each) => each.startsWith('@'))) {
    it(`${name} has types that are found and right under every way of resolving them`, async () => {
      const tarball = createPackageFromTarballData(readFileSync(packed(name).tarball))
      // A style sheet has no types.
      const analysis = await checkPackage(tarball, { excludeEntrypoints: [/\.css$/] })
      assert.ok(analysis.types !== false, 'no types were found')
      // ES modules only: Node 20.19 and newer can load them by require() too.
      const problems = analysis.problems.filter(({ kind }) => kind !== 'CJSResolvesToESM')
      // Only `node10` ignores `exports`; every other mode of TypeScript has heeded it since 4.7.
      const current = problems.filter(
        (problem) => !('resolutionKind' in problem) || problem.resolutionKind !== 'node10',
      )
      assert.deepEqual(current, [])
    })
  }
})

describe('packages that know where their sources are', () => {
  const address = 'https://github.com/owner/name'

  it('say so in package.json', () => {
    for (const published of publishedPackages) {
      const { folder } = published
      const { repository: said } = publishedManifest(published, address)
      assert.deepEqual(said, { type: 'git', url: `git+${address}.git`, directory: folder })
      assert.ok(!('repository' in publishedManifest(published)))
    }
  })

  it('link to the documents of their version', () => {
    const provenance = { version: '1.2.3', repository: address }
    const readme = (text: string) => publishedReadme(text, 'sdk/README.md', provenance)
    assert.equal(readme('[a](../docs/jwt.md#b)'), `[a](${address}/blob/v1.2.3/docs/jwt.md#b)`)
    assert.equal(readme('![a](../docs/a.webp)'), `![a](${address}/raw/v1.2.3/docs/a.webp)`)
    assert.equal(readme('[a](https://example.com/) [b](#b)'), '[a](https://example.com/) [b](#b)')
  })
})

describe('a project with the packages', () => {
  const project = new ConsumerProject()
  before(async () => {
    const others = ['express', '@types/express', 'fastify', '@types/node', 'react', '@types/react'].map(pinnedVersion)
    const tarballs = ['@bailiwick/contract', '@bailiwick/sdk', '@bailiwick/react'].map((name) => packed(name).tarball)
    await project.install(...tarballs, ...others, ...olderFrameworks, edgeRuntime)
    for (const name of ['uses.ts', 'uses-react.tsx', 'uses.mjs', 'edge.mjs']) project.take(name)
    for (const { name, code } of readExamples()) writeFileSync(join(project.folder, name), code)
  }, limit)
  after(() => project.remove())

  for (const moduleResolution of ['node16', 'nodenext', 'bundler']) {
    it(`compiles correct code, and no incorrect code, with moduleResolution ${moduleResolution}`, async () => {
      const isBundler = moduleResolution === 'bundler'
      const compilerOptions = {
        strict: true,
        noEmit: true,
        target: 'es2022',
        lib: ['es2024', ...(isBundler ? ['dom', 'dom.iterable'] : [])],
        types: ['node'],
        module: isBundler ? 'esnext' : moduleResolution,
        moduleResolution,
        jsx: 'react-jsx',
        // The declarations of the packages are checked too.
        skipLibCheck: false,
      }
      const config = `tsconfig.${moduleResolution}.json`
      // React is for bundlers. The examples in the docstrings are compiled there, too.
      const examples = readExamples().map(({ name }) => name)
      assert.ok(examples.length >= 30)
      const files = ['uses.ts', ...(isBundler ? ['uses-react.tsx', ...examples] : [])]
      writeFileSync(join(project.folder, config), JSON.stringify({ compilerOptions, files }))
      await project.run(process.execPath, join(repository, 'node_modules/typescript/bin/tsc'), '-p', config)
    })
  }

  it('works as plain JavaScript on the Node that runs this, and on the one that the machine has', async () => {
    for (const node of [process.execPath, 'node']) {
      assert.match(await project.run(node, 'uses.mjs'), /^everything works on v\d+/)
    }
  })

  /** What esbuild makes of one import for browsers, as small as it can. */
  async function bundled(code: string, form: BuildOptions = { format: 'esm' }): Promise<Uint8Array> {
    const { outputFiles, warnings } = await build({
      stdin: { contents: code, resolveDir: project.folder },
      bundle: true,
      minify: true,
      write: false,
      platform: 'browser',
      target: 'es2022',
      logLevel: 'silent',
      ...form,
    })
    assert.deepEqual(warnings, [])
    return outputFiles?.[0]?.contents ?? assert.fail('nothing was bundled')
  }

  const budgets: readonly (readonly [string, string, number])[] = [
    ['the frontend client', `export { BailiwickFrontend } from '@bailiwick/sdk/frontend'`, 4700],
    ['the JWT verifier', `export { createJwtVerifier } from '@bailiwick/sdk/jwt'`, 9000],
    ['the server side', `export { createAuthenticator } from '@bailiwick/sdk/server'`, 13_300],
    ['the webhook verifier', `export { verifyWebhook } from '@bailiwick/sdk/webhooks'`, 1300],
    [
      'one call of the management interface',
      `import { createClient } from '@bailiwick/sdk'
      export const create = (options) => createClient(options, { createUser: { method: 'POST', path: '/auth/users' } })`,
      5000,
    ],
    ['one error of the client', `export { isBailiwickError } from '@bailiwick/sdk'`, 350],
  ]
  for (const [what, code, bytesMax] of budgets) {
    it(`bundles ${what} for browsers within ${bytesMax} bytes, compressed`, async (t) => {
      const { length } = gzipSync(await bundled(code), { level: 9 })
      t.diagnostic(`${what}: ${length} bytes`)
      assert.ok(length <= bytesMax, `${length} bytes`)
      assert.ok(length > bytesMax / 2, `${length} bytes: the budget can be halved`)
    })
  }

  it('recognises users in an edge runtime, which has the interfaces of the web and nothing of Node', async () => {
    const code = `export { createAuthenticator } from '@bailiwick/sdk/server'; export { createJwtVerifier } from '@bailiwick/sdk/jwt'`
    const form: BuildOptions = { format: 'iife', globalName: 'sdk', conditions: ['edge-light', 'worker'] }
    writeFileSync(join(project.folder, 'edge-bundle.js'), await bundled(code, form))
    assert.match(await project.run(process.execPath, 'edge.mjs'), /^everything works in an edge runtime/)
  })

  it('bundles the React components within 8.5 kB without React, and the embedded forms within 25 kB more, compressed', async (t) => {
    const bundleReact = async (splitting: boolean, external: readonly string[], entry = '') => {
      const { outputFiles } = await build({
        stdin: { contents: `export * from '@bailiwick/react${entry}'`, resolveDir: project.folder },
        bundle: true,
        splitting,
        minify: true,
        write: false,
        outdir: join(project.folder, 'out'),
        format: 'esm',
        platform: 'browser',
        target: 'es2022',
        external: ['react', 'react/jsx-runtime', ...external],
        logLevel: 'silent',
      })
      return outputFiles.reduce((total, { contents }) => total + gzipSync(contents, { level: 9 }).length, 0)
    }
    // The forms are imported later, and are in other files. What is for developers only is not in a finished app.
    const components = await bundleReact(false, ['./embedded/*'])
    const forms = (await bundleReact(true, [])) - components
    const styles = gzipSync(readFileSync(join(packed('@bailiwick/react').folder, 'dist/styles.css')), {
      level: 9,
    }).length
    t.diagnostic(`components: ${components} bytes, embedded forms: ${forms} more, style sheet: ${styles}`)
    assert.ok(components <= 8704 && components > 4096, `${components} bytes`)
    assert.ok(forms <= 25_600 && forms > 4096, `${forms} bytes`)
    assert.ok(styles <= 4096, `${styles} bytes`)
    for (const entry of ['/user-profile', '/organization-profile', '/organization-switcher']) {
      const panel = await bundleReact(true, [], entry)
      t.diagnostic(`${entry}: ${panel} bytes, with all that it shares with the components`)
      assert.ok(panel <= 25_600 && panel > 4096, `${entry}: ${panel} bytes`)
    }
  })

  it('bundles nothing of the contract, nor of what other entries need', async () => {
    const text = new TextDecoder().decode(await bundled(`export * from '@bailiwick/sdk/frontend'`))
    for (const foreign of ['typebox', 'ES256', 'webhook-id', '/webhooks/']) assert.ok(!text.includes(foreign), foreign)
  })
})

describe('the tarballs', () => {
  it('stay small', (t) => {
    for (const [name, kilobytesMax] of [
      ['@bailiwick/contract', 500],
      ['@bailiwick/sdk', 100],
      ['@bailiwick/testing', 20],
      ['@bailiwick/react', 100],
      // Contains the console (500 kB), the texts of pages in 24 languages (230 kB) and a font (290 kB).
      ['bailiwick', 2600],
    ] as const) {
      const kilobytes = Math.ceil(statSync(packed(name).tarball).size / 1024)
      t.diagnostic(`${name}: ${kilobytes} kB`)
      assert.ok(kilobytes <= kilobytesMax, `${name} has ${kilobytes} kB`)
    }
  })
})
