// The issuer of a foreign OpenID provider, as its ID tokens name it in `iss`.
import { isWebUri } from './redirect-uri.ts'

export const issuerRule =
  'must be an https URL (http only on localhost) in ASCII, without user name, query and fragment'

/** OpenID Connect Discovery 1.0 section 2: an issuer has neither query nor fragment. */
export const isIssuer = (value: string): boolean => isWebUri(value) && !/[?#]/.test(value)
