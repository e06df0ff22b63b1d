import { endpoints } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import type { Management } from '../../platform/http/management-steps.ts'
import { checkHealth } from './health.ts'
import { readJobs, retryJobs } from './jobs.ts'

export function deploymentRoutes({ handle }: Management, deps: Deps) {
  handle(endpoints.getDeploymentHealth, () => checkHealth(deps))
  handle(endpoints.getDeploymentJobs, () => readJobs(deps))
  handle(endpoints.retryDeploymentJobs, ({ body, actor }) => retryJobs(deps, body.kind, actor))
}
