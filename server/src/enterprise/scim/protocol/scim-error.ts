// Refusals as SCIM clients read them (RFC 7644 section 3.12).
import type { Json } from './json.ts'

export const errorUrn = 'urn:ietf:params:scim:api:messages:2.0:Error'

/** RFC 7644 table 9. */
export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'

export type ScimStatus = 400 | 401 | 403 | 404 | 405 | 409 | 412 | 413 | 415 | 429 | 500 | 501 | 503

/** A request that is refused, with what its sender may know. */
export class ScimError extends Error {
  override readonly name = 'ScimError'
  readonly status: ScimStatus
  readonly scimType: ScimType | undefined

  constructor(status: ScimStatus, detail: string, scimType?: ScimType) {
    super(detail)
    this.status = status
    this.scimType = scimType
  }
}

/** Returns a refusal with status 400. */
export const bad = (scimType: ScimType, detail: string) => new ScimError(400, detail, scimType)

/** Returns the body of an answer that refuses a request. */
export const errorBody = ({ status, scimType, message }: ScimError): Json => ({
  schemas: [errorUrn],
  status: String(status),
  ...(scimType === undefined ? {} : { scimType }),
  detail: message,
})
