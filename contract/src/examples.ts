// One coherent sample world for the examples of every operation. A test checks each against its schema.
import { defaultTenantAuthSettings } from './tenant-auth-settings.ts'
import { roleFlags } from './permissions.ts'

const createdAt = '2026-11-20T22:49:43.018032Z'
const updatedAt = createdAt
const times = { createdAt, updatedAt }
const tenantId = 'cmi7x9q2v0f3k8d1n5r7t4w6z'
const userId = 'cmi7x9q3a1g4l9e2o6s8u5x7b'
const roleId = 'cmi7x9q3b2h5m0f3p7t9v6y8c'
const organizationId = 'cmi7x9q3c3i6n1g4q8u0w7z9d'
const emailId = 'cmi7x9q3d4j7o2h5r9v1x8a0e'
const email = 'ada@acme.example'
const phoneId = 'cmi7x9q3k1q4v9o2y6c8e5h7l'

const auth = {
  id: 'cmi7x9q2w1g4l9e2o6s8u5x7a',
  tenantId,
  ...defaultTenantAuthSettings(),
  codeVerificationEmailTemplateId: 'cmi7x9q2x2h5m0f3p7t9v6y8b',
  ...times,
}

const tenantRecord = {
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

const event = {
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

const webhook = {
  id: 'cmi7x9q3l2r5w0p3z7d9f6i8m',
  tenantId,
  url: 'https://hooks.acme.example/bailiwick',
  description: null,
  events: ['user.created', 'user.deleted'],
  enabled: true,
  failingSince: null,
  ...times,
}

const attemptId = 'cmi7x9q3p6v9a4t7d1h3j0m2q'
const attempt = {
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

const brand = { primary: '#4f46e5', primaryForeground: 'white', radius: '0.5rem', darkPrimary: '244 76% 70%' }
const roleCore = { id: roleId, name: 'editor', description: 'May change articles', permissions: ['articles:write'] }
const role = { ...roleCore, tenantId, _count: { users: 1, members: 0 }, ...times }
const emailAddress = { id: emailId, tenantId, userId, email, verifiedAt: null, ...times }
const summary = {
  id: userId,
  emailAddresses: [{ id: emailId, email, verifiedAt: null }],
  primaryEmailId: emailId,
  name: 'Ada',
}
const organizationUser = { id: userId, name: 'Ada', identifier: email, imageUri: null, ...times }
const flags = Object.fromEntries(roleFlags.map((flag) => [flag, flag === 'roleViewUsers']))

export const sample = {
  tenantId,
  userId,
  roleId,
  organizationId,
  emailId,
  email,
  phoneId,
  memberId: 'cmi7x9q3e5k8p3i6s0w2y9b1f',
  invitationId: 'cmi7x9q3f6l9q4j7t1x3z0c2g',
  providerId: 'cmi7x9q3g7m0r5k8u2y4a1d3h',
  transformationId: 'cmi7x9q3h8n1s6l9v3z5b2e4i',
  session: {
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
  },
  signInAttempt: { ...attempt, status: 'complete' },
  signUpAttempt: {
    ...attempt,
    status: 'needs_verification',
    requiredFields: ['email', 'password'],
    missingFields: [],
    requiredVerifications: ['email'],
    missingVerifications: ['email'],
  },
  domain: {
    id: 'cmi7x9q3k1q4v9o2y6c8e5h7l',
    tenantId,
    name: 'login.acme.example',
    primary: true,
    type: 'external',
    verified: false,
    verificationRecordType: 'TXT',
    verificationRecordDomain: '_bailiwick.login.acme.example',
    verificationRecordValue: 'bailiwick-verification=7QmB2xW9tLk4sVn8RzYc3D',
    verificationRecordReason: null,
    ...times,
  },
  certificate: {
    id: 'cmi7x9q3l2r5w0p3z7d9f6i8m',
    tenantId,
    public: '-----BEGIN PUBLIC KEY-----\n…\n-----END PUBLIC KEY-----\n',
    ...times,
  },
  channel: {
    id: 'cmi7x9q3m3s6x1q4a8e0g7j9n',
    tenantId,
    name: 'Transactional mail',
    key: 'mail',
    description: null,
    type: 'email',
    provider: 'email_resend',
    enabled: true,
    providerSettings: { apiKey: '********', from: 'hello@acme.example' },
    ...times,
  },
  template: {
    id: 'cmi7x9q3n4t7y2r5b9f1h8k0o',
    tenantId,
    type: 'email',
    name: 'receipt',
    subject: 'Thank you',
    body: '<p>{{ user.name }}</p>',
    ...times,
  },
  brand,
  tenant: { ...tenantRecord, auth, brand },
  tenantInList: tenantRecord,
  role,
  emailAddress: { ...emailAddress, verifiedAt: '2026-11-20T22:51:02.500000Z' },
  phoneNumber: { id: phoneId, tenantId, userId, phone: '+49301234567', verifiedAt: null, ...times },
  user: {
    id: userId,
    tenantId,
    name: 'Ada',
    emailAddresses: [emailAddress],
    phoneNumbers: [],
    ...times,
    imageUri: null,
    lastSignInAt: null,
    lastActiveAt: null,
    username: 'ada',
    status: 'active',
    roleId,
    role: roleCore,
    primaryEmailId: emailId,
    primaryPhoneId: null,
    publicMeta: { locale: 'en' },
    privateMeta: {},
  },
  member: { id: 'cmi7x9q3e5k8p3i6s0w2y9b1f', tenantId, userId, user: summary, ...flags, ...times },
  invitation: {
    id: 'cmi7x9q3f6l9q4j7t1x3z0c2g',
    tenantId,
    tenant: {
      id: tenantId,
      name: 'Acme Incorporated',
      slug: 'acme-incorporated',
      logoId: null,
      iconId: null,
      environment: 'production',
      createdAt,
    },
    email: 'grace@acme.example',
    userId: null,
    user: null,
    ...flags,
    ...times,
  },
  organization: {
    id: organizationId,
    tenantId,
    creatorId: null,
    name: 'Research',
    slug: 'research',
    imageUri: null,
    publicMeta: {},
    privateMeta: {},
    _count: { members: 0 },
    ...times,
  },
  organizationInvitation: {
    id: 'cmi7x9q3i9o2t7m0w4a6c3f5j',
    organizationId,
    ...times,
    roleId,
    email: 'grace@acme.example',
    role,
    acceptedAt: null,
    declinedAt: null,
    user: null,
    publicMeta: {},
    privateMeta: {},
  },
  organizationMember: {
    id: 'cmi7x9q3j0p3u8n1x5b7d4g6k',
    organizationId,
    userId,
    ...times,
    roleId: null,
    role: null,
    user: organizationUser,
    publicMeta: {},
    privateMeta: {},
  },
  socialProvider: {
    id: 'cmi7x9q3g7m0r5k8u2y4a1d3h',
    tenantId,
    providerKey: 'github',
    enabled: true,
    ...times,
    useCustomCredentials: true,
    clientId: 'Iv1.0123456789abcdef',
    redirectUri: null,
    additionalScopes: ['read:org'],
    authenticatable: true,
    autoConnectAccounts: false,
    config: {},
  },
  event,
  webhook,
  webhookWithSecret: { ...webhook, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=' },
  webhookDelivery: {
    id: 'cmi7x9q3m3s6x1q4a8e0g7j9n',
    tenantId,
    webhookId: webhook.id,
    eventId: event.id,
    eventType: event.type,
    status: 'pending',
    attempts: 1,
    responseStatus: 503,
    error: 'The receiver answered 503.',
    nextAttemptAt: '2026-11-20T22:49:49.018032Z',
    lastAttemptAt: '2026-11-20T22:49:44.018032Z',
    ...times,
  },
  transformation: {
    id: 'cmi7x9q3h8n1s6l9v3z5b2e4i',
    tenantId,
    name: 'card',
    description: 'The picture of an article in a list',
    outputFormat: 'auto',
    outputQuality: 80,
    outputCompression: 6,
    outputWidth: 640,
    outputHeight: 360,
    outputResizeMode: 'crop',
    steps: [{ type: 'blur', options: { blurType: 'fast', strength: 3 } }],
    ...times,
  },
}

/** One page that holds `row`. */
export const pageOf = (row: unknown) => ({
  status: 'success',
  data: [row],
  meta: { total: 1, count: 1, numPages: 1, perPage: 20, prev: null, next: null },
})
