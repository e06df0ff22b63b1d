// Makes data with an earlier version, upgrades it to this one, and checks that sessions, keys and passwords live on: on PostgreSQL node by
// node, with clients that do not pause, on SQLite by a restart. Not a test of the suite, because it installs the earlier version:
// `npm run upgrades -- --from=v0.1.0` (a version in releases.json, or a tag or commit of this repository). It asks this machine alone.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import {
  type Deployment,
  type ServiceProcess,
  newDeployment,
  newDurableDeployment,
  request,
  runCommand,
  startCommand,
  startService,
} from './service-process.ts'

const { values } = parseArgs({
  options: {
    from: { type: 'string' },
    /** With a step back on the way. */
    back: { type: 'boolean', default: false },
  },
})
const root = fileURLToPath(new URL('../../../', import.meta.url))
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
/** The commit of each released version, oldest first; a clone may lack the tags. */
const releases = JSON.parse(readFileSync(join(root, 'releases.json'), 'utf8')) as Record<string, string>
const from = values.from ?? `v${Object.keys(releases).at(-1)}`
const fromCommit = releases[from.replace(/^v/, '')] ?? from
const folder = mkdtempSync(join(tmpdir(), 'bailiwick-upgrade-'))
const earlier = join(folder, 'earlier')
const password = 'correct horse battery staple'

/** The command line of the earlier version, which `npm start` runs there. */
let earlierCli: string
before(() => {
  git('worktree', 'add', '--quiet', '--detach', earlier, fromCommit)
  const npm = (...args: string[]) => execFileSync('npm', args, { cwd: earlier, stdio: ['ignore', 'ignore', 'inherit'] })
  npm('ci', '--no-audit', '--no-fund')
  npm('run', '--silent', '--if-present', 'build')
  const { scripts } = JSON.parse(readFileSync(join(earlier, 'package.json'), 'utf8')) as { scripts: { start: string } }
  const [, path] = /^node (\S+) start$/.exec(scripts.start) ?? []
  assert.ok(path !== undefined, `the command of ${from}: ${scripts.start}`)
  earlierCli = join(earlier, path)
})
after(() => {
  git('worktree', 'remove', '--force', earlier)
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
})

const startEarlier = ({ env }: Deployment) => startService(env, { cli: earlierCli })

/** What the earlier version has made and a client holds. */
interface Held {
  readonly tenantId: string
  readonly publicKey: string
  /** Of one who signs in again and again, which ends the oldest of many sessions. */
  readonly email: string
  /** Another user's. */
  readonly sessionToken: string
  readonly apiKey: string
  readonly signingKeys: readonly string[]
}

const frontend = ({ url }: ServiceProcess) => `${url}/frontend/api/v0`

function signIn(node: ServiceProcess, { publicKey, email }: Pick<Held, 'publicKey' | 'email'>) {
  return request(`${frontend(node)}/sign-ins`, {
    headers: { 'x-public-key': publicKey, 'x-session-transport': 'body' },
    json: { identifier: email, strategy: 'email_password', password },
  })
}

async function signingKeysOf(node: ServiceProcess, publicKey: string) {
  const { body } = await request(`${frontend(node)}/.well-known/jwks.json?publicKey=${publicKey}`, {
    headers: { 'x-public-key': publicKey },
  })
  return ((body['keys'] ?? []) as { kid: string }[]).map(({ kid }) => kid)
}

async function makeData(node: ServiceProcess): Promise<Held> {
  const { body: tenant } = await request(`${node.api}/tenants`, { json: { name: 'Acme', environment: 'development' } })
  const [tenantId, publicKey] = [String(tenant['id']), String(tenant['publicKey'])]
  const [email, other] = ['ada@acme.example', 'grace@acme.example']
  for (const address of [email, other]) {
    const { body: user } = await request(`${node.api}/auth/users`, { json: { tenantId, email: address, password } })
    await request(`${node.api}/auth/email-addresses/verify`, { json: { id: user['primaryEmailId'] } })
    await request(`${node.api}/auth/organizations`, { json: { tenantId, name: address, creatorId: user['id'] } })
  }
  const { body: key } = await request(`${node.api}/api-keys`, {
    json: { tenantId, name: 'Export', scopes: ['config:read', 'users:read', 'users:write'] },
  })
  const { data } = (await signIn(node, { publicKey, email: other })).body as { data: { sessionToken: string } }
  const signingKeys = await signingKeysOf(node, publicKey)
  assert.ok(data.sessionToken.length > 20 && signingKeys.length > 0)
  return { tenantId, publicKey, email, sessionToken: data.sessionToken, apiKey: String(key['key']), signingKeys }
}

const uses: Readonly<Record<string, (node: ServiceProcess, held: Held) => Promise<number>>> = {
  session: async (node, { publicKey, sessionToken }) =>
    (
      await request(`${frontend(node)}/user/profile`, {
        headers: { 'x-public-key': publicKey, authorization: `Bearer ${sessionToken}` },
      })
    ).status,
  key: async (node, { apiKey, tenantId }) =>
    (await request(`${node.api}/tenants/${tenantId}`, { headers: { authorization: `Bearer ${apiKey}` } })).status,
  password: async (node, held) => (await signIn(node, held)).status,
  write: async (node, { apiKey, tenantId }) =>
    (
      await request(`${node.api}/auth/users`, {
        headers: { authorization: `Bearer ${apiKey}` },
        json: { tenantId, email: `${process.hrtime.bigint()}@acme.example` },
      })
    ).status,
}

async function assertUsable(node: ServiceProcess, held: Held) {
  for (const [name, use] of Object.entries(uses)) assert.equal(await use(node, held), 200, name)
  const keys = await signingKeysOf(node, held.publicKey)
  for (const key of held.signingKeys) assert.ok(keys.includes(key), 'tokens of the earlier version can be verified')
}

/** Asks the nodes in turn, as a proxy that has seen which of them are about to stop, until it is told to end. */
async function askOn(nodes: readonly (ServiceProcess | undefined)[], held: Held, ending: AbortSignal) {
  const failures: string[] = []
  let asked = 0
  for (let turn = 0; !ending.aborted; turn++) {
    const serving = nodes.filter((node) => node !== undefined)
    const node = serving[turn % serving.length]
    assert.ok(node !== undefined)
    for (const [name, use] of Object.entries(uses)) {
      const status = await use(node, held).catch((error: unknown) => String(error))
      asked++
      if (status !== 200) failures.push(`${name}: ${status}`)
    }
    await sleep(50)
  }
  return { asked, failures }
}

async function stop(node: ServiceProcess) {
  node.kill('SIGTERM')
  assert.equal((await node.exit()).code, 0, node.stderr())
}

async function assertLogIsWhole(deployment: Deployment) {
  const { code, stdout, stderr } = await runCommand(['verify-log'], deployment.env)
  assert.equal(code, 0, `${stdout}\n${stderr}`)
}

describe(`an upgrade from ${from}`, () => {
  it('keeps sessions, keys and passwords over a restart on SQLite', async () => {
    const deployment = await newDeployment('sqlite')
    const old = await startEarlier(deployment)
    const held = await makeData(old)
    await assertUsable(old, held)
    await stop(old)
    const node = await startService(deployment.env)
    await assertUsable(node, held)
    await stop(node)
    await assertLogIsWhole(deployment)
  })

  it('fails no request while the nodes are replaced one by one on PostgreSQL', async () => {
    const deployment = await newDurableDeployment('postgresql')
    const nodes: (ServiceProcess | undefined)[] = [await startEarlier(deployment), await startEarlier(deployment)]
    const [first] = nodes
    assert.ok(first !== undefined)
    const held = await makeData(first)
    const ending = new AbortController()
    const clients = Array.from({ length: 3 }, () => askOn(nodes, held, ending.signal))

    async function replace(index: number, start: () => Promise<ServiceProcess>) {
      const node = nodes[index]
      assert.ok(node !== undefined)
      nodes[index] = undefined
      // Requests that were sent to it have been answered by then.
      await sleep(500)
      await stop(node)
      const next = await start()
      nodes[index] = next
      await assertUsable(next, held)
      await sleep(2000)
    }

    try {
      await sleep(1000)
      const migrated = await startCommand(['migrate'], deployment.env).exit()
      assert.equal(migrated.code, 0, migrated.stderr)
      await sleep(1000)
      await replace(0, () => startService(deployment.env))
      if (values.back) {
        await replace(0, () => startEarlier(deployment))
        await replace(0, () => startService(deployment.env))
      }
      await replace(1, () => startService(deployment.env))
    } finally {
      ending.abort()
    }
    const results = await Promise.all(clients)
    const failures = results.flatMap((result) => result.failures)
    const asked = results.reduce((sum, result) => sum + result.asked, 0)
    process.stdout.write(`${asked} requests during the upgrade from ${from}, ${failures.length} failed\n`)
    assert.deepEqual([...new Set(failures)], [])
    for (const node of nodes) if (node !== undefined) await stop(node)
    await assertLogIsWhole(deployment)
  })
})
