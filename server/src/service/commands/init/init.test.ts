// `bailiwick init` on apps as their frameworks make them, and `bailiwick create`, against a running service.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, afterEach, before, describe, it } from 'node:test'
import { createTenant } from '../../../../test/harness/factories.ts'
import { describeServiceOnce, operatorKey } from '../../../../test/harness/service.ts'
import { CommandRefused } from '../../outcome.ts'
import { type CreateOptions, create } from '../create/create.ts'
import { type InitOptions, init } from './init.ts'

const express = {
  'package.json': '{ "name": "shop", "type": "module", "main": "server.js", "dependencies": { "express": "5" } }',
  'server.js': `import express from 'express'\n\nconst app = express()\n\napp.listen(3100)\n`,
}
const vite = {
  'package.json': '{ "name": "shop", "dependencies": { "react": "19" }, "devDependencies": { "vite": "8" } }',
  'src/main.tsx': `import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './index.css'
import App from './App.tsx'

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
`,
}
/** Put together, because the word at the beginning of a line would be taken for an export of this file. */
const exported = ['ex', 'port'].join('')
const next = {
  'package.json': '{ "name": "shop", "dependencies": { "next": "16", "react": "19" } }',
  'app/layout.tsx': `import type { Metadata } from "next";
import "./globals.css";

${exported} default function RootLayout({
  children,
}: Readonly<{
  children: React.ReactNode;
}>) {
  return (
    <html lang="en">
      <body className="antialiased">{children}</body>
    </html>
  );
}
`,
}

describeServiceOnce('bailiwick init', (service) => {
  let url: string
  const folders: string[] = []
  before(async () => {
    await service().app.listen({ port: 0, host: '127.0.0.1' })
    url = `http://127.0.0.1:${(service().app.server.address() as AddressInfo).port}`
  })
  after(() => service().app.server.closeAllConnections())
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
  })

  function makeApp(files: Readonly<Record<string, string>>): string {
    const folder = mkdtempSync(join(tmpdir(), 'bailiwick-init-'))
    folders.push(folder)
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), text)
    }
    return folder
  }
  const read = (folder: string, name: string) => readFileSync(join(folder, name), 'utf8')
  const run = (folder: string, options: Partial<InitOptions> = {}, env: Record<string, string> = {}) =>
    init(folder, { url, install: false, ...options }, { BAILIWICK_OPERATOR_KEY: operatorKey, ...env })
  const refused = (text: RegExp) => (error: unknown) => error instanceof CommandRefused && text.test(error.message)

  it('adds two lines and one file to an Express app, and the keys of a new tenant to .env', async () => {
    const folder = makeApp({ ...express, '.env': 'PORT=3100' })
    const { text, json } = await run(folder)
    assert.equal(
      read(folder, 'server.js'),
      `import express from 'express'\nimport { bailiwick } from './bailiwick.js'\n\nconst app = express()\napp.use(bailiwick)\n\napp.listen(3100)\n`,
    )
    const env = read(folder, '.env')
    assert.match(env, /^PORT=3100\nBAILIWICK_API_URL=/)
    const [, secret = ''] = /BAILIWICK_SECRET_KEY=(.+)/.exec(env) ?? []
    assert.match(secret, /^sk_/)
    assert.ok(!text.includes(secret), 'the secret key is not printed')
    const { tenant } = json as { tenant: { id: string; slug: string } }
    const { auth } = await service().ok<{ auth: { homeUri: string } }>('getAuthTenant', { params: { id: tenant.id } })
    assert.equal(auth.homeUri, 'http://localhost:3100/')
    // A second run finds everything as it is.
    assert.deepEqual(((await run(folder)).json as { files: string[] }).files, [])
  })

  it('wraps a React app in Vite, and gives its pages nothing but what is public', async () => {
    const folder = makeApp(vite)
    await run(folder)
    assert.match(read(folder, 'src/main.tsx'), /    <Bailiwick>\n      <App \/>\n    <\/Bailiwick>\n/)
    assert.match(read(folder, 'src/main.tsx'), /App\.tsx'\nimport \{ Bailiwick \} from '\.\/bailiwick'\n/)
    assert.match(read(folder, 'src/bailiwick.tsx'), /children: import\('react'\)\.ReactNode/)
    const env = read(folder, '.env')
    assert.ok(!env.includes('sk_'))
    assert.equal(env.split('\n').filter((line) => line.startsWith('VITE_BAILIWICK_')).length, 3)
  })

  it('wraps the layout of a Next.js app, in the style of its code', async () => {
    const folder = makeApp(next)
    await run(folder)
    const layout = read(folder, 'app/layout.tsx')
    assert.match(layout, /<body className="antialiased"><Bailiwick>\{children\}<\/Bailiwick><\/body>/)
    assert.match(layout, /import \{ Bailiwick \} from '\.\/bailiwick';\n/)
    assert.match(read(folder, 'app/bailiwick.tsx'), /<SignIn redirectTo="\/" \/>/)
    const below = makeApp({ ...next, 'next.config.ts': `module.exports = { basePath: '/shop' }` })
    await run(below)
    assert.match(read(below, 'app/bailiwick.tsx'), /<SignIn redirectTo="\/shop" \/>/)
  })

  const withPort: Readonly<Record<string, readonly [Readonly<Record<string, string>>, string]>> = {
    'the script of Next.js': [
      { ...next, 'package.json': next['package.json'].replace('{', '{ "scripts": { "dev": "next dev -p 3201" },') },
      'http://localhost:3201/',
    ],
    'the path of Next.js': [
      { ...next, 'next.config.ts': `module.exports = { basePath: '/shop' }` },
      'http://localhost:3000/shop',
    ],
    'the script and the settings of Vite': [
      {
        ...vite,
        'package.json': vite['package.json'].replace('{', '{ "scripts": { "dev": "vite --port 3202" },'),
        'vite.config.ts': `module.exports = { base: '/shop/', server: { port: 3000 } }`,
      },
      'http://localhost:3202/shop/',
    ],
    'the environment of Express': [
      {
        ...express,
        'server.js': express['server.js'].replace('3100', 'process.env.PORT ?? 3000'),
        '.env': 'PORT=3203',
      },
      'http://localhost:3203/',
    ],
    'the source of Express, not what is built of it': [
      {
        'package.json':
          '{ "scripts": { "start": "node dist/index.js", "dev": "tsx src/index.ts" }, "dependencies": { "express": "5" } }',
        'dist/index.js': 'const app = express()',
        'src/index.ts': `import express from 'express'\nimport { routes } from './routes'\nconst app = express()\napp.listen(3204)\n`,
      },
      'http://localhost:3204/',
    ],
  }
  for (const [what, [files, address]] of Object.entries(withPort)) {
    it(`lets sign-ins return to the address that it reads from ${what}`, async () => {
      const { tenant } = (await run(makeApp(files))).json as { tenant: { id: string } }
      const params = { id: tenant.id }
      const { auth } = await service().ok<{ auth: { homeUri: string } }>('getAuthTenant', { params })
      assert.equal(auth.homeUri, address)
    })
  }

  it('adds what is still missing to an app that has a part of it by hand', async () => {
    const text = express['server.js'].replace('express()\n', 'express()\napp.use(bailiwick)\n')
    const folder = makeApp({ ...express, 'server.js': text })
    await run(folder)
    assert.match(
      read(folder, 'server.js'),
      /^import express from 'express'\nimport \{ bailiwick \} from '\.\/bailiwick\.js'\n/,
    )
    assert.equal(read(folder, 'server.js').split('app.use(bailiwick)').length, 2)
  })

  it('takes the tenant that is named, and adds to what it allows', async () => {
    const { tenant, secretKey } = await createTenant(service())
    const params = { id: tenant.id }
    await service().ok('putAuthTenant', { params, body: { homeUri: 'https://shop.example/' } })
    const env = { BAILIWICK_SECRET_KEY: secretKey }
    await run(makeApp(express), {}, env)
    const folder = makeApp(express)
    await run(folder, { tenant: tenant.slug }, env)
    assert.match(read(folder, '.env'), new RegExp(`BAILIWICK_TENANT_ID=${tenant.id}\n`))
    const { auth } = await service().ok<{ auth: { homeUri: string; redirectUris: string[] } }>('getAuthTenant', {
      params,
    })
    assert.deepEqual([auth.homeUri, auth.redirectUris], ['https://shop.example/', ['http://localhost:3100/']])
  })

  it('writes nothing with --dry-run, and makes no tenant', async () => {
    const folder = makeApp(express)
    const present = await service().ok<{ id: string }[]>('listTenants', {})
    const { text } = await run(folder, { dryRun: true })
    assert.match(text, /\+app\.use\(bailiwick\)[\s\S]*Nothing was written\.$/)
    assert.equal(read(folder, 'server.js'), express['server.js'])
    assert.ok(!existsSync(join(folder, '.env')))
    assert.equal((await service().ok<{ id: string }[]>('listTenants', {})).length, present.length)
  })

  it('keeps .env out of a repository that is made later', async () => {
    const folder = makeApp({ ...express, '.gitignore': 'node_modules' })
    await run(folder)
    assert.equal(read(folder, '.gitignore'), 'node_modules\n.env\n')
  })

  it('keeps .env out of a repository, and refuses to edit a file with changes that are not committed', async () => {
    const folder = makeApp({ ...express, '.gitignore': 'node_modules' })
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], {
        cwd: folder,
        stdio: 'ignore',
      })
    git('init')
    git('add', '-A')
    git('commit', '-m', 'Begin')
    writeFileSync(join(folder, 'server.js'), `${express['server.js']}// More.\n`)
    await assert.rejects(run(folder), refused(/server\.js has changes that are not committed/))
    assert.ok(!existsSync(join(folder, '.env')))
    git('commit', '-am', 'Go on')
    await run(folder)
    assert.equal(read(folder, '.gitignore'), 'node_modules\n.env\n')
  })

  const conflicts: Readonly<Record<string, readonly [Readonly<Record<string, string>>, RegExp]>> = {
    'a file of its own name': [
      { ...express, 'bailiwick.js': 'export {}' },
      /bailiwick\.js exists with another content/,
    ],
    'keys of another tenant': [
      { ...express, '.env': 'BAILIWICK_PUBLIC_KEY=pk_dev_other' },
      /already has another BAILIWICK_PUBLIC_KEY/,
    ],
    'an app that is not as expected': [{ ...express, 'server.js': 'start(express())' }, /Add this to it by hand/],
    'a route that sign-in has, too': [
      { ...express, 'server.js': `${express['server.js']}app.get('/auth/me', answer)\n` },
      /server\.js already has a route \/auth\/me/,
    ],
    'a root layout that is a Client Component': [
      { ...next, 'app/layout.tsx': `'use client'\n${next['app/layout.tsx']}` },
      /app\/layout\.tsx is a Client Component/,
    ],
    'a static export of Next.js': [
      { ...next, 'next.config.mjs': `const config = { output: 'export' }` },
      /next\.config\.mjs exports a static site/,
    ],
    'a Next.js app without a root layout': [
      { 'package.json': next['package.json'], 'pages/index.tsx': '' },
      /No root layout was found/,
    ],
    'no app at all': [{ 'notes.txt': 'Shop' }, /There is no app/],
  }
  for (const [what, [files, text]] of Object.entries(conflicts)) {
    it(`changes nothing where it finds ${what}`, async () => {
      const folder = makeApp(files)
      await assert.rejects(run(folder), refused(text))
      for (const [name, content] of Object.entries(files)) assert.equal(read(folder, name), content)
    })
  }

  describe('bailiwick create', () => {
    const folder = () => join(makeApp({}), 'My Shop')
    const make = (target: string | undefined, options: Partial<CreateOptions> = {}) =>
      create(target, { url, install: false, ...options }, { BAILIWICK_OPERATOR_KEY: operatorKey })

    it('makes the same app as init, for the service that runs, and prints three steps', async () => {
      const target = folder()
      const { text, json } = await make(target, { template: 'vite-react', appUrl: 'http://localhost:3300' })
      assert.match(
        text,
        /1\. cd .*My Shop\n {2}2\. npm run dev .*\n {2}3\. Open http:\/\/localhost:3300\/ and sign up\./,
      )
      const { appUrl, runsService } = json as Record<string, unknown>
      assert.deepEqual([appUrl, runsService], ['http://localhost:3300/', false])
      const manifest = JSON.parse(read(target, 'package.json')) as Record<string, unknown>
      assert.deepEqual([manifest['name'], manifest['scripts']], ['my-shop', { dev: 'vite', build: 'vite build' }])
      assert.match(read(target, '.env'), /^VITE_BAILIWICK_FRONTEND_API_URL=/)
      assert.match(read(target, 'src/main.jsx'), /<Bailiwick>/)
    })

    it('changes nothing in a folder that is not empty, and guesses neither name nor template', async () => {
      const target = makeApp({ 'notes.txt': 'Shop' })
      await assert.rejects(make(target, { template: 'express' }), refused(/is not empty\. `npx bailiwick init` adds/))
      await assert.rejects(make(folder()), refused(/--template: express, next, vite-react/))
      await assert.rejects(make(undefined, { template: 'express' }), refused(/Name the folder/))
    })

    it('takes no other program for the service, and leaves nothing behind if it cannot start one on its port', async () => {
      const other = createServer((_request, response) => response.end('<!doctype html><title>Shop</title>'))
      other.listen(0, '127.0.0.1')
      await once(other, 'listening')
      const taken = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
      try {
        const repository = makeApp({ '.git/config': '' })
        const refusal = refused(/No service could be started at .*name another address with --url/)
        await assert.rejects(make(repository, { template: 'express', url: taken }), refusal)
        assert.deepEqual(readdirSync(repository), ['.git'])
        await assert.rejects(run(makeApp(express), { url: taken }), refused(/not the answer of a Bailiwick service/))
      } finally {
        other.closeAllConnections()
        other.close()
      }
    })
  })

  it('says where no service answers, and what a service that does not know the caller needs', async () => {
    const folder = makeApp(express)
    await assert.rejects(
      run(folder, { url: 'http://127.0.0.1:1' }),
      refused(/No service answers at http:\/\/127\.0\.0\.1:1/),
    )
    await assert.rejects(run(folder, {}, { BAILIWICK_SECRET_KEY: 'sk_dev_unknown' }), refused(/needs a valid key/))
    await assert.rejects(run(folder, { url: 'service' }), refused(/--url must be the address/))
  })
})
