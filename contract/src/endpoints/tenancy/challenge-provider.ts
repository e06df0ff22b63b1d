import { endpoint } from '../../endpoint.ts'
import { sample } from '../../examples.ts'
import { id, object } from '../../schema.ts'
import { ChallengeProviderSettings, PutChallengeProvider } from '../../shapes/tenancy/challenge-provider.ts'

const common = {
  path: '/auth/tenants/{id}/challenge-provider',
  tag: 'Authentication configuration',
  tenant: { from: 'params.id' },
  params: object({ id: id() }),
  response: ChallengeProviderSettings,
  errors: ['not_found'],
} as const
const params = { id: sample.tenantId }
const settings = { provider: 'turnstile', siteKey: '0x4AAAAAAADnPIDROrmt1Wwj', onFailure: 'deny' } as const
const response = { ...settings, hasSecret: true, updatedAt: sample.tenant.updatedAt }

export const getChallengeProvider = endpoint({
  ...common,
  id: 'getChallengeProvider',
  method: 'GET',
  summary: 'Read who makes the puzzles of a tenant',
  permission: 'config:read',
  example: { params, response },
})

export const putChallengeProvider = endpoint({
  ...common,
  id: 'putChallengeProvider',
  method: 'PUT',
  summary: 'Have Turnstile or hCaptcha make the puzzles of a tenant',
  description:
    'When a puzzle is asked for is in the sign-in rules. The hosted pages load the script of the provider from then on, and each answer is checked there. A secret that the provider does not know is refused.',
  permission: 'config:write',
  body: PutChallengeProvider,
  example: { params, body: { ...settings, secret: '0x4AAAAAAADnPI_secret' }, response },
})

export const deleteChallengeProvider = endpoint({
  ...common,
  id: 'deleteChallengeProvider',
  method: 'DELETE',
  summary: 'Go back to the puzzles of the service itself',
  permission: 'config:write',
  example: {
    params,
    response: { provider: 'proof_of_work', siteKey: null, hasSecret: false, onFailure: 'deny', updatedAt: null },
  },
})
