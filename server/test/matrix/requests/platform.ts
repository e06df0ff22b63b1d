// Requests of the platform.
import { type Requests, onTenant } from '../request-kinds.ts'

export const platformRequests = {
  listEvents: onTenant,
  streamEvents: onTenant,
  verifyEvents: onTenant,
  getMeta: { valid: () => ({}), foreign: () => [] },
  getDeploymentHealth: { valid: () => ({}), foreign: () => [] },
  getDeploymentJobs: { valid: () => ({}), foreign: () => [] },
  retryDeploymentJobs: { valid: () => ({ body: { kind: 'webhooks.deliver' } }), foreign: () => [] },
} satisfies Requests
