import { endpoint } from '../endpoint.ts'
import { sample } from '../examples.ts'
import { array, id, object } from '../schema.ts'
import { JwkCertificate } from '../shapes/jwk-certificate.ts'

const tag = 'Signing keys'

export const listJwkCertificates = endpoint({
  id: 'listJwkCertificates',
  method: 'GET',
  path: '/auth/jwk-certificates',
  tag,
  summary: "The keys that a tenant's tokens are verified with, newest first",
  description: 'The newest one signs; earlier ones verify what they have signed until it has expired.',
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
  description: 'It is published at once. Earlier keys continue to verify for a day and are then removed.',
  permission: 'config:write',
  tenant: { from: 'body.tenantId' },
  body: object({ tenantId: id() }),
  response: array(JwkCertificate),
  errors: ['not_found'],
  example: { body: { tenantId: sample.tenantId }, response: [sample.certificate] },
})
