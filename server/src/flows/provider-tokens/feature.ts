import type { Deps } from '../../identity/deps.ts'
import type { EndGrants } from '../../identity/people/secure-account.ts'
import { revokeJobKind } from '../../identity/provider-tokens/provider-tokens.ts'
import { providerRevocations, providerTokens } from '../../identity/provider-tokens/tables.ts'
import { endAllAccesses } from '../../identity/social-connections/connections.ts'
import { type Feature, cleanUpPause } from '../../platform/feature.ts'
import { endKeptTokensKind } from '../../tenancy/custom-providers/kept-tokens.ts'
import { unkeptHandler } from './end-unkept.ts'
import { removeOldRevocations, revocationHandler } from './revoke.ts'
import { providerTokenRoutes } from './routes.ts'

export const feature: Feature<Deps> & { readonly endGrants: EndGrants } = {
  name: 'flows/provider-tokens',
  tables: [providerTokens, providerRevocations],
  management: providerTokenRoutes,
  jobs: (deps) => ({ [revokeJobKind]: revocationHandler(deps), [endKeptTokensKind]: unkeptHandler(deps) }),
  loops: (deps) => [{ name: 'old revocations', ...cleanUpPause, step: () => removeOldRevocations(deps) }],
  endGrants: (deps, tx, { tenantId, userId }, actor) => endAllAccesses(deps, tx, tenantId, userId, actor),
}
