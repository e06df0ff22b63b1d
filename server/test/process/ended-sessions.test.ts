// What was ended stays ended though the process is killed the moment after: a session, and a key.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { engines } from '../harness/databases/databases.ts'
import { newDeployment, request, startService } from './service-process.ts'

const password = 'correct horse battery staple'

for (const engine of engines) {
  describe(`kill -9 of the service behind an answer on ${engine}`, () => {
    // Guards: stays-ended
    it('brings back no session that was ended and no key that was deleted', async () => {
      const deployment = await newDeployment(engine)
      const first = await startService(deployment.env)
      const { body: tenant } = await request(`${first.api}/tenants`, {
        json: { name: 'Acme', environment: 'development' },
      })
      const tenantId = String(tenant['id'])
      const email = 'ada@acme.example'
      const { body: user } = await request(`${first.api}/auth/users`, { json: { tenantId, email, password } })
      await request(`${first.api}/auth/email-addresses/verify`, { json: { id: user['primaryEmailId'] } })
      const { body: key } = await request(`${first.api}/api-keys`, {
        json: { tenantId, name: 'Export', scopes: ['config:read'] },
      })
      const frontend = (url: string) => `${url}/frontend/api/v0`
      const headers = { 'x-public-key': String(tenant['publicKey']), 'x-session-transport': 'body' }
      const signedIn = await request(`${frontend(first.url)}/sign-ins`, {
        headers,
        json: { identifier: email, strategy: 'email_password', password },
      })
      const { sessionToken, session } = signedIn.body['data'] as { sessionToken: string; session: { id: string } }

      const statuses = async (node: { url: string; api: string }) => [
        (
          await request(`${frontend(node.url)}/user/profile`, {
            headers: { ...headers, authorization: `Bearer ${sessionToken}` },
          })
        ).status,
        (
          await request(`${node.api}/tenants/${tenantId}`, {
            headers: { authorization: `Bearer ${String(key['key'])}` },
          })
        ).status,
      ]
      assert.deepEqual(await statuses(first), [200, 200])
      const ends = [`/auth/sessions/${session.id}`, `/api-keys/${String(key['id'])}`]
      for (const path of ends) assert.equal((await request(first.api + path, { method: 'DELETE' })).status, 200)
      first.kill('SIGKILL')
      await first.exit()
      assert.deepEqual(await statuses(await startService(deployment.env)), [401, 401])
    })
  })
}
