// The answers of the authorization server to failures that are not the client's fault. Nothing that such a request wrote is kept.
import type { KoaContextWithOIDC } from 'oidc-provider'
import { Unavailable } from '../../platform/unavailable.ts'
import { currentTenancy } from './tenancy.ts'

const retryAfterSeconds = 2

/** Adds to the answer to an error within the engine that the client may try again, if that is so; logs any other error. */
export function markFailed(ctx: KoaContextWithOIDC, error: unknown) {
  const { store, deps } = currentTenancy()
  store.hasFailed = true
  // If the browser goes back to the application, the address says what has happened.
  if (error instanceof Unavailable && ctx.status === 500) {
    ctx.status = 503
    ctx.set('retry-after', String(retryAfterSeconds))
  }
  deps.log.error({ err: error }, 'authorization failed')
}

/** Answers an error that occurred after the engine was done, in place of the engine's answer. */
export function answerFailure(ctx: KoaContextWithOIDC, error: unknown) {
  ctx.remove('set-cookie')
  ctx.remove('location')
  ctx.status = 500
  ctx.type = 'json'
  ctx.set('cache-control', 'no-store')
  ctx.body = { error: 'server_error', error_description: 'the request could not be answered' }
  markFailed(ctx, error)
}
