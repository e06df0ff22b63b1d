// The steps of a request through each interface. A step sets something of the call or refuses the request; then no later step runs. So the
// order decides what a caller learns: whether it may call before what is wrong with its input, and both before what exists.
import { isList } from '@bailiwick/contract'
import type { FastifyInstance } from 'fastify'
import { applicationByJwtFinder, isForManagement } from '../applications/engine/tokens/machine-principal.ts'
import { managementChallenge } from '../applications/engine/tokens/protected-resource.ts'
import { type ScimSteps, createScimSteps } from '../enterprise/scim/http/steps.ts'
import { consoleUserByJwtFinder } from '../flows/console-user/console-jwt.ts'
import { consoleUserFinder } from '../flows/console-user/console-principal.ts'
import { createFrontendLimits } from '../flows/frontend/frontend-limits.ts'
import { type FrontendInterface, createFrontend, createFrontendSteps } from '../flows/frontend/frontend-steps.ts'
import type { Deps } from '../identity/deps.ts'
import { createImageDelivery, createImageSteps } from '../media/delivery/delivery-steps.ts'
import type { Binary } from '../media/routes.ts'
import { createUploadSteps } from '../media/uploads/content-steps.ts'
import { createUploadLimits } from '../media/uploads/upload-limits.ts'
import { fromReplica } from '../platform/db/postgresql/read-replica.ts'
import { ApiError } from '../platform/http/api-error.ts'
import { type Authenticator, createAuthenticator } from '../platform/http/credentials/authenticate.ts'
import { createRequestLimits } from '../platform/http/limits/request-limits.ts'
import {
  type AnyCall,
  type Management,
  createManagement,
  createManagementSteps,
} from '../platform/http/management-steps.ts'
import { type Operation, run, send } from '../platform/http/pipeline.ts'
import type { Idempotency } from '../platform/idempotency/idempotency.ts'
import { once } from '../platform/idempotency/once.ts'
import { createApiKeyFinder } from '../tenancy/api-keys/api-key-principal.ts'
import { msAheadAt } from '../tenancy/test-mode/test-mode.ts'

/** The step `run`, which lets lists read from the replica. */
const runOrList = (call: AnyCall, operation: Operation<AnyCall>) =>
  isList(operation.endpoint) ? fromReplica(() => run(call, operation)) : run(call, operation)

/** Finds who calls the management interface: a tenant's server by a key, a console user, or an application by its token. */
function buildAuthenticator(app: FastifyInstance, deps: Deps): Authenticator {
  const apiKeys = createApiKeyFinder(deps)
  app.addHook('onClose', () => apiKeys.settle())
  const findConsoleUserByJwt = consoleUserByJwtFinder(deps)
  const findApplication = applicationByJwtFinder(deps)
  return createAuthenticator(deps.config, {
    findSecretKey: deps.tenants.bySecretKey,
    findApiKey: apiKeys.find,
    findConsoleUser: consoleUserFinder(deps),
    findByJwt: (token, beforeLookUp) =>
      (isForManagement(deps, token) ? findApplication : findConsoleUserByJwt)(token, beforeLookUp),
  })
}

/** What tenants' servers and the console call: a credential that is present must be valid, and decides which tenants the caller can see. */
export function buildManagement(app: FastifyInstance, deps: Deps, idempotency: Idempotency): Management {
  const { config, clock, db } = deps
  const identify = buildAuthenticator(app, deps)
  const limits = createRequestLimits(config, clock)
  const challenge = managementChallenge(config)
  const { authenticate, limit, refuseOutright, expectBody, parse, locate, authorize, present } = createManagementSteps({
    db,
    identify,
    limits,
    msAheadAt: (tenantId) => msAheadAt(deps, tenantId),
  })
  return createManagement(app, identify, {
    beforeBody: [authenticate, limit, refuseOutright, expectBody],
    afterBody: [parse, once(idempotency, authorize, [locate, authorize, runOrList, present]), send],
    refused: ({ request, reply }, error) => {
      limits.refused(request, error)
      if (error instanceof ApiError && error.code === 'unauthenticated') reply.header('www-authenticate', challenge)
    },
  })
}

/** What end users' browsers and apps call: the request names the tenant, and a session decides what the caller may do. */
export function buildFrontend(deps: Deps): FrontendInterface {
  const limits = createFrontendLimits(deps)
  const steps = createFrontendSteps(deps, limits)
  const { limit, locate, admitOrigin, authenticate, authorize, refuseForgery, limitUser, parse, check, present } = steps
  return createFrontend(deps, limits, {
    beforeBody: [limit, locate, admitOrigin, authenticate, authorize, refuseForgery, limitUser],
    afterBody: [parse, run, present, send],
    inProcess: [limit, authorize, limitUser, check, run],
  })
}

/** What receives the bytes of uploads and shows images: the address is the credential. */
export function buildBinary(deps: Deps): Binary {
  const limits = createUploadLimits(deps)
  const upload = createUploadSteps(deps, limits)
  const delivery = createImageDelivery(deps)
  const image = createImageSteps(deps, delivery)
  return {
    limits,
    uploadSteps: {
      beforeBody: [upload.allowAnyOrigin, upload.expectBody],
      afterBody: [
        upload.limit,
        upload.authenticate,
        upload.limitUpload,
        upload.checkHeaders,
        upload.authorize,
        run,
        upload.present,
        send,
      ],
    },
    delivery,
    imageSteps: {
      beforeBody: [image.limit],
      afterBody: [image.parse, image.locate, image.authorize, run, image.send],
    },
  }
}

/** What directories of organizations call: the token alone says for which connection. */
export function buildScim(deps: Deps): ScimSteps {
  const { authenticate, limit, parse, run: operate, record, send: answer, refused } = createScimSteps(deps)
  return { beforeBody: [authenticate, limit], afterBody: [parse, operate, record, answer], refused }
}
