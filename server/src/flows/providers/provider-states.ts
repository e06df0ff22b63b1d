// Which of a tenant's social providers could sign somebody in: what their client lacks is known before a user meets it.
import { type SocialProviderState, endpoints, providerKeys } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import { machineMs } from '../../platform/clock.ts'
import type { Management } from '../../platform/http/management-steps.ts'
import { apiErrorOf } from '../../platform/http/render-error.ts'
import type { TenantId } from '../../platform/ids.ts'
import { type FoundProvider, listSocialProviderRows } from '../../tenancy/social-providers/find-provider.ts'
import { frontendBaseUrl } from '../../tenancy/tenants/env.ts'
import { getTenant } from '../../tenancy/tenants/tenants.ts'
import { callbackPath } from './authorization.ts'
import { settingsOf } from './provider-settings.ts'
import { providerOf } from './providers.ts'

type Needed = Pick<Deps, 'config' | 'sealer' | 'clock'>

/** Returns whether the provider has a whole client, of the tenant's or of the deployment's: without one it signs nobody in. */
export async function hasClient(deps: Needed, row: FoundProvider): Promise<boolean> {
  try {
    const settings = settingsOf(deps, row)
    const provider = providerOf(settings)
    await provider.makeSecret?.(settings, provider.baseUrl, machineMs(deps.clock))
    return true
  } catch (error) {
    if (apiErrorOf(error).code === 'provider_unusable') return false
    throw error
  }
}

/** @throws ApiError not_found for a tenant that does not exist. */
export async function listSocialProviderStates(deps: Deps, tenantId: TenantId): Promise<SocialProviderState[]> {
  await getTenant(deps, tenantId)
  const rows = await listSocialProviderRows(deps.db, tenantId)
  const base = frontendBaseUrl(deps.config.baseUrl)
  return Promise.all(
    providerKeys.map(async (providerKey) => {
      const row = rows.find(({ provider_key: key }) => key === providerKey)
      const state =
        row === undefined
          ? 'absent'
          : !(await hasClient(deps, row))
            ? 'incomplete'
            : row.enabled === 1
              ? 'ready'
              : 'disabled'
      return {
        providerKey,
        providerId: row?.id ?? null,
        state,
        hasDeploymentClient: deps.config.oauth[providerKey] !== undefined,
        callbackUri: row?.redirect_uri ?? base + callbackPath(providerKey),
      }
    }),
  )
}

export function providerStateRoutes({ handle }: Management, deps: Deps) {
  handle(endpoints.listSocialProviderStates, ({ tenantId }) => listSocialProviderStates(deps, tenantId))
}
