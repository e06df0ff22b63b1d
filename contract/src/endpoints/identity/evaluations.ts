import { endpoint } from '../../endpoint.ts'
import { sample } from '../../examples.ts'
import { id, object } from '../../schema.ts'
import { EvaluationAnswer, EvaluationRequest } from '../../shapes/identity/evaluation.ts'

export const evaluate = endpoint({
  id: 'evaluate',
  method: 'POST',
  path: '/auth/evaluations',
  tag: 'Permissions',
  summary: 'Ask whether a user may do something',
  description:
    'In the form of the OpenID AuthZEN Authorization API 1.0: one question, or up to 100 in `evaluations`, whose `subject`, `action`, `resource` and `context` default to those of the request. A user may do what the permissions of the role contain: the role at the tenant, or in the organization that `resource` or `context` names. A user, an organization or a resource that does not exist is a denial, not an error. A single question without subject, action or resource is refused; one of several is denied with `error` in `context`. Gateways find this address in `/.well-known/authzen-configuration` of the issuer of the tenant, and get their own `X-Request-ID` back.',
  permission: 'users:read',
  tenant: { from: 'query.tenantId' },
  query: object({ tenantId: id() }),
  body: EvaluationRequest,
  /** A hundred questions with some attributes. */
  bodyBytesMax: 256 * 1024,
  response: EvaluationAnswer,
  errors: ['not_found'],
  example: {
    query: { tenantId: sample.tenantId },
    body: {
      subject: { type: 'user', id: sample.user.id },
      action: { name: 'write' },
      resource: { type: 'articles', id: '42' },
      context: { explain: true },
    },
    response: {
      decision: true,
      context: { reason: 'permitted', permission: 'articles:write', role: 'editor' },
    },
  },
})
