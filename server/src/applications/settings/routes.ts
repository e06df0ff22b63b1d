import { endpoints } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import type { Management } from '../../platform/http/management-steps.ts'
import * as settings from './change-settings.ts'

export function oauthSettingRoutes({ handle }: Management, deps: Deps) {
  handle(endpoints.getOAuthSettings, ({ tenantId }) => settings.getOAuthSettings(deps, tenantId))
  handle(endpoints.putOAuthSettings, ({ tenantId, body, actor }) =>
    settings.putOAuthSettings(deps, tenantId, body, actor),
  )
  handle(endpoints.createRegistrationToken, ({ tenantId, body, actor }) =>
    settings.createRegistrationToken(deps, tenantId, body.ttlSeconds, actor),
  )
}
