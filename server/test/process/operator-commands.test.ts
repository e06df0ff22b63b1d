// The commands of those who run a deployment: finding tenants, failed jobs, an administrator who is locked out, and completion.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { engines } from '../harness/databases/databases.ts'
import { rawSql } from './raw-sql.ts'
import { newDeployment, request, runCommand, startService } from './service-process.ts'

const run = promisify(execFile)
const cli = fileURLToPath(new URL('../../.built/cli.mjs', import.meta.url))
const password = 'correct horse battery staple'

for (const engine of engines) {
  describe(`the operator's commands on ${engine}`, () => {
    it('list tenants and find them by a part of their name, with what they have', async () => {
      const deployment = await newDeployment(engine)
      assert.equal((await runCommand(['migrate'], deployment.env)).code, 0)
      assert.equal((await runCommand(['seed', '--tenants', '2', '--users', '4'], deployment.env)).code, 0)
      const json = async (...args: readonly string[]) => {
        const { stdout, stderr, code } = await runCommand([...args, '--json'], deployment.env)
        assert.deepEqual([code, stderr], [0, ''])
        return JSON.parse(stdout) as { tenants: Record<string, unknown>[]; hasMore: boolean }
      }
      const all = await json('tenants')
      assert.deepEqual(
        all.tenants.map(({ slug, users, organizations }) => [slug, users, organizations]),
        [
          ['demo-2', 4, 3],
          ['demo-1', 4, 3],
        ],
      )
      const [first] = (await json('tenants', 'MO-1')).tenants
      assert.equal(first?.['slug'], 'demo-1')
      assert.deepEqual((await json('tenants', String(first?.['id']))).tenants, [first])
      assert.deepEqual(
        [(await json('tenants', 'nobody')).tenants, (await json('tenants', '--limit', '1')).hasMore],
        [[], true],
      )
      const { stdout } = await runCommand(['tenants', 'demo-1'], deployment.env)
      assert.match(stdout, /^ID +SLUG +NAME +ENVIRONMENT +USERS .*\nc\w+ +demo-1 +Demo 1 +development +4 +3 +0\n$/)
    })

    it('list failed jobs, and try one of them again, or all', async () => {
      const deployment = await newDeployment(engine)
      assert.equal((await runCommand(['migrate'], deployment.env)).code, 0)
      assert.equal((await runCommand(['seed', '--tenants', '1', '--users', '1'], deployment.env)).code, 0)
      const [tenant] = await rawSql(deployment, "SELECT id FROM tenants WHERE slug = 'demo-1'")
      const at = '2026-01-01T00:00:00.000000Z'
      const insert = (n: number, deadAt: string | null) =>
        rawSql(
          deployment,
          `INSERT INTO jobs (tenant_id, id, kind, key, payload, attempts, wakes, lost_runs, run_at, last_error, dead_at, created_at, updated_at)
          VALUES ('${String(tenant?.['id'])}', 'cjob0000${n}', 'test.kind', 'k${n}', 'null', ${deadAt === null ? 0 : 20}, 0, 0, '${at}',
            ${deadAt === null ? 'NULL' : "'refused by ada@example.com'"}, ${deadAt === null ? 'NULL' : `'${deadAt}'`}, '2026-01-01T00:00:0${n}.000000Z', '${at}')`,
        )
      await insert(1, null)
      for (const n of [2, 3, 4]) await insert(n, at)
      const listed = async (...args: readonly string[]) => {
        const { stdout, code } = await runCommand(['jobs', ...args, '--json'], deployment.env)
        assert.equal(code, 0)
        const { jobs } = JSON.parse(stdout) as { jobs: { id: string; kind: string; state: string; error: string }[] }
        return jobs.filter(({ kind }) => kind === 'test.kind')
      }
      const failed = await listed('--failed')
      assert.deepEqual(
        failed.map(({ id, state, error }) => [id, state, error]),
        [2, 3, 4].map((n) => [`cjob0000${n}`, 'given up', 'refused by <address>']),
      )
      assert.equal((await listed()).find(({ id }) => id === 'cjob00001')?.state, 'waiting')
      const retry = (...args: readonly string[]) => runCommand(['jobs', 'retry', ...args], deployment.env)
      assert.deepEqual((await retry('cjob00003')).stdout, '1 failed job is due now.\n')
      assert.deepEqual(
        (await listed('--failed')).map(({ id }) => id),
        ['cjob00002', 'cjob00004'],
      )
      assert.equal((await retry('cjob00003')).code, 1)
      assert.equal((await retry('cjob00001')).code, 1, 'it has not failed')
      assert.equal((await retry()).code, 2)
      assert.equal((await retry('cjob00002', '--failed')).code, 2)
      assert.deepEqual((await retry('--failed', '--json')).stdout, '{"jobs":2}\n')
      assert.deepEqual(await listed('--failed'), [])
      const events = await rawSql(deployment, "SELECT data FROM events WHERE type = 'deployment.jobs_retried'")
      assert.deepEqual(
        events
          .map(({ data }) => (JSON.parse(String(data)) as { jobs: number }).jobs)
          .toSorted((one, other) => one - other),
        [1, 2],
      )
    })

    it('let in an administrator who has lost the password, once, and then only with a new one', async () => {
      const { env } = await newDeployment(engine)
      assert.equal((await runCommand(['migrate'], env)).code, 0)
      const email = 'ada@example.com'
      const made = await runCommand(
        ['create-administrator', '--email', email, '--new-tenant', 'Acme', '--json'],
        env,
        password,
      )
      const { consolePublicKey } = JSON.parse(made.stdout) as { consolePublicKey: string }
      const unknown = await runCommand(['reset-administrator', '--email', 'eve@example.com'], env)
      assert.deepEqual([unknown.code, unknown.stderr.startsWith('nobody at the console')], [1, true])
      const reset = await runCommand(['reset-administrator', '--email', 'ADA@example.com', '--json'], env)
      assert.equal(reset.code, 0, reset.stderr)
      const given = JSON.parse(reset.stdout) as { password: string; status: string }
      assert.equal(given.status, 'active')

      const service = await startService(env)
      const signIn = async (secret: string, newPassword?: string) => {
        const url = `${service.api.replace('/api/v0', '/frontend/api/v0')}/sign-ins`
        const json = { identifier: email, strategy: 'email_password', password: secret, newPassword }
        const { status, body } = await request(url, { headers: { 'x-public-key': consolePublicKey }, json })
        const { signInAttempt } = (body['data'] ?? {}) as { signInAttempt?: { status: string } }
        return [status, signInAttempt?.status ?? body['code']]
      }
      assert.deepEqual(await signIn(password), [401, 'factor_refused'])
      assert.deepEqual(await signIn(given.password), [403, 'password_change_required'])
      const own = 'a password of her own'
      assert.deepEqual(await signIn(given.password, own), [200, 'complete'])
      assert.deepEqual(await signIn(given.password), [401, 'factor_refused'])
      assert.deepEqual(await signIn(own), [200, 'complete'])
    })
  })
}

describe('bailiwick completion', () => {
  it('completes commands, options and choices in bash', async () => {
    const complete = async (...words: readonly string[]) => {
      const script = `source <("$1" "$2" completion bash); shift 2; COMP_WORDS=(bailiwick "$@"); COMP_CWORD=$#
        _bailiwick; printf '%s\\n' "\${COMPREPLY[@]}"`
      const { stdout } = await run('bash', ['-euc', script, 'bash', process.execPath, cli, ...words])
      return stdout.trim().split('\n').toSorted()
    }
    assert.deepEqual(await complete('rest'), ['restore'])
    assert.deepEqual(await complete('re'), ['record-backup', 'reset-administrator', 'restore'])
    assert.deepEqual(await complete('export', '--'), ['--help', '--json', '--output', '--passphrase-file'])
    assert.deepEqual(await complete('jobs', 'r'), ['retry'])
    assert.deepEqual(await complete('completion', ''), ['--help', 'bash', 'fish', 'zsh'])
    assert.deepEqual(await complete('nonsense', ''), [''])
  })

  it('knows every command in each shell', async () => {
    const help = await runCommand(['--help'])
    const names = [...help.stdout.matchAll(/^ {2}([a-z-]+) /gm)].map(([, name]) => name ?? '')
    assert.ok(names.length > 15 && names.includes('completion'), names.join())
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { stdout, code } = await runCommand(['completion', shell])
      assert.equal(code, 0)
      for (const name of names.filter((each) => each !== 'help')) assert.ok(stdout.includes(name), `${shell} ${name}`)
    }
    assert.equal((await runCommand(['completion', 'tcsh'])).code, 2)
  })
})
