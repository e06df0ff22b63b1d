// The connection of an organization in the demo data, with what its directory has sent.
import type { Connection, ScimTokenWithToken } from '@bailiwick/contract'
import { makeLive } from '../../server/test/harness/people/enterprise.ts'
import { newProviderKey } from '../../server/test/harness/saml/crafted-response.ts'
import type { TestService } from '../../server/test/harness/service.ts'

/** A SAML connection with a directory that has sent groups. */
export async function addConnection(service: TestService, organizationId: string): Promise<string> {
  const { certificate } = newProviderKey()
  const connection = await service.ok<Connection>('createConnection', {
    body: {
      organizationId,
      type: 'saml',
      name: 'Research staff',
      saml: {
        entityId: 'https://idp.research.example',
        ssoUrl: 'https://idp.research.example/sso',
        certificates: [certificate],
      },
    },
  })
  await makeLive(service, connection)
  const params = { id: connection.id }
  const { token, baseUri } = await service.ok<ScimTokenWithToken>('createScimToken', { params, body: { name: 'Okta' } })
  for (const displayName of ['Engineering', 'Operations', 'Engineering']) {
    await service.request({
      method: 'POST',
      url: `${new URL(baseUri).pathname}/Groups`,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
      payload: JSON.stringify({ schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'], displayName }),
    })
  }
  const body = { email: 'it@research.example' }
  await service.ok('createSetupLink', { params: { organizationId }, body })
  return connection.id
}
