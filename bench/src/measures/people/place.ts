// A tenant with an organization that has connections, a directory and a provider of its own.
import { FakeIdentityProvider } from '@bailiwick/server/test/harness/outside/fake-identity-provider.ts'
import { newProviderKey } from '@bailiwick/server/test/harness/saml/crafted-response.ts'
import { type Enterprise, createEnterprise } from '../../data/enterprise.ts'
import type { Running, World } from '../../world.ts'

export const issuer = 'https://idp.example/metadata'
export const providerKey = newProviderKey()

export interface Place extends Running {
  readonly enterprise: Enterprise
  readonly idp: FakeIdentityProvider
}

export async function withPlace<Result>(world: World, measure: (place: Place) => Promise<Result>): Promise<Result> {
  const running = await world.running('small')
  const idp = new FakeIdentityProvider()
  await idp.start()
  try {
    const saml = { entityId: issuer, certificate: providerKey.certificate }
    const enterprise = await createEnterprise(running.dataset, running.server.port, idp, saml)
    return await measure({ ...running, enterprise, idp })
  } finally {
    await idp.stop()
  }
}
