import { endpoint } from '../endpoint.ts'
import { sample } from '../examples.ts'
import { id, object, plainId } from '../schema.ts'
import { ExportedUser, ImportAnswer, ImportedUser, UserDataExport } from '../shapes/user-transfer.ts'

const tag = 'Users'

export const importUsers = endpoint({
  id: 'importUsers',
  method: 'POST',
  path: '/auth/users/import',
  tag,
  summary: 'Import users, line by line',
  description:
    'One JSON object a line, and one line of answer for each in the same order, the summary last. Each line is all or nothing, and none spoils another; sending a file again finishes what was cut short. Read the answer while sending: the service stops reading when its answer is not read.',
  permission: 'users:write',
  tenant: { from: 'query.tenantId' },
  query: object({ tenantId: id() }),
  body: ImportedUser,
  bodyType: 'application/x-ndjson',
  response: ImportAnswer,
  responseType: 'application/x-ndjson',
  errors: ['not_found'],
  example: {
    query: { tenantId: sample.tenantId },
    body: {
      email: sample.email,
      emailVerified: true,
      name: 'Ada',
      roleName: 'editor',
      passwordHash: {
        algorithm: 'bcrypt',
        hash: '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy',
      },
    },
    response: { line: 1, status: 'created', id: sample.userId },
  },
})

export const exportUsers = endpoint({
  id: 'exportUsers',
  method: 'GET',
  path: '/auth/users/export',
  tag,
  summary: 'Export the users of a tenant, line by line',
  description:
    'One user a line, newest first; every user who is there from the beginning to the end, exactly once. Secrets stay: passwords, authenticators and connections go along in the archive of a whole tenant alone, as docs/command-line.md says.',
  permission: 'users:read',
  tenant: { from: 'query.tenantId' },
  query: object({ tenantId: id() }),
  response: ExportedUser,
  responseType: 'application/x-ndjson',
  errors: ['not_found'],
  example: { query: { tenantId: sample.tenantId }, response: { ...sample.user, claimed: [] } },
})

export const exportUserData = endpoint({
  id: 'exportUserData',
  method: 'GET',
  path: '/auth/users/{id}/data-export',
  tag,
  summary: 'Everything that is held about a user',
  permission: 'users:read',
  tenant: { locates: 'users', by: 'params.id' },
  params: object({ id: plainId() }),
  response: UserDataExport,
  errors: ['not_found', 'ambiguous_id'],
  example: {
    params: { id: sample.userId },
    response: {
      exportedAt: '2026-11-21T08:00:00.000123Z',
      user: sample.user,
      organizationMemberships: [sample.organizationMember],
      tenantMemberships: [],
      socialConnections: [sample.socialConnection],
      sessions: [sample.session],
      authenticators: [],
      signInAttempts: [sample.signInAttempt],
      signUpAttempts: [],
      events: [sample.event],
    },
  },
})
