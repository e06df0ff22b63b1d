// What clients send in other words than the engine understands. The engine hands its parameters over here before it reads them.
import { type KoaContextWithOIDC, errors } from 'oidc-provider'

export type RequestParameters = Record<string, unknown>

/** Returns the id in `Authorization: Basic base64(id:)`, by which some libraries name a client without a secret. */
function idWithoutSecret(authorization: string | undefined): string | undefined {
  const [, encoded = ''] = /^basic ([\w+/]+={0,2})$/i.exec(authorization ?? '') ?? []
  const text = Buffer.from(encoded, 'base64').toString()
  if (!text.endsWith(':') || text.indexOf(':') !== text.length - 1) return undefined
  try {
    return decodeURIComponent(text.slice(0, -1).replaceAll('+', '%20'))
  } catch {
    return undefined
  }
}

/**
 * Takes a header without a secret as `client_id` in the body, which is how clients without a secret identify themselves (RFC 6749 section
 * 3.2.1); a client that has a secret is refused as before. `audience` of a machine stands for `resource`.
 * @throws InvalidTarget
 */
export function adaptParameters({ req }: KoaContextWithOIDC, params: RequestParameters) {
  const id = idWithoutSecret(req.headers.authorization)
  const { client_id: own, audience, resource } = params
  if (id !== undefined && id !== '' && 'client_id' in params && (own === undefined || own === id)) {
    params['client_id'] = id
    delete req.headers.authorization
  }
  if (params['grant_type'] !== 'client_credentials' || audience === undefined) return
  if (resource !== undefined && JSON.stringify(resource) !== JSON.stringify(audience)) {
    throw new errors.InvalidTarget('audience and resource name different resources')
  }
  params['resource'] = audience
}
