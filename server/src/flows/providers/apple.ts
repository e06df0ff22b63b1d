// https://developer.apple.com/documentation/signinwithapplerestapi ; the client's secret is a JWT that lasts five minutes. The name is sent
// only with the first consent, beside the code and unsigned: nothing but a greeting may depend on it.
import { createPrivateKey, sign } from 'node:crypto'
import { ApiError } from '../../platform/http/api-error.ts'
import { providerUser, recordOf } from './provider-user.ts'
import type { Provider } from './provider.ts'

const secretSeconds = 300
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

function nameIn(parameters: URLSearchParams): unknown {
  try {
    const { firstName, lastName } = recordOf(recordOf(JSON.parse(parameters.get('user') ?? '{}'))['name'])
    return [firstName, lastName].filter((part) => typeof part === 'string' && part !== '').join(' ')
  } catch {
    return undefined
  }
}

function privateKey(pem: string) {
  try {
    const key = createPrivateKey(pem)
    if (key.asymmetricKeyType === 'ec') return key
  } catch {
    // The error is described below; what the parser says about a secret must not be shown.
  }
  throw new ApiError('provider_unusable')
}

export const apple: Provider = {
  baseUrl: 'https://appleid.apple.com',
  scopes: ['openid', 'email', 'name'],
  // Apple requires it as soon as scopes are requested.
  parameters: { response_mode: 'form_post' },
  async makeSecret({ clientId, clientSecret, teamId, keyId }, issuer, nowMs) {
    if (teamId === undefined || keyId === undefined) throw new ApiError('provider_unusable')
    const iat = Math.floor(nowMs / 1000)
    const claims = { iss: teamId, iat, exp: iat + secretSeconds, aud: issuer, sub: clientId }
    const text = `${encoded({ alg: 'ES256', kid: keyId })}.${encoded(claims)}`
    const key = { key: privateKey(clientSecret), dsaEncoding: 'ieee-p1363' } as const
    return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`
  },
  readUser: async ({ claims = {}, parameters }) =>
    providerUser({
      subject: claims['sub'],
      email: claims['email'],
      // Apple sometimes writes booleans as text.
      isEmailVerified: claims['email_verified'] === true || claims['email_verified'] === 'true',
      name: nameIn(parameters),
    }),
}
