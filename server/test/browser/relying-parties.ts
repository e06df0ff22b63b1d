// Applications that others have written, against a service of its own: Apache with mod_auth_openidc, a Node application with openid-client,
// Python's authlib, and the client of the MCP SDK. Not a test of the suite, because it needs their packages
// (`apt-get install apache2 libapache2-mod-auth-openidc python3-authlib python3-requests chromium`; it installs the MCP SDK into a folder of
// its own): `npm run relying-parties`.
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import * as client from 'openid-client'
import type { Browser, Page } from 'playwright-core'
import { freePort } from '../harness/free-port.ts'
import { type ServiceProcess, newDeployment, request, startService, until } from '../process/service-process.ts'
import { startChromium } from './chromium.ts'

const password = 'correct horse battery staple'
const email = 'ada@acme.example'
const folder = mkdtempSync(join(tmpdir(), 'bailiwick-relying-'))
const children: ChildProcess[] = []
const servers: { close(): unknown }[] = []

interface Registered {
  readonly clientId: string
  readonly clientSecret: string
}

let service: ServiceProcess
let browser: Browser
let tenantId: string
let userId: string
let issuer: string
before(async () => {
  const port = await freePort()
  const { env } = await newDeployment('sqlite')
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-days', '2']
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const files = ['-keyout', key, '-out', certificate]
  execFileSync('openssl', ['req', '-x509', ...kind, ...files, ...subject], { stdio: 'ignore' })
  service = await startService({
    ...env,
    PORT: String(port),
    BAILIWICK_BASE_URL: `http://localhost:${port}`,
    NODE_EXTRA_CA_CERTS: certificate,
  })
  const { body: tenant } = await request(`${service.api}/tenants`, {
    json: { name: 'Acme', environment: 'development' },
  })
  tenantId = String(tenant['id'])
  issuer = `http://localhost:${port}/t/${tenantId}`
  const { body: user } = await request(`${service.api}/auth/users`, {
    json: { tenantId, email, password, name: 'Ada' },
  })
  userId = String(user['id'])
  await request(`${service.api}/auth/email-addresses/verify`, { json: { id: user['primaryEmailId'] } })
  browser = await startChromium()
})
after(async () => {
  await browser.close()
  for (const child of children) child.kill('SIGTERM')
  for (const server of servers) server.close()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

async function register(settings: object): Promise<Registered> {
  const { status, body } = await request(`${service.api}/auth/applications`, {
    json: { tenantId, type: 'web', requireConsent: false, ...settings },
  })
  assert.equal(status, 200, JSON.stringify(body))
  return { clientId: String(body['clientId']), clientSecret: String(body['clientSecret']) }
}

/** Apache that shows whoever has signed in a page, with their id in the header `x-user`. Returns its address. */
async function startApache(): Promise<string> {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const redirect = `${url}/private/redirect`
  const { clientId, clientSecret } = await register({
    name: 'Apache',
    redirectUris: [redirect],
    postLogoutRedirectUris: [`${url}/`],
    backchannelLogoutUri: `${redirect}?logout=backchannel`,
  })
  mkdirSync(join(folder, 'www/private'), { recursive: true })
  writeFileSync(join(folder, 'www/index.html'), '<h1>Signed out of Apache</h1>')
  writeFileSync(join(folder, 'www/private/index.html'), '<h1>At Apache</h1>')
  const modules = ['mpm_event', 'authn_core', 'authz_core', 'authz_user', 'dir', 'mime', 'headers', 'auth_openidc']
  const conf = `ServerName localhost
${modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`).join('\n')}
Listen 127.0.0.1:${port}
User www-data
Group www-data
PidFile ${folder}/apache.pid
ErrorLog ${folder}/apache.log
LogLevel warn
TypesConfig /etc/mime.types
DocumentRoot ${folder}/www
DirectoryIndex index.html
OIDCProviderMetadataURL ${issuer}/.well-known/openid-configuration
OIDCClientID ${clientId}
OIDCClientSecret ${clientSecret}
OIDCRedirectURI ${redirect}
OIDCCryptoPassphrase ${'x'.repeat(32)}
OIDCScope "openid profile email"
OIDCPKCEMethod S256
OIDCRemoteUserClaim sub
OIDCCacheType shm
<Location /private>
  AuthType openid-connect
  Require valid-user
  Header always set x-user "expr=%{REMOTE_USER}"
</Location>
`
  const file = join(folder, 'apache.conf')
  writeFileSync(file, conf)
  spawn('chmod', ['-R', 'a+rX', folder])
  children.push(spawn('/usr/sbin/apache2', ['-DFOREGROUND', '-f', file], { stdio: ['ignore', 'inherit', 'inherit'] }))
  await until('Apache answers', 60_000, async () => ((await fetch(url).catch(() => undefined))?.ok ? true : undefined))
  return url
}

interface NodeApplication {
  readonly url: string
  readonly configuration: client.Configuration
  tokens: (client.TokenEndpointResponse & client.TokenEndpointResponseHelpers) | undefined
}

/** A Node application that signs its user in at `/login` and out at `/logout`. */
async function startNodeApplication(): Promise<NodeApplication> {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const callback = `${url}/callback`
  const { clientId, clientSecret } = await register({
    name: 'Node',
    redirectUris: [callback],
    postLogoutRedirectUris: [`${url}/`],
  })
  const configuration = await client.discovery(new URL(issuer), clientId, clientSecret, undefined, {
    execute: [client.allowInsecureRequests],
  })
  const pkceCodeVerifier = client.randomPKCECodeVerifier()
  const expectedState = client.randomState()
  const answer = async (path: string): Promise<{ location: string } | { html: string }> => {
    if (path === '/login') {
      const to = client.buildAuthorizationUrl(configuration, {
        redirect_uri: callback,
        scope: 'openid email',
        state: expectedState,
        code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: 'S256',
      })
      return { location: to.href }
    }
    if (path.startsWith('/callback')) {
      application.tokens = await client.authorizationCodeGrant(configuration, new URL(path, url), {
        pkceCodeVerifier,
        expectedState,
      })
      return { html: `<h1>Signed in: ${application.tokens.claims()?.sub ?? ''}</h1>` }
    }
    if (path === '/logout') {
      const query = { id_token_hint: application.tokens?.id_token ?? '', post_logout_redirect_uri: `${url}/` }
      return { location: client.buildEndSessionUrl(configuration, query).href }
    }
    return { html: '<h1>Signed out of Node</h1>' }
  }
  const server = createServer((incoming, response) => {
    answer(incoming.url ?? '/').then(
      (given) => {
        if ('location' in given) response.writeHead(302, { location: given.location }).end()
        else response.writeHead(200, { 'content-type': 'text/html' }).end(given.html)
      },
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const application: NodeApplication = { url, configuration, tokens: undefined }
  return application
}

async function signIn(page: Page) {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/**
 * Runs a program that prints the address of an authorization request, reads that of its callback and prints JSON. The user signs in and
 * allows what it asks for. Returns what the JSON says.
 */
async function authorizeProgram(
  [command = '', ...args]: readonly string[],
  input: string | undefined,
  callback: string,
) {
  const program = spawn(command, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, NODE_EXTRA_CA_CERTS: join(folder, 'certificate.pem') },
  })
  children.push(program)
  let printed = ''
  program.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text))
  const line = (index: number) =>
    until('the program has printed its next line', 60_000, () => {
      const lines = printed.split('\n')
      if (lines.length > index + 1) return lines[index]
      assert.ok(program.exitCode === null, 'the program has failed')
      return undefined
    })
  if (input !== undefined) program.stdin.write(`${input}\n`)
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.route(`${callback}**`, (route) => route.fulfill({ contentType: 'text/html', body: '<h1>Back</h1>' }))
  await page.goto((await line(0)) ?? '')
  await signIn(page)
  await page.getByRole('button', { name: 'Allow', exact: true }).click()
  await heading(page, 'Back')
  program.stdin.write(`${page.url()}\n`)
  const result = JSON.parse((await line(1)) ?? '') as unknown
  await context.close()
  return result
}

/** Serves JSON documents, by their paths, over TLS. */
async function serveDocuments(port: number, documents: Readonly<Record<string, object>>) {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const options = { key: readFileSync(key), cert: readFileSync(certificate) }
  const server = createHttpsServer(options, ({ url = '' }, response) => {
    const found = documents[url]
    const type = { 'content-type': 'application/json' }
    response.writeHead(found === undefined ? 404 : 200, type).end(JSON.stringify(found ?? {}))
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor()

describe('Apache with mod_auth_openidc and Node with openid-client', () => {
  it('sign the same user in once and out everywhere', async () => {
    const apache = await startApache()
    const node = await startNodeApplication()
    const context = await browser.newContext()
    const page = await context.newPage()
    const atApache = async () => {
      const answer = await page.goto(`${apache}/private/`)
      return answer?.headers()['x-user']
    }

    await atApache()
    await signIn(page)
    await heading(page, 'At Apache')
    assert.equal(await atApache(), userId)
    // The second application asks for nothing.
    await page.goto(`${node.url}/login`)
    await heading(page, `Signed in: ${userId}`)

    await page.goto(`${node.url}/logout`)
    await heading(page, 'Signed out of Node')
    // Apache learns of it by the back channel, and not from the browser.
    await until('Apache has ended its session', 60_000, async () => ((await atApache()) === userId ? undefined : true))
    await page.getByLabel('E-mail address').waitFor()

    await signIn(page)
    await heading(page, 'At Apache')
    await page.goto(`${node.url}/login`)
    await heading(page, `Signed in: ${userId}`)
    await page.goto(`${apache}/private/redirect?logout=${encodeURIComponent(`${apache}/`)}`)
    await heading(page, 'Signed out of Apache')
    const userInfo = client.fetchUserInfo(node.configuration, node.tokens?.access_token ?? '', userId)
    await assert.rejects(userInfo, 'the tokens of Node have ended with the session')
    await page.goto(`${node.url}/login`)
    await page.getByLabel('E-mail address').waitFor()
    await context.close()
  })
})

describe('Python with authlib', () => {
  it('signs users in and calls resources', async () => {
    const callback = `http://localhost:${await freePort()}/callback`
    const web = await register({ name: 'Python', redirectUris: [callback] })
    const indicator = 'https://api.acme.example'
    const { body: resource } = await request(`${service.api}/auth/resources`, {
      json: { tenantId, indicator, name: 'Articles', scopes: [{ name: 'articles:read', description: 'Read them' }] },
    })
    const machine = await register({
      name: 'Worker',
      type: 'machine',
      grantTypes: ['client_credentials'],
      machineScopes: [{ resourceId: resource['id'], scopes: ['articles:read'] }],
    })
    const result = await authorizeProgram(
      ['/usr/bin/python3', new URL('relying_party.py', import.meta.url).pathname],
      JSON.stringify({ issuer, callback, web, machine, indicator }),
      callback,
    )
    assert.deepEqual(result, {
      idTokenSub: userId,
      userInfoEmail: email,
      isRefreshed: true,
      machineSubject: machine.clientId,
      machineAudience: indicator,
      machineScope: 'articles:read',
    })
  })
})

describe('the MCP SDK', () => {
  it('gets tokens for an MCP server after consent, without being registered', async () => {
    const [port, callbackPort] = [await freePort(), await freePort()]
    const [origin, callback] = [`https://localhost:${port}`, `http://localhost:${callbackPort}/callback`]
    const [server, document] = [`${origin}/mcp`, `${origin}/client.json`]
    const documents: Readonly<Record<string, object>> = {
      '/client.json': {
        client_id: document,
        client_name: 'MCP client',
        redirect_uris: [callback],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      },
      '/.well-known/oauth-protected-resource/mcp': {
        resource: server,
        authorization_servers: [issuer],
        scopes_supported: ['tools:call'],
      },
    }
    await serveDocuments(port, documents)
    const { status, body } = await request(`${service.api}/auth/resources`, {
      json: { tenantId, indicator: server, name: 'Tools', scopes: [{ name: 'tools:call', description: 'Call tools' }] },
    })
    assert.equal(status, 200, JSON.stringify(body))
    const settings = { method: 'PUT', json: { metadataDocumentsEnabled: true } }
    assert.equal((await request(`${service.api}/auth/tenants/${tenantId}/oauth`, settings)).status, 200)
    execFileSync(
      'npm',
      ['install', '--no-audit', '--no-fund', '--prefix', folder, '@modelcontextprotocol/sdk@1.32.2'],
      {
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    )
    const sdk = join(folder, 'node_modules/@modelcontextprotocol/sdk/dist/esm/client/auth.js')
    const program = new URL('mcp-client.mjs', import.meta.url).pathname
    const result = (await authorizeProgram(
      [process.execPath, program, JSON.stringify({ sdk, server, document, callback })],
      undefined,
      callback,
    )) as { first: { access_token: string }; renewed: { access_token: string } }
    const [, payload = ''] = result.first.access_token.split('.')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>
    assert.deepEqual([claims['aud'], claims['sub'], claims['scope']], [server, userId, 'tools:call'])
    assert.notEqual(result.renewed.access_token, result.first.access_token)
  })
})
