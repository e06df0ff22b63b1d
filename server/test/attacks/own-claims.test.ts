// What end users send about themselves never makes them verified, active or somebody else: none of their operations accepts such a
// property. Zitadel CVE-2026-27946.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type FrontendEndpoint, type FrontendEndpointId, type Profile, frontendEndpoints } from '@bailiwick/contract'
import { signedInUser, tenantWith } from '../harness/people/signed-in-user.ts'
import { describeService } from '../harness/service.ts'

const claims: Readonly<Record<string, unknown>> = {
  verified: true,
  verifiedAt: '2026-01-01T00:00:00.000000Z',
  emailVerified: true,
  email_verified: true,
  phoneVerified: true,
  isVerified: true,
  status: 'active',
  tenantId: '00000000-0000-7000-8000-000000000000',
  primaryEmailId: 'x',
  privateMeta: { isAdmin: true },
  mustChangePassword: false,
  isAdmin: true,
}

const readProperties = (schema: unknown) =>
  Object.keys((schema as { properties?: object } | undefined)?.properties ?? {})

describeService('a property that only the tenant may set', (service) => {
  const all = Object.entries(frontendEndpoints) as [FrontendEndpointId, FrontendEndpoint][]
  const written = all.filter(([, { method }]) => method !== 'GET')

  // Guards: fresh-connections
  it('is accepted by no operation for end users, even in an otherwise valid body', async () => {
    const tenant = await tenantWith(service())
    const { browser } = await signedInUser(service(), tenant)
    const before = await browser.ok<{ user: Profile }>('getProfile')
    for (const [id, { body, example }] of written) {
      const known = readProperties(body)
      const right = example.body ?? {}
      const params = (example.params ?? {}) as Record<string, string>
      for (const [name, value] of Object.entries(claims)) {
        assert.ok(!known.includes(name), `${id} takes ${name}`)
        const answer = await browser.call(id, { params, body: { ...right, [name]: value } })
        // Another tenant is answered like one that does not exist, as everywhere.
        assert.equal(
          answer.status,
          name === 'tenantId' && body !== undefined ? 404 : 400,
          `${id} with ${name}: ${answer.text}`,
        )
      }
    }
    assert.deepEqual(await browser.ok<{ user: Profile }>('getProfile'), before)
  })
})
