// Headers that authenticate nobody: none, malformed ones, and well-formed ones of keys that are unknown or no longer live.
import { hashToken, newToken } from '../../../src/platform/crypto/tokens.ts'
import { createApiKey, createTenant } from '../factories.ts'
import { type TestService, operatorKey } from '../service.ts'

type Headers = Readonly<Record<string, string>>

/** A key that was live once, with its tenant's public key. */
export async function revokedKey(service: TestService) {
  const { tenant, secretKey } = await createTenant(service)
  await service.ok('rotateTenantSecretKey', { params: { id: tenant.id }, query: { graceSeconds: '0' } })
  return { secretKey, publicKey: tenant.publicKey, tenantId: tenant.id }
}

/** The headers by what is wrong with them; each is refused with 401 wherever a credential is required. */
export async function worthlessHeaders(service: TestService): Promise<Record<string, Headers>> {
  const { tenant, secretKey } = await createTenant(service)
  const { tenant: other, secretKey: otherKey } = await createTenant(service)
  const revoked = await revokedKey(service)
  const { publicKey } = tenant
  const apiKey = await createApiKey(service, tenant.id, ['admin'])
  const deletedApiKey = await createApiKey(service, tenant.id, ['admin'])
  await service.ok('deleteApiKey', { params: { id: deletedApiKey.id } })
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  return {
    none: {},
    'an empty header': { authorization: '' },
    'a scheme alone': { authorization: 'Bearer' },
    'an empty token': { authorization: 'Bearer ' },
    'another scheme': { authorization: `Basic ${Buffer.from(`x:${secretKey}`).toString('base64')}` },
    'a key without a scheme': { authorization: secretKey },
    'two tokens': { authorization: `Bearer ${secretKey} ${secretKey}` },
    'a key with a character more': bearer(`${secretKey}x`),
    'a key with a character less': bearer(secretKey.slice(0, -1)),
    'a key in upper case': bearer(secretKey.toUpperCase()),
    'a key that was never made': bearer(newToken('sk_dev_')),
    "a key's hash": bearer(hashToken(secretKey)),
    'an API key that was never made': bearer(newToken('ak_')),
    'an API key with a wrong checksum': bearer(`${newToken('ak_').slice(0, -1)}-`),
    'an API key beside a public key': { ...bearer(apiKey.key), 'x-public-key': publicKey },
    'an API key as a secret key': { 'x-public-key': publicKey, 'x-secret-key': apiKey.key },
    'a deleted API key': bearer(deletedApiKey.key),
    'a public key': bearer(publicKey),
    "a tenant's id": bearer(tenant.id),
    'a revoked key': bearer(revoked.secretKey),
    'a revoked key and its public key': { 'x-public-key': revoked.publicKey, 'x-secret-key': revoked.secretKey },
    'another operator key': bearer(`op_${'0123456789abcdef'.repeat(4)}`),
    'an operator key with a character more': bearer(`${operatorKey}0`),
    'the operator key as a secret key': { 'x-public-key': publicKey, 'x-secret-key': operatorKey.slice(3) },
    'the operator key and a public key': { ...bearer(operatorKey), 'x-public-key': publicKey },
    "another tenant's public key": { 'x-public-key': other.publicKey, 'x-secret-key': secretKey },
    "another tenant's public key beside a token": { ...bearer(secretKey), 'x-public-key': other.publicKey },
    'a public key alone': { 'x-public-key': publicKey },
    'a secret key alone': { 'x-secret-key': secretKey },
    'an empty public key': { 'x-public-key': '', 'x-secret-key': secretKey },
    'an empty secret key': { 'x-public-key': publicKey, 'x-secret-key': '' },
    'a token and a secret key': { ...bearer(secretKey), 'x-secret-key': secretKey },
    'a token and a pair': { ...bearer(secretKey), 'x-public-key': publicKey, 'x-secret-key': secretKey },
    'a token and the pair of another': {
      ...bearer(secretKey),
      'x-public-key': other.publicKey,
      'x-secret-key': otherKey,
    },
    'a bad token and a good pair': {
      authorization: 'Bearer x',
      'x-public-key': publicKey,
      'x-secret-key': secretKey,
    },
    'an unsigned token': bearer('eyJhbGciOiJub25lIn0.eyJzdWIiOiJvcGVyYXRvciJ9.'),
    'a cookie': { cookie: `authorization=Bearer ${secretKey}; __Host-console=${secretKey}` },
  }
}
