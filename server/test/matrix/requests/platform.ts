// Requests of the platform.
import { newId } from '../../../src/platform/ids.ts'
import { handmadeArchive, handmadePassphrase as passphrase } from '../../harness/files/handmade-archive.ts'
import { type Requests, newEmail, onRecord, onTenant } from '../request-kinds.ts'

export const platformRequests = {
  listEvents: onTenant,
  streamEvents: onTenant,
  verifyEvents: onTenant,
  getEventRetention: onTenant,
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

/** The requests of console users. */
export const flowsRequests = {
  createConsoleUser: { valid: () => ({ body: { email: newEmail(), name: 'Ada' } }), foreign: () => [] },
  whoAmI: { valid: () => ({}), foreign: () => [] },
  listOwnTenants: { valid: () => ({}), foreign: () => [] },
  listOwnInvitations: { valid: () => ({}), foreign: () => [] },
  acceptOwnInvitation: onRecord('ownInvitationId'),
  declineOwnInvitation: onRecord('spareOwnInvitationId'),
} satisfies Requests
