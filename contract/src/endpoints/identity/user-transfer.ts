import { endpoint } from '../../endpoint.ts'
import { sample, samplePersonDetails } from '../../examples.ts'
import { importBytesMax } from '../../formats/import-limits.ts'
import { id, object, plainId } from '../../schema.ts'
import { ExportedUser, ImportAnswer, ImportedUser, UserDataExport } from '../../shapes/identity/user-transfer.ts'

const tag = 'Users'

export const importUsers = endpoint({
  id: 'importUsers',
  method: 'POST',
  path: '/auth/users/import',
  tag,
  summary: 'Import users, line by line',
  description:
    'Send one JSON object on each line, at most 256 MiB in total. The response begins once the whole body has arrived: it has one line for each line of the body, in the same order, and a last line with the `summary`. A response without that last line was cut short, whatever its status. Each line is imported completely or not at all, and independently of the others; sending the file again completes an import that was cut short.',
  permission: 'users:write',
  tenant: { from: 'query.tenantId' },
  query: object({ tenantId: id() }),
  body: ImportedUser,
  bodyType: 'application/x-ndjson',
  response: ImportAnswer,
  responseType: 'application/x-ndjson',
  bodyBytesMax: importBytesMax,
  errors: ['not_found', 'too_many_streams'],
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
    'Returns one user on each line, newest first; users who exist throughout the export appear exactly once. A tenant can run four exports at once; an export is cut off if the client reads nothing for a minute. Secrets are left out: passwords, authenticators and connections are only in the archive of a whole tenant, as docs/command-line.md says.',
  permission: 'users:read',
  tenant: { from: 'query.tenantId' },
  query: object({ tenantId: id() }),
  response: ExportedUser,
  responseType: 'application/x-ndjson',
  errors: ['not_found', 'too_many_streams'],
  example: { query: { tenantId: sample.tenantId }, response: { ...sample.user, ...samplePersonDetails, claimed: [] } },
})

export const exportUserData = endpoint({
  id: 'exportUserData',
  method: 'GET',
  path: '/auth/users/{id}/data-export',
  tag,
  summary: 'Read all data about a user',
  permission: 'users:read',
  tenant: { locates: 'users', by: 'params.id' },
  params: object({ id: plainId() }),
  response: UserDataExport,
  errors: ['not_found', 'ambiguous_id', 'too_many_streams'],
  example: {
    params: { id: sample.userId },
    response: {
      exportedAt: '2026-11-21T08:00:00.000123Z',
      user: { ...sample.user, ...samplePersonDetails },
      organizationMemberships: [sample.organizationMember],
      tenantMemberships: [],
      socialConnections: [sample.socialConnection],
      connections: [],
      connectionSignIns: [],
      directories: [],
      sessions: [sample.session],
      authenticators: [],
      signInAttempts: [{ ...sample.signInAttempt, failure: null }],
      signUpAttempts: [],
      waitlist: [],
      apiKeys: [sample.userApiKey],
      authorizations: [sample.grant],
      events: [sample.event],
    },
  },
})
