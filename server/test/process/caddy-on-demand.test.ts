// Caddy as docs/custom-domain.md configures it: it gets certificates for the verified domains of tenants, when they are first needed.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { connect } from 'node:tls'
import { anyEngine } from '../harness/databases/engines.ts'
import { freePort } from '../harness/free-port.ts'
import { isInstalled } from '../harness/installed.ts'
import { rawSql } from './raw-sql.ts'
import { newDeployment, request, startService, until } from './service-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'bailiwick-caddy-'))
const children: ChildProcess[] = []
after(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
})

/** Returns whether a client that names the domain gets a certificate for it. */
const hasCertificate = (port: number, domain: string) =>
  new Promise<boolean>((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, servername: domain, rejectUnauthorized: false })
    socket.once('secureConnect', () => {
      resolve(socket.getPeerCertificate().subjectaltname?.includes(domain) === true)
      socket.destroy()
    })
    socket.once('error', () => resolve(false))
  })

describe('Caddy with on-demand TLS', { skip: !isInstalled('caddy') && 'caddy is not installed' }, () => {
  let port: number
  before(async () => {
    const [nodePort, askPort] = [await freePort(), await freePort()]
    port = await freePort()
    const deployment = await newDeployment(anyEngine)
    const service = await startService({ ...deployment.env, PORT: String(nodePort) })
    const { body: tenant } = await request(`${service.api}/tenants`, {
      json: { name: 'Shop', environment: 'production' },
    })
    const domain = { tenantId: tenant['id'], name: 'login.shop.example' }
    assert.equal((await request(`${service.api}/domains`, { json: domain })).status, 200)
    await rawSql(deployment, "UPDATE domains SET verified_at = created_at WHERE name = 'login.shop.example'")
    const document = readFileSync(new URL('../../../docs/custom-domain.md', import.meta.url), 'utf8')
    const [, sample = ''] = /```caddy\n([\s\S]*?)```/.exec(document) ?? []
    const options = `{\n\tadmin off\n\tlocal_certs\n\tskip_install_trust\n\tauto_https disable_redirects\n\thttps_port ${port}\n\tstorage file_system ${folder}\n`
    const adapted = sample
      .replace('{\n', options)
      .replaceAll('127.0.0.1:4000', `127.0.0.1:${nodePort}`)
      .replaceAll('127.0.0.1:5555', `127.0.0.1:${askPort}`)
    const file = join(folder, 'Caddyfile')
    writeFileSync(file, adapted)
    const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
    children.push(spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', file], { stdio: 'ignore', env }))
    await until('Caddy serves the deployment', 60_000, async () =>
      (await hasCertificate(port, 'id.company.example')) ? true : undefined,
    )
  })

  it('gets a certificate for a verified domain, and for no other name', async () => {
    assert.equal(await hasCertificate(port, 'login.shop.example'), true)
    assert.equal(await hasCertificate(port, 'other.example'), false)
  })
})
