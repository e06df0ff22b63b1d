// An app that uses the package: bundled as its users do, rendered on the server, under a policy that lets nothing run but its own files.
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import type { InitialState } from '../src/auth-state.ts'

/** As it is bundled: the development build of React, which says when a server has rendered something else. */
const common = {
  bundle: true,
  format: 'esm',
  jsx: 'automatic',
  target: 'es2022',
  define: { 'process.env.NODE_ENV': '"development"' },
  logLevel: 'silent',
  absWorkingDir: import.meta.dirname,
} as const

export interface PageProps {
  readonly scene: 'links' | 'sign-in' | 'sign-up' | 'tokens' | 'keys' | 'proof' | 'panels'
  readonly frontendApiUrl: string
  readonly publicKey: string
  readonly tenantId: string
  readonly language?: 'ar'
  readonly initialState?: InitialState
}

export interface AppServer {
  readonly port: number
  /** What the pages are from now on rendered with. */
  props: PageProps | undefined
  /** The origins whose scripts and frames the policy allows beside the app's own. */
  allowed: readonly string[]
  readonly stop: () => void
}

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

function renderPage(props: PageProps, content: string): string {
  const direction = props.language === 'ar' ? 'rtl' : 'ltr'
  return `<!doctype html>
<html lang="${props.language ?? 'en'}" dir="${direction}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Acme</title>
<link rel="stylesheet" href="/app.css"><link rel="stylesheet" href="/browser.css"></head>
<body><main data-props="${escape(JSON.stringify(props))}">${content}</main><script type="module" src="/browser.js"></script></body>
</html>`
}

const styles = `:root { color-scheme: light dark; font: 16px/1.5 sans-serif; background: light-dark(#fff, #111); color: light-dark(#111, #eee) }
main { display: grid; gap: 16px; justify-items: start } .mine { text-transform: uppercase }`

/** @param reactAt where `react` and `react-dom` are installed, if they are not those of this repository. */
export async function startAppServer(reactAt?: string): Promise<AppServer> {
  const names = reactAt === undefined ? [] : ['react', 'react-dom']
  const alias = Object.fromEntries(names.map((name) => [name, join(reactAt ?? '', 'node_modules', name)]))
  const browser = await build({
    ...common,
    alias,
    entryPoints: ['browser.tsx', '../src/styles.css'],
    entryNames: '[name]',
    splitting: true,
    write: false,
    outdir: 'out',
    platform: 'browser',
  })
  const folder = mkdtempSync(join(import.meta.dirname, '../../node_modules/.react-app-'))
  const outfile = join(folder, 'server.mjs')
  // `require` of the parts of React that are no modules.
  const banner = { js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)` }
  await build({ ...common, alias, entryPoints: ['server.tsx'], outfile, platform: 'node', banner })
  const { render } = (await import(pathToFileURL(outfile).href)) as { render: (props: PageProps) => string }
  const files = new Map(browser.outputFiles.map(({ path, contents }) => [`/${path.split('/').at(-1)}`, contents]))
  files.set('/browser.css', files.get('/styles.css') ?? new Uint8Array())

  function answer({ url = '/' }: IncomingMessage, response: ServerResponse) {
    const path = url.split('?')[0] ?? '/'
    const file = path === '/app.css' ? styles : files.get(path)
    if (file !== undefined) {
      return void response.setHeader('content-type', path.endsWith('.css') ? 'text/css' : 'text/javascript').end(file)
    }
    const { props } = app
    if (path === '/favicon.ico') return void response.writeHead(204).end()
    if (path !== '/' || props === undefined) return void response.writeHead(404).end()
    const service = URL.canParse(props.frontendApiUrl) ? new URL(props.frontendApiUrl).port : '1'
    const allowed = app.allowed.join(' ')
    response.setHeader(
      'content-security-policy',
      `default-src 'none'; script-src 'self' ${allowed}; frame-src 'self' ${allowed}; style-src 'self'; img-src 'self'; connect-src http://localhost:${service}; require-trusted-types-for 'script'; base-uri 'none'`,
    )
    response.setHeader('content-type', 'text/html').end(renderPage(props, render(props)))
  }
  const server = createServer(answer)
  await once(server.listen(0), 'listening')
  const app: AppServer = {
    port: (server.address() as AddressInfo).port,
    props: undefined,
    allowed: [],
    stop: () => {
      server.closeAllConnections()
      server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  return app
}
