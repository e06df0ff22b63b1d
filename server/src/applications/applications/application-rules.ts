// What applications of each type may be. A pure check of the whole application, so that a change is held to the same rules as a creation.
import {
  type Application,
  type ApplicationType,
  type Issue,
  applicationTypeRules as rules,
  deviceCodeGrant,
  isWebUri,
  tokenExchangeGrant,
} from '@bailiwick/contract'

/** The grants that a client may give itself, by registering or in its document: those that a user has to allow. */
export const openGrants: readonly string[] = ['authorization_code', 'refresh_token', deviceCodeGrant]

/** The algorithms by which clients may sign their assertions and request objects. */
export const clientAlgorithms: readonly string[] = ['ES256', 'PS256', 'RS256', 'EdDSA']

const issue = (path: string, code: string, message: string): Issue => ({ path, code, message })
const isLoopback = ({ hostname }: URL) => /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)

/** Returns what is wrong with an address that the browser goes to; its form has been checked already. */
function addressProblem(uri: string, type: ApplicationType, isDevelopment: boolean): string | undefined {
  if (uri.includes('*')) return 'must not contain a wildcard'
  if (!isWebUri(uri))
    return type === 'native'
      ? undefined
      : 'must be an https URL; only native applications can use a scheme of their own'
  const url = new URL(uri)
  if (url.protocol === 'https:') return undefined
  if (type === 'native' && isLoopback(url)) return undefined
  return isDevelopment
    ? undefined
    : 'must be an https URL; http on localhost is only for native applications and development tenants'
}

function addressIssues(application: Application, isDevelopment: boolean): Issue[] {
  const issues: Issue[] = []
  for (const name of ['redirectUris', 'postLogoutRedirectUris'] as const) {
    for (const [index, uri] of application[name].entries()) {
      const problem = addressProblem(uri, application.type, isDevelopment)
      if (problem !== undefined) issues.push(issue(`/${name}/${index}`, 'address_refused', problem))
    }
  }
  const { initiateLoginUri } = application
  const problem = initiateLoginUri === null ? undefined : addressProblem(initiateLoginUri, 'web', isDevelopment)
  if (problem !== undefined) issues.push(issue('/initiateLoginUri', 'address_refused', problem))
  for (const [index, origin] of application.corsOrigins.entries()) {
    if (new URL(origin).origin !== origin) {
      issues.push(
        issue(`/corsOrigins/${index}`, 'no_origin', 'must be an origin such as https://app.example, without a path'),
      )
    }
  }
  return issues
}

function grantIssues(application: Application): Issue[] {
  const { type, grantTypes, redirectUris, postLogoutRedirectUris } = application
  const issues: Issue[] = []
  const { grants } = rules[type]
  for (const [index, grant] of grantTypes.entries()) {
    if ((grants as readonly string[]).includes(grant)) continue
    issues.push(
      issue(
        `/grantTypes/${index}`,
        'not_of_this_type',
        `is not available for an application of type ${type}, which can have ${grants.join(', ')}`,
      ),
    )
  }
  const hasBrowser = grantTypes.includes('authorization_code')
  const startsRefresh = hasBrowser || grantTypes.includes(deviceCodeGrant)
  if (grantTypes.includes('refresh_token') && !startsRefresh) {
    issues.push(
      issue(
        '/grantTypes',
        'nothing_to_refresh',
        'must also have a grant type that issues refresh tokens, because it has refresh_token',
      ),
    )
  }
  if (hasBrowser && redirectUris.length === 0) {
    issues.push(issue('/redirectUris', 'required', 'is required for authorization_code'))
  }
  if (!hasBrowser && redirectUris.length > 0) {
    issues.push(
      issue('/redirectUris', 'not_of_this_type', 'is only for applications with the grant type authorization_code'),
    )
  }
  if (!hasBrowser && postLogoutRedirectUris.length > 0) {
    issues.push(
      issue(
        '/postLogoutRedirectUris',
        'not_of_this_type',
        'is only for applications with the grant type authorization_code',
      ),
    )
  }
  if (!hasBrowser && application.initiateLoginUri !== null) {
    issues.push(issue('/initiateLoginUri', 'not_of_this_type', 'is for authorization_code alone'))
  }
  return issues
}

/** RFC 7517 section 4 and RFC 7518 section 6: the members that make up a private or a symmetric key. */
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv']

function keyIssues({ jwks, jwksUri, tokenEndpointAuthMethod }: Application): Issue[] {
  const usesKeys = tokenEndpointAuthMethod === 'private_key_jwt'
  if (!usesKeys) {
    const given = [...(jwks === null ? [] : ['/jwks']), ...(jwksUri === null ? [] : ['/jwksUri'])]
    return given.map((path) =>
      issue(path, 'not_of_this_method', 'is only for applications with tokenEndpointAuthMethod private_key_jwt'),
    )
  }
  if ((jwks === null) === (jwksUri === null)) {
    return [issue('/jwks', 'required', 'is required for private_key_jwt, unless jwksUri is set; do not set both')]
  }
  return (jwks?.keys ?? []).flatMap((key, index) => {
    const members = typeof key === 'object' && key !== null ? Object.keys(key) : []
    const path = `/jwks/keys/${index}`
    if (!members.includes('kty')) return [issue(path, 'no_key', 'must be a JSON Web Key')]
    return members.some((member) => privateMembers.includes(member))
      ? [issue(path, 'private_key', 'must be a public key; the private key must stay with the application')]
      : []
  })
}

function methodIssues(application: Application): Issue[] {
  const { type, tokenEndpointAuthMethod: method, requirePkce, refreshTokenRotation } = application
  const { methods } = rules[type]
  const issues: Issue[] = []
  if (!methods.includes(method)) {
    issues.push(
      issue(
        '/tokenEndpointAuthMethod',
        'not_of_this_type',
        `must be ${methods.join(' or ')} for an application of type ${type}`,
      ),
    )
  }
  if (method === 'none' && !requirePkce) {
    issues.push(issue('/requirePkce', 'required', 'must be on for an application without a secret'))
  }
  if (method === 'none' && !refreshTokenRotation) {
    issues.push(issue('/refreshTokenRotation', 'required', 'must be on for an application without a secret'))
  }
  return issues
}

function exchangeIssues(application: Application): Issue[] {
  if (application.grantTypes.includes(tokenExchangeGrant)) return []
  return (['exchangeFrom', 'exchangeTo'] as const)
    .filter((name) => application[name].length > 0)
    .map((name) =>
      issue(`/${name}`, 'not_of_this_type', `is only for applications with the grant type ${tokenExchangeGrant}`),
    )
}

function otherIssues({ type, backchannelLogoutUri, corsOrigins, grantTypes, machineScopes }: Application): Issue[] {
  const issues: Issue[] = []
  if (backchannelLogoutUri !== null && type !== 'web') {
    issues.push(issue('/backchannelLogoutUri', 'not_of_this_type', 'is only for applications of type web'))
  }
  if (backchannelLogoutUri?.includes('#') === true) {
    issues.push(issue('/backchannelLogoutUri', 'address_refused', 'must not have a fragment'))
  }
  if (corsOrigins.length > 0 && type !== 'spa' && type !== 'web') {
    issues.push(issue('/corsOrigins', 'not_of_this_type', 'is only for applications of type spa and web'))
  }
  if (machineScopes.length > 0 && (type !== 'machine' || !grantTypes.includes('client_credentials'))) {
    issues.push(
      issue(
        '/machineScopes',
        'not_of_this_type',
        'is only for machine applications with the grant type client_credentials',
      ),
    )
  }
  const ids = machineScopes.map(({ resourceId }) => resourceId)
  if (new Set(ids).size < ids.length)
    issues.push(issue('/machineScopes', 'duplicate', 'must not name a resource twice'))
  return issues
}

/** Returns every rule that an application breaks, with the field that breaks it. */
export const applicationIssues = (application: Application, isDevelopment: boolean): Issue[] => [
  ...addressIssues(application, isDevelopment),
  ...grantIssues(application),
  ...methodIssues(application),
  ...keyIssues(application),
  ...otherIssues(application),
  ...exchangeIssues(application),
]
