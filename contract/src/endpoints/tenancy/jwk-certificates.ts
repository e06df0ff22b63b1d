import { endpoint } from '../../endpoint.ts'
import { sample } from '../../examples.ts'
import { array, id, object, plainId } from '../../schema.ts'
import { JwkCertificate } from '../../shapes/tenancy/keys.ts'

const tag = 'Signing keys'

export const listJwkCertificates = endpoint({
  id: 'listJwkCertificates',
  method: 'GET',
  path: '/auth/jwk-certificates',
  tag,
  summary: "List the keys with which a tenant's tokens are verified, newest first",
  description: 'The newest key signs. Earlier keys verify the tokens that they have signed until those expire.',
  permission: 'config:read',
  tenant: { from: 'query.tenantId' },
  query: object({ tenantId: id() }),
  response: array(JwkCertificate),
  errors: ['not_found'],
  example: { query: { tenantId: sample.tenantId }, response: [sample.certificate] },
})

export const rotateJwkCertificates = endpoint({
  id: 'rotateJwkCertificates',
  method: 'POST',
  path: '/auth/jwk-certificates/rotate',
  tag,
  summary: 'Create a new signing key',
  description: 'The key is published at once. Earlier keys verify for another day and are then removed.',
  permission: 'config:write',
  tenant: { from: 'body.tenantId' },
  body: object({ tenantId: id() }),
  response: array(JwkCertificate),
  errors: ['not_found'],
  example: { body: { tenantId: sample.tenantId }, response: [sample.certificate] },
})

export const withdrawJwkCertificate = endpoint({
  id: 'withdrawJwkCertificate',
  method: 'POST',
  path: '/auth/jwk-certificates/{id}/withdraw',
  tag,
  summary: 'Withdraw a signing key that others may have',
  description:
    'The key is no longer published and verifies nothing here any more, at once; if it was the newest of its kind, there is a new one. Sessions, refresh tokens and opaque tokens are not signed and stay. A server that has fetched the keys before believes the old one until it fetches them again, usually within ten minutes.',
  permission: 'admin',
  tenant: { from: 'body.tenantId' },
  params: object({ id: plainId() }),
  body: object({ tenantId: id() }),
  response: array(JwkCertificate),
  errors: ['not_found'],
  example: {
    params: { id: sample.certificate.id },
    body: { tenantId: sample.tenantId },
    response: [sample.certificate],
  },
})
