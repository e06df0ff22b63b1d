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
  description: 'The newest one signs; the ones before it verify what they signed until that has expired.',
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
  summary: 'Make a new signing key',
  description: 'Published at once; the keys before it go on verifying for a day, then they are removed.',
  permission: 'config:write',
  tenant: { from: 'body.tenantId' },
  body: object({ tenantId: id() }),
  response: array(JwkCertificate),
  errors: ['not_found'],
  example: { body: { tenantId: sample.tenantId }, response: [sample.certificate] },
})
