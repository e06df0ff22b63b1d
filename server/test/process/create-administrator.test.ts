// bailiwick create-administrator, as it is run before a deployment has anybody.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { anyEngine, engines } from '../harness/databases/engines.ts'
import { newDeployment, request, runCommand, startService } from './service-process.ts'

const password = 'correct horse battery staple'

interface Made {
  readonly userId: string
  readonly isNew: boolean
  readonly tenant: { readonly id: string; readonly slug: string } | null
  readonly consolePublicKey: string
}

for (const engine of engines) {
  describe(`bailiwick create-administrator on ${engine}`, () => {
    it('makes the first administrator, who signs in at the console while sign-up is closed', async () => {
      const { env } = await newDeployment(engine)
      const email = 'ada@example.com'
      const run = async (args: readonly string[], input: string) => {
        const { code, stdout, stderr } = await runCommand(['create-administrator', ...args, '--json'], env, input)
        assert.equal(code, 0, stderr)
        return JSON.parse(stdout) as Made
      }
      const begun = await startService(env)
      begun.kill('SIGTERM')
      await begun.exit()

      const first = await run(['--email', email, '--name', 'Ada', '--new-tenant', 'Acme'], `${password}\n`)
      assert.equal(first.isNew, true)
      const tenant = first.tenant
      assert.ok(tenant !== null)
      const second = await run(['--email', 'GRACE@example.com', '--tenant', tenant.slug], password)
      assert.deepEqual([second.isNew, second.tenant], [true, tenant])
      const again = await run(['--email', email.toUpperCase(), '--new-tenant', 'Other'], '')
      assert.deepEqual([again.isNew, again.userId], [false, first.userId])
      const alone = await run(['--email', 'alan@example.com'], password)
      assert.equal(alone.tenant, null)

      const service = await startService(env)
      const frontend = service.api.replace('/api/v0', '/frontend/api/v0')
      const headers = { 'x-public-key': first.consolePublicKey }
      const signUp = await request(`${frontend}/sign-ups`, { headers, json: { email: 'eve@example.com', password } })
      assert.deepEqual([signUp.status, signUp.body['code']], [403, 'sign_up_disabled'])
      const signIn = await request(`${frontend}/sign-ins`, {
        headers,
        json: { identifier: email, strategy: 'email_password', password },
      })
      const { jwt } = signIn.body['data'] as { jwt: string }
      const members = await request(`${service.api}/tenants/${tenant.id}/members`, {
        headers: { authorization: `Bearer ${jwt}` },
      })
      assert.equal(members.status, 200)
      const listed = members.body['data'] as { userId: string; roleAdmin: boolean }[]
      assert.deepEqual(
        listed.map(({ userId, roleAdmin }) => [userId, roleAdmin]),
        [
          [second.userId, true],
          [first.userId, true],
        ],
      )
      assert.ok(![service.stdout(), service.stderr()].some((output) => output.includes(password)))
    })
  })
}

describe('bailiwick create-administrator', () => {
  it('ends with status 2 on wrong options, and with 1 on what the deployment refuses, in one line', async () => {
    const { env } = await newDeployment(anyEngine)
    assert.equal((await runCommand(['migrate'], env)).code, 0)
    const ended = async (args: readonly string[], input = password) => {
      const { code, stderr } = await runCommand(['create-administrator', ...args], env, input)
      return [code, stderr.trim()] as const
    }
    assert.deepEqual((await ended(['--name', 'Ada']))[0], 2)
    const wrong: readonly (readonly [readonly string[], RegExp])[] = [
      [['--email', 'ada'], /^--email must be an e-mail address/],
      [['--email', 'ada@example.com', '--new-tenant', 'ab'], /^--new-tenant must have at least 4 characters$/],
      [['--email', 'ada@example.com', '--tenant', 'acme', '--new-tenant', 'Acme'], /cannot be used together$/],
    ]
    for (const [args, message] of wrong) {
      const [code, stderr] = await ended(args)
      assert.deepEqual([code, message.test(stderr)], [2, true], stderr)
    }
    const unknown = await ended(['--email', 'ada@example.com', '--tenant', 'nobody'])
    assert.equal(unknown[0], 1)
  })

  it('makes nothing of a password that is too short, or none', async () => {
    const { env } = await newDeployment(anyEngine)
    const service = await startService(env)
    service.kill('SIGTERM')
    await service.exit()
    for (const input of ['', 'short\n', 'elevenchars']) {
      const args = ['create-administrator', '--email', 'ada@example.com', '--new-tenant', 'Acme']
      const { code, stderr } = await runCommand(args, env, input)
      assert.equal(code, 1)
      assert.match(stderr, /password must have at least (?:8|12) characters/)
    }
    const { stdout } = await runCommand(['create-administrator', '--email', 'ada@example.com', '--json'], env, password)
    assert.deepEqual((JSON.parse(stdout) as Made).isNew, true)
  })
})
