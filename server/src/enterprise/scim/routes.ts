import { endpoints } from '@bailiwick/contract'
import type { Management } from '../../platform/http/management-steps.ts'
import type { Deps } from '../deps.ts'
import { listScimLog } from './log.ts'
import * as rules from './rules/group-rules.ts'
import * as tokens from './tokens.ts'

export function scimRoutes({ handle }: Management, deps: Deps) {
  handle(endpoints.createScimToken, ({ tenantId, params, body, principal, actor }) =>
    tokens.createScimToken(deps, tenantId, params.id, body, { principal, actor }),
  )
  handle(endpoints.listScimTokens, ({ tenantId, params }) => tokens.listScimTokens(deps, tenantId, params.id))
  handle(endpoints.deleteScimToken, ({ tenantId, params, principal, actor }) =>
    tokens.deleteScimToken(deps, tenantId, params.id, params.tokenId, { principal, actor }),
  )
  handle(endpoints.listScimGroups, ({ tenantId, params, query }) =>
    rules.listScimGroups(deps, tenantId, params.id, query),
  )
  handle(endpoints.getGroupRules, ({ tenantId, params }) => rules.getGroupRules(deps, tenantId, params.id))
  handle(endpoints.updateGroupRules, ({ tenantId, params, body, principal, actor }) =>
    rules.updateGroupRules(deps, tenantId, params.id, body, { principal, actor }),
  )
  handle(endpoints.previewGroupRules, ({ tenantId, params, body, actor }) =>
    rules.previewGroupRules(deps, tenantId, params.id, body, actor),
  )
  handle(endpoints.listScimLog, ({ tenantId, params, query }) => listScimLog(deps, tenantId, params.id, query))
}
