// Where a client learns how to get tokens for the management interface (RFC 9728).
import { scopes } from '@bailiwick/contract'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../../platform/config.ts'
import { managementIndicator } from './management-resource.ts'

const wellKnown = '/.well-known/oauth-protected-resource'
const maxAge = 300

/** RFC 9728 section 3.1 puts the well-known part before the path of the resource. */
const pathOf = (config: Pick<Config, 'baseUrl'>) => wellKnown + new URL(managementIndicator(config)).pathname

/** The challenge of an answer 401, which leads a client to the metadata (RFC 9728 section 5.1). */
export const managementChallenge = (config: Pick<Config, 'baseUrl'>): string =>
  `Bearer resource_metadata="${new URL(pathOf(config), config.baseUrl).href}"`

/**
 * Every tenant is an authorization server of this resource, so none is listed: a machine application knows the issuer of its tenant.
 */
export function protectedResourceRoutes(app: FastifyInstance, config: Config) {
  const metadata = JSON.stringify({
    resource: managementIndicator(config),
    resource_name: 'Bailiwick management interface',
    scopes_supported: scopes,
    bearer_methods_supported: ['header'],
    resource_documentation: `${managementIndicator(config)}/reference`,
  })
  for (const path of [pathOf(config), wellKnown]) {
    app.get(path, (_request, reply) =>
      reply
        .headers({
          'access-control-allow-origin': '*',
          'cache-control': `public, max-age=${maxAge}`,
          'content-type': 'application/json',
        })
        .send(metadata),
    )
  }
}
