// Describes the two interfaces for their documents: an introduction, the base address and the credentials.
import { type ErrorCode, commonErrorCodes } from './errors.ts'
import { frontendErrorCodes } from './frontend/frontend-endpoint.ts'

/** The parts of an interface's description that are not operations. */
export interface Interface {
  readonly title: string
  readonly description: string
  /** The base address that the paths are relative to. */
  readonly serverUrl: string
  readonly securitySchemes: Readonly<Record<string, object>>
  readonly security: readonly object[]
  /** The error codes of every operation. */
  readonly commonErrors: readonly ErrorCode[]
}

const errorsSection = `## Errors

Every error has a stable \`code\`, a readable \`message\`, the \`requestId\` and, if the request broke rules, \`issues\` with all of them, each with the
\`path\` of the value that breaks the rule. Each operation below lists its error codes. 429 and 503 say in \`Retry-After\` when to try again.`

const introductionOfManagement = `Multi-tenant identity: tenants, their users, roles, organizations, sign-in rules and brand. This interface is for your servers, scripts
and the console. The browsers and apps of end users call the **frontend interface**, which the other document of this reference describes.

## Credentials

- The operator key \`op_…\`, as \`Authorization: Bearer\`, can do everything.
- The secret key of a tenant \`sk_…\`, as \`Authorization: Bearer\` or in \`x-public-key\` and \`x-secret-key\`, can do everything in its tenant.
- An API key \`ak_…\`, as \`Authorization: Bearer\`, can do what its scopes say.
- The access token of a machine application, as \`Authorization: Bearer\`, can do what its scopes say. The application gets it from the token
  endpoint of its tenant by \`client_credentials\` with this interface's address as \`resource\`.
- The session of an administrator, in a cookie or as \`Authorization: Bearer\`, can do what the administrator's flags in each tenant say.

In the development deployment a call from the same machine needs no credential.

## Lists

Lists begin with the newest record. \`perPage\` is the number of rows on a page, 1 to 100. \`meta.next\` and \`meta.prev\` of a page are the values of \`cursor\` for the next and the previous page.

## Retries

A POST with an \`Idempotency-Key\` takes effect once, however often it is sent.

${errorsSection}`

const introductionOfFrontend = `The browsers and apps of end users call this interface: for sign-up, sign-in, their account and organizations. Servers and scripts use the
**management interface**, which the other document of this reference describes.

## Tenant

The verified domain to which the request was sent, or the header \`x-public-key\`, names the tenant. Pages can call from the tenant's
own domains and from the origins of its redirect URLs.

## Session

Browsers keep the session in cookies that no script can read. Callers without cookies send \`x-session-transport: body\` with every request
that begins or continues a sign-in or sign-up. The response then contains the tokens: \`flowToken\` (send it as \`x-flow-token\` with every
further step), \`sessionToken\` (send it as \`Authorization: Bearer\`) and \`deviceToken\` (send it as \`x-device-token\` at later sign-ins; it identifies a
known device). A JWT of the session as \`Authorization: Bearer\` can only read.

## Responses

A successful response is \`{"status": "success", "data": …}\`.

${errorsSection}`

export const managementInterface: Interface = {
  title: 'Bailiwick',
  description: introductionOfManagement,
  serverUrl: '/api/v0',
  commonErrors: commonErrorCodes,
  security: [{ bearer: [] }, { publicKey: [], secretKey: [] }, { consoleCookie: [] }, {}],
  securitySchemes: {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description:
        "The operator key (op_…), a tenant's secret key (sk_…), an API key (ak_…), the access token of a machine application or the session of an administrator (se_…, or a JWT of the session)",
    },
    publicKey: { type: 'apiKey', in: 'header', name: 'x-public-key' },
    secretKey: { type: 'apiKey', in: 'header', name: 'x-secret-key' },
    consoleCookie: { type: 'apiKey', in: 'cookie', name: '__Host-console' },
  },
}

export const frontendInterface: Interface = {
  title: 'Bailiwick for end users',
  description: introductionOfFrontend,
  serverUrl: '/frontend/api/v0',
  commonErrors: [...commonErrorCodes, ...frontendErrorCodes],
  security: [{ publicKey: [], sessionCookie: [] }, { publicKey: [], bearer: [] }, { publicKey: [] }],
  securitySchemes: {
    publicKey: { type: 'apiKey', in: 'header', name: 'x-public-key' },
    sessionCookie: { type: 'apiKey', in: 'cookie', name: '__Host-sid' },
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description: 'A session token (se_…); a GET also accepts a JWT of the session',
    },
  },
}
