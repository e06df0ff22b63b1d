// The sample world of `../examples.ts` as its users see it.
import { sample, sampleProfileDetails } from '../examples.ts'
import { optionalSettings, requiredSettings } from '../settings/tenant-auth-settings.ts'

const { tenant, session, user } = sample
const times = { createdAt: user.createdAt, updatedAt: user.updatedAt }
const [email] = user.emailAddresses

const settings = Object.entries({ ...requiredSettings, ...optionalSettings }).filter(
  ([, { kind, group }]) => kind !== 'reference' && kind !== 'list' && group !== 'eventLog',
)

export const samplePublicTenant = {
  id: tenant.id,
  name: tenant.name,
  slug: tenant.slug,
  publicKey: tenant.publicKey,
  environment: tenant.environment,
  logoUri: null,
  iconUri: null,
  brand: tenant.brand,
  auth: Object.fromEntries(settings.map(([name]) => [name, (tenant.auth as Record<string, unknown>)[name]])),
  signUpFields: ['email', 'password'],
  attributes: [],
  socialProviders: [{ id: sample.socialProvider.id, providerKey: 'github' }],
  customProviders: [
    { id: sample.customProvider.id, providerKey: sample.customProvider.key, name: 'Acme staff', logoUri: null },
  ],
}

export const sampleProfile = {
  id: user.id,
  tenantId: tenant.id,
  name: 'Ada',
  username: 'ada',
  imageUri: null,
  ...sampleProfileDetails,
  emails: [{ id: email?.id, email: 'ada@acme.example', verifiedAt: user.createdAt, primary: true, ...times }],
  phones: [],
  role: null,
  publicMeta: {},
  hasPassword: true,
  secondFactors: [],
  lastSignInAt: null,
  ...times,
}

export const sampleOwnSession = { ...session, current: true }
export const sampleJwt = 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiJj4oCmIn0.c2lnbmF0dXJl'
export const sampleSessionUser = {
  ...sampleProfile,
  sub: sampleProfile.id,
  iss: 'https://id.example.com/frontend/api/v0',
  aud: sample.tenant.publicKey,
  exp: 1_795_340_983,
}
export const sampleSignInAnswer = {
  signInAttempt: { ...sample.signInAttempt, userId: user.id, status: 'complete' },
  session: sampleOwnSession,
  sessionUser: sampleSessionUser,
  jwt: sampleJwt,
}
export const sampleOpenSignIn = {
  signInAttempt: { ...sample.signInAttempt, userId: null, strategy: null, status: 'needs_factor_one' },
}
export const sampleSignUpAnswer = {
  signUpAttempt: { ...sample.signUpAttempt, userId: user.id, status: 'complete', missingVerifications: [] },
  session: sampleOwnSession,
  sessionUser: sampleSessionUser,
  jwt: sampleJwt,
}
export const sampleOpenSignUp = { signUpAttempt: sample.signUpAttempt }
export const sampleRecoveryCodes = ['k3v7-9xq2-m4tb-8hwd-2ncf-6rzp', 'h8c2-5wfn-q7dk-3xmt-9bvz-4prg']
export const samplePasskey = {
  id: 'cmi7x9q3p5v8z3t6d0h2j9m4q',
  name: 'Laptop',
  relyingPartyId: 'login.acme.example',
  provider: 'iCloud Keychain',
  backupEligible: true,
  backedUp: true,
  secondFactor: true,
  lastUsedAt: null,
  flaggedAt: null,
  ...times,
}
export const sampleCredential = {
  id: 'mBz4oTqKc1v0',
  rawId: 'mBz4oTqKc1v0',
  type: 'public-key',
  clientExtensionResults: {},
  response: { clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0', attestationObject: 'o2NmbXRkbm9uZQ' },
}

export const sampleShownApplication = {
  clientId: 'cmi7qj0wq000108l4a1b2c3d4',
  name: 'Acme Reports',
  type: 'web',
  logoUri: null,
  termsUri: null,
  policyUri: null,
  host: 'reports.acme.example',
  isTrusted: true,
}

export const sampleAuthorization = {
  id: 'cmi7qj0wq000208l4e5f6g7h8',
  application: sampleShownApplication,
  organizationId: null,
  isAgent: false,
  scopes: ['openid', 'profile'],
  resources: [],
  createdAt: '2026-11-20T22:49:43.018032Z',
  lastUsedAt: '2026-11-21T09:00:00.000000Z',
}

export const sampleOwnData = {
  exportedAt: user.createdAt,
  user: sampleProfile,
  organizationMemberships: [],
  tenantMemberships: [],
  socialConnections: [],
  connections: [],
  connectionSignIns: [],
  directories: [],
  sessions: [session],
  authenticators: [],
  signInAttempts: [],
  signUpAttempts: [],
  waitlist: [],
  apiKeys: [sample.userApiKey],
  authorizations: [sampleAuthorization],
  events: [],
}
