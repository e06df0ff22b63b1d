import { type Application, oauthPaths } from '@bailiwick/contract'
import { Facts } from '../../parts/page.tsx'
import { Copyable } from '../../values/copy.tsx'

type Endpoint = readonly [name: string, path: string]

/** Returns the endpoints that an application of this kind uses. */
function endpointsFor({ type, grantTypes }: Application): readonly Endpoint[] {
  const hasBrowser = grantTypes.includes('authorization_code')
  const hasDevice = grantTypes.includes('urn:ietf:params:oauth:grant-type:device_code')
  const hasUsers = type !== 'machine'
  return [
    ...(hasBrowser ? [['Authorization endpoint', oauthPaths.authorization] as const] : []),
    ...(hasDevice ? [['Device authorization endpoint', oauthPaths.device_authorization] as const] : []),
    ['Token endpoint', oauthPaths.token],
    ...(hasUsers ? [['UserInfo endpoint', oauthPaths.userinfo] as const] : []),
    ['Keys (JWKS)', oauthPaths.jwks],
    ...(hasBrowser ? [['End session endpoint', oauthPaths.end_session] as const] : []),
  ]
}

/** What a library needs beside the discovery address if it does not read the rest there. */
export function Endpoints({ application, issuer }: { readonly application: Application; readonly issuer: string }) {
  return (
    <details className="more">
      <summary>Endpoints, for libraries without discovery</summary>
      <Facts
        rows={endpointsFor(application).map(([name, path]) => [
          name,
          <Copyable key={path} name={name} text={issuer + path} />,
        ])}
      />
    </details>
  )
}
