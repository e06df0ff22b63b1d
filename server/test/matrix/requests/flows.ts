// Requests of console users.
import { type Requests, newEmail, onRecord } from '../request-kinds.ts'

export const flowsRequests = {
  createConsoleUser: { valid: () => ({ body: { email: newEmail(), name: 'Ada' } }), foreign: () => [] },
  whoAmI: { valid: () => ({}), foreign: () => [] },
  listOwnTenants: { valid: () => ({}), foreign: () => [] },
  listOwnInvitations: { valid: () => ({}), foreign: () => [] },
  acceptOwnInvitation: onRecord('ownInvitationId'),
  declineOwnInvitation: onRecord('spareOwnInvitationId'),
} satisfies Requests
