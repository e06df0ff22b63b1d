import { endpoints } from '@bailiwick/contract'
import type { Management } from '../../platform/http/management-steps.ts'
import type { Deps } from '../deps.ts'
import { listSigningKeys, rotateSigningKeys, withdrawSigningKey } from './signing-keys.ts'

export function signingKeyRoutes({ handle }: Management, deps: Deps) {
  handle(endpoints.listJwkCertificates, ({ tenantId }) => listSigningKeys(deps, tenantId))
  handle(endpoints.rotateJwkCertificates, ({ tenantId, actor }) => rotateSigningKeys(deps, tenantId, actor))
  handle(endpoints.withdrawJwkCertificate, ({ tenantId, params, actor }) =>
    withdrawSigningKey(deps, tenantId, params.id, actor),
  )
}
