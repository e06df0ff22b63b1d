import type { PageCall } from '../call/page-call.ts'
import { pictureOrigins } from '../logos.ts'

/**
 * Returns the address from which a page loads a picture that a user has set; null for a picture on another host, which would learn who
 * looks at it. Files of this service are loaded from the page's own origin.
 */
export function shownPicture({ deps: { config }, tenant, isOwnDomain }: PageCall, uri: string | null): string | null {
  if (uri === null || !URL.canParse(uri)) return null
  const own = `${config.baseUrl}/media/`
  if (!isOwnDomain && uri.startsWith(own)) return uri.slice(config.baseUrl.length)
  return pictureOrigins(config, tenant).includes(new URL(uri).origin) ? uri : null
}
