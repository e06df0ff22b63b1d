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

Every error has a stable \`code\`, a \`message\` for people, the \`requestId\` and, where rules were broken, all of them in \`issues\`, each at the
\`path\` of the value that breaks it. Below, each operation lists the codes that it can answer. 429 and 503 say in \`Retry-After\` when to try again.`

const introductionOfManagement = `Multi-tenant identity: tenants, their users, roles, organizations, sign-in rules and brand. This interface is for your servers, scripts
and the console. What end users' browsers and apps call is the **frontend interface**, the other document of this reference.

## Credentials

- The operator key \`op_…\`, as \`Authorization: Bearer\`, may do everything.
- The secret key of a tenant \`sk_…\`, as \`Authorization: Bearer\` or in \`x-public-key\` and \`x-secret-key\`, may do everything in its tenant.
- An API key \`ak_…\`, as \`Authorization: Bearer\`, may do what its scopes say.
- The access token of a machine application, as \`Authorization: Bearer\`, may do what its scopes say. The application gets it from the token
  endpoint of its tenant by \`client_credentials\` with this interface's address as \`resource\`.
- The session of a console user, in a cookie or as \`Authorization: Bearer\`, may do what the user's flags in each tenant say.

In the development deployment a call from this machine needs none.

## Lists

Lists are newest first. \`perPage\` says how many rows a page has, 1 to 100; \`meta.next\` and \`meta.prev\` of a page are the \`cursor\` of its neighbours.

## Trying again

A POST with an \`Idempotency-Key\` takes effect once, however often it is sent.

${errorsSection}`

const introductionOfFrontend = `What end users' browsers and apps call: sign-up, sign-in, their account and organizations. Servers and scripts use the
**management interface**, the other document of this reference.

## Tenant

The tenant comes from the verified domain that the request was sent to, or from the header \`x-public-key\`. Pages may call from the tenant's
own domains and redirect addresses.

## Session

Browsers are signed in by cookies that no script can read. Callers without a cookie jar send \`x-session-transport: body\` with every request
that begins or continues a sign-in or sign-up; what would be cookies is then in the answer: \`flowToken\` (sent back as \`x-flow-token\` with every
further step), \`sessionToken\` (sent back as \`Authorization: Bearer\`) and \`deviceToken\` (sent back as \`x-device-token\` at later sign-ins, it tells a
known device). A JWT of the session as \`Authorization: Bearer\` reads, and changes nothing.

## Answers

A success is \`{"status": "success", "data": …}\`.

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
        "The operator key (op_…), a tenant's secret key (sk_…), an API key (ak_…), the access token of a machine application or a console user's session (se_…, or a JWT that was made for it)",
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
      description: 'A session token (se_…); for GET also a JWT of the session',
    },
  },
}
