import { endpoints } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import type { Management } from '../../platform/http/management-steps.ts'
import type { FindFile } from '../../tenancy/tenants/lifecycle.ts'
import { deleteApplicationSecret, rotateApplicationSecret } from './application-secrets.ts'
import * as applications from './applications.ts'

export function applicationRoutes({ handle }: Management, deps: Deps, findFile: FindFile) {
  handle(endpoints.createApplication, ({ tenantId, input, principal, actor }) =>
    applications.createApplication(deps, tenantId, input, { principal, findFile }, actor),
  )
  handle(endpoints.listApplications, ({ tenantId, query }) => applications.listApplications(deps, tenantId, query))
  handle(endpoints.getApplication, ({ tenantId, params }) => applications.getApplication(deps, tenantId, params.id))
  handle(endpoints.updateApplication, ({ tenantId, params, body, principal, actor }) =>
    applications.updateApplication(deps, tenantId, params.id, body, { principal, findFile }, actor),
  )
  handle(endpoints.deleteApplication, ({ tenantId, params, actor }) =>
    applications.deleteApplication(deps, tenantId, params.id, actor),
  )
  handle(endpoints.rotateApplicationSecret, ({ tenantId, params, body, principal, actor }) =>
    rotateApplicationSecret(deps, tenantId, params.id, body.graceSeconds, principal, actor),
  )
  handle(endpoints.deleteApplicationSecret, ({ tenantId, params, actor }) =>
    deleteApplicationSecret(deps, tenantId, params.id, params.secretId, actor),
  )
}
