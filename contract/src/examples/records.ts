// The records and ids that the samples share.
import { roleFlags } from '../permissions.ts'
import { defaultTenantAuthSettings } from '../settings/tenant-auth-settings.ts'

/** What profiles show beside what a new user has. */
export const sampleProfileDetails = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  timezone: 'Europe/London',
  locale: 'en-GB',
  isAnonymous: false,
}

/** What all operations on users show beside what a new user has. */
export const samplePersonDetails = { ...sampleProfileDetails, roleExpiresAt: null }

export const createdAt = '2026-11-20T22:49:43.018032Z'
export const updatedAt = createdAt
export const times = { createdAt, updatedAt }
export const tenantId = 'cmi7x9q2v0f3k8d1n5r7t4w6z'
export const userId = 'cmi7x9q3a1g4l9e2o6s8u5x7b'
export const roleId = 'cmi7x9q3b2h5m0f3p7t9v6y8c'
export const organizationId = 'cmi7x9q3c3i6n1g4q8u0w7z9d'
export const emailId = 'cmi7x9q3d4j7o2h5r9v1x8a0e'
export const email = 'ada@acme.example'
export const phoneId = 'cmi7x9q3k1q4v9o2y6c8e5h7l'

export const auth = {
  id: 'cmi7x9q2w1g4l9e2o6s8u5x7a',
  tenantId,
  ...defaultTenantAuthSettings(),
  codeVerificationEmailTemplateId: 'cmi7x9q2x2h5m0f3p7t9v6y8b',
  ...times,
}

export const tenantRecord = {
  id: tenantId,
  name: 'Acme Incorporated',
  slug: 'acme-incorporated',
  publicKey: 'pk_dev_8sT2qLx0VbN4mYw7Rk1ZcJ',
  creatorId: null,
  projectId: null,
  logoId: null,
  logoUri: null,
  iconId: null,
  iconUri: null,
  environment: 'production',
  domains: [{ primary: true, name: 'login.acme.example' }],
  ...times,
}

export const event = {
  id: 'cmi7x9q3k1q4v9o2y6c8e5h7l',
  tenantId,
  type: 'user.created',
  actor: { type: 'secret_key', id: tenantId },
  subject: { type: 'user', id: userId },
  data: { roleId, hasPassword: true, personal: { name: 'Ada', username: 'ada', email, phone: null } },
  ip: '192.0.2.7',
  ua: 'acme-backend/1.4',
  createdAt,
}

export const apiKey = {
  id: 'cmi7x9q3q8x1c6v9f3j5m2o4s',
  tenantId,
  name: 'Nightly export',
  scopes: ['users:read'],
  last4: 'x7Qa',
  expiresAt: null,
  lastUsedAt: null,
  ...times,
}

export const hook = {
  id: 'cmi7x9q3h5k8b2t6r1n4w7c0e',
  tenantId,
  point: 'sign_in.before_session',
  url: 'https://hooks.acme.example/sign-in',
  timeoutMs: 2000,
  onFailure: 'deny',
  enabled: true,
  roleIds: [],
  receivesPasswords: false,
  ...times,
} as const

export const userApiKey = {
  id: 'cmi7x9q3q8x1c6v9f3j5m2o7k',
  tenantId,
  userId,
  organizationId: null,
  name: 'Deployment script',
  scopes: ['reports:read'],
  prefix: 'acme_live_',
  last4: 'b4T1',
  creatorId: userId,
  expiresAt: '2027-11-20T22:49:43.018032Z',
  lastUsedAt: null,
  ...times,
}

export const webhook = {
  id: 'cmi7x9q3l2r5w0p3z7d9f6i8m',
  tenantId,
  url: 'https://hooks.acme.example/bailiwick',
  description: null,
  events: ['user.created', 'user.deleted'],
  enabled: true,
  failingSince: null,
  firstFailedAt: null,
  ...times,
}

export const attemptId = 'cmi7x9q3p6v9a4t7d1h3j0m2q'
export const attempt = {
  id: attemptId,
  tenantId,
  userId,
  identifier: email,
  strategy: 'email_password',
  supportedFirstFactors: ['email_password', 'email_code'],
  supportedSecondFactors: [],
  oauthProviderId: null,
  redirectUri: null,
  expiresAt: '2026-11-20T22:59:43.018032Z',
  ...times,
}

export const upload = {
  id: 'cmi7x9q3q7w0b5u8e2i4k1n3r',
  tenantId,
  path: 'logos/acme.png',
  access: 'public',
  originalFilename: 'acme.png',
  mime: 'image/png',
  size: 18_204,
  meta: {},
  finishedAt: null,
  ...times,
  deletedAt: null,
}

export const brand = { primary: '#4f46e5', primaryForeground: 'white', radius: '0.5rem', darkPrimary: '244 76% 70%' }
export const roleCore = {
  id: roleId,
  name: 'editor',
  description: 'May change articles',
  permissions: ['articles:write'],
}
export const role = { ...roleCore, tenantId, _count: { users: 1, members: 0 }, ...times }
export const emailAddress = { id: emailId, tenantId, userId, email, verifiedAt: null, ...times }
export const summary = {
  id: userId,
  emailAddresses: [{ id: emailId, email, verifiedAt: null }],
  primaryEmailId: emailId,
  name: 'Ada',
}
export const organizationUser = { id: userId, name: 'Ada', identifier: email, imageUri: null, ...times }
export const flags = Object.fromEntries(roleFlags.map((flag) => [flag, flag === 'roleViewUsers']))

export const session = {
  id: 'cmi7x9q3o5u8z3s6c0g2i9l1p',
  tenantId,
  userId,
  browser: 'Firefox 144',
  device: 'desktop',
  engine: 'Gecko',
  os: 'Linux',
  cpu: 'x86_64',
  ua: 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0',
  ip: '192.0.2.7',
  signInAttemptId: attemptId,
  signUpAttemptId: null,
  expiresAt: '2026-11-27T22:49:43.018032Z',
  lastActiveAt: createdAt,
  ...times,
}
export const signInAttempt = { ...attempt, status: 'complete' }
export const signUpAttempt = {
  ...attempt,
  status: 'needs_verification',
  requiredFields: ['email', 'password'],
  missingFields: [],
  requiredVerifications: ['email'],
  missingVerifications: ['email'],
}

export const applicationId = 'cmi7x9q3g9n2s7l0v4z6b3e5k'
