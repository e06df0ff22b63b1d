import { endpoint } from '../../endpoint.ts'
import { sample } from '../../examples.ts'
import { array, id, object } from '../../schema.ts'
import { JwkCertificate } from '../../shapes/tenancy/jwk-certificate.ts'

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
