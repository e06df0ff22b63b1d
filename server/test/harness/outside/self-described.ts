// Clients that describe themselves in a document, without a network.
import type { Egress } from '../../../src/platform/net/egress.ts'
import { callbackUri } from '../people/authorization.ts'

/**
 * Serves the document of a public client at every address.
 * @param changes what the document at an address says differently.
 */
export const servedDocuments = (changes: ReadonlyMap<string, object> = new Map()): Pick<Egress, 'request'> => ({
  request: async (url) => ({
    status: 200,
    headers: { 'content-type': 'application/json' },
    isTruncated: false,
    body: Buffer.from(
      JSON.stringify({
        client_id: url,
        client_name: 'Notes',
        redirect_uris: [callbackUri],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
        ...changes.get(url),
      }),
    ),
  }),
})
