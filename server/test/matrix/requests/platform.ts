// Requests of the platform.
import { newId } from '../../../src/platform/ids.ts'
import { handmadeArchive, handmadePassphrase as passphrase } from '../../harness/files/handmade-archive.ts'
import { type Requests, onTenant } from '../request-kinds.ts'

export const platformRequests = {
  listEvents: onTenant,
  streamEvents: onTenant,
  verifyEvents: onTenant,
  getMeta: { valid: () => ({}), foreign: () => [] },
  getDeploymentHealth: { valid: () => ({}), foreign: () => [] },
  getDeploymentJobs: { valid: () => ({}), foreign: () => [] },
  retryDeploymentJobs: { valid: () => ({ body: { kind: 'webhooks.deliver' } }), foreign: () => [] },
  exportTenant: {
    valid: ({ tenantId }) => ({ params: { id: tenantId }, body: { passphrase } }),
    foreign: () => [],
  },
  importTenant: { valid: () => ({ body: { passphrase, file: handmadeArchive(newId()) } }), foreign: () => [] },
} satisfies Requests
