// Finds the principal of a request by its headers. A credential that is present must be valid: a bad one is never ignored in favour of
// another, or of the development deployment's loopback rule.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { tokenPrefixes } from '@bailiwick/contract'
import type { Config } from '../../config.ts'
import { hasValidChecksum, hashToken, isEqual, tenantInToken } from '../../crypto/tokens.ts'
import type { TenantId } from '../../ids.ts'
import { type MaybePromise, whenReady } from '../../maybe-promise.ts'
import { ApiError } from '../api-error.ts'
import { bearerToken, isJwt } from './bearer-token.ts'
import { consoleCookies, isFromOwnPage } from './console-cookie.ts'
import { isLoopbackCaller } from './loopback.ts'
import {
  type ApiKeyPrincipal,
  type ApplicationPrincipal,
  type ConsoleUser,
  type Principal,
  operator,
} from './principal.ts'

/** Called before the database is asked; an error that it throws becomes the answer. */
export type BeforeLookUp = () => void

/** Finds the tenant of a live secret key by the key's hash, and by the public key if one was sent with it. */
export type FindSecretKey = (
  hash: string,
  publicKey: string | undefined,
  beforeLookUp?: BeforeLookUp,
) => MaybePromise<TenantId | undefined>

/**
 * Finds a live API key by its hash.
 * @param tenantId the tenant that the key names; keys of versions before name none.
 */
export type FindApiKey = (
  hash: string,
  beforeLookUp?: BeforeLookUp,
  tenantId?: string,
) => MaybePromise<ApiKeyPrincipal | undefined>

/** Finds the user who is signed in to the console, by the hash of a session token or by a JWT of the session. */
export type FindConsoleUser = (hashOrJwt: string, beforeLookUp?: BeforeLookUp) => MaybePromise<ConsoleUser | undefined>

/** Finds the console user or the machine application that a JWT was made for. */
export type FindByJwt = (
  token: string,
  beforeLookUp?: BeforeLookUp,
) => MaybePromise<ConsoleUser | ApplicationPrincipal | undefined>

export interface Authenticator {
  (request: IncomingMessage, beforeLookUp?: BeforeLookUp): MaybePromise<Principal>
}

interface Credential {
  readonly token: string
  readonly publicKey: string | undefined
}

const unauthenticated = () => new ApiError('unauthenticated')

/** Returns the credential in the headers. Two credentials, or one that cannot be read, are refused. */
function credentialOf(headers: IncomingHttpHeaders): Credential | undefined {
  const { authorization } = headers
  const publicKey = headers['x-public-key']
  const secretKey = headers['x-secret-key']
  if (authorization !== undefined) {
    const token = bearerToken(authorization)
    if (token === undefined || secretKey !== undefined || Array.isArray(publicKey)) throw unauthenticated()
    return { token, publicKey }
  }
  if (secretKey === undefined && publicKey === undefined) return undefined
  if (typeof secretKey !== 'string' || typeof publicKey !== 'string') throw unauthenticated()
  return { token: secretKey, publicKey }
}

/** Returns the session that a cookie names, if there is a cookie. Two, or one that cannot be read, are refused. */
function cookieOf(headers: IncomingHttpHeaders): string | undefined {
  const [value, another] = consoleCookies(headers.cookie)
  if (value === undefined) return undefined
  if (another !== undefined || !isSessionToken(value)) throw unauthenticated()
  return value
}

const isSessionToken = (token: string) => token.startsWith(tokenPrefixes.session) && hasValidChecksum(token)

export interface CredentialSources {
  readonly findSecretKey: FindSecretKey
  readonly findApiKey: FindApiKey
  readonly findConsoleUser: FindConsoleUser
  readonly findByJwt: FindByJwt
}

/** Returns the principal that was found. */
function known(found: ConsoleUser | ApiKeyPrincipal | ApplicationPrincipal | undefined): Principal {
  if (found === undefined) throw unauthenticated()
  return found
}

function secretKeyPrincipal(tenantId: TenantId | undefined): Principal {
  if (tenantId === undefined) throw unauthenticated()
  return { type: 'secret_key', tenantId }
}

type FindByToken = (credential: Credential, beforeLookUp?: BeforeLookUp) => MaybePromise<Principal>

/** Returns what finds the principal of a key, a session token or a JWT by the kind of the token. */
function findByToken(
  operatorKey: Config['operatorKey'],
  { findSecretKey, findApiKey, findConsoleUser, findByJwt }: CredentialSources,
): FindByToken {
  const operatorHash = operatorKey === undefined ? undefined : hashToken(operatorKey.reveal())
  return ({ token, publicKey }, beforeLookUp) => {
    if (isJwt(token)) {
      if (publicKey !== undefined) throw unauthenticated()
      return whenReady(findByJwt(token, beforeLookUp), known)
    }
    if (token.startsWith(tokenPrefixes.session)) {
      if (publicKey !== undefined || !isSessionToken(token)) throw unauthenticated()
      return whenReady(findConsoleUser(hashToken(token), beforeLookUp), known)
    }
    const hash = hashToken(token)
    if (token.startsWith(tokenPrefixes.operatorKey)) {
      if (operatorHash !== undefined && publicKey === undefined && isEqual(hash, operatorHash)) return operator
      throw unauthenticated()
    }
    if (token.startsWith(tokenPrefixes.apiKey)) {
      if (publicKey !== undefined || !hasValidChecksum(token)) throw unauthenticated()
      return whenReady(findApiKey(hash, beforeLookUp, tenantInToken(token)), known)
    }
    if (!token.startsWith(tokenPrefixes.secretKey) || !hasValidChecksum(token)) throw unauthenticated()
    return whenReady(findSecretKey(hash, publicKey, beforeLookUp), secretKeyPrincipal)
  }
}

export function createAuthenticator(config: Config, sources: CredentialSources): Authenticator {
  const isDevelopment = config.env === 'development'
  const ownOrigin = new URL(config.baseUrl).origin
  const findPrincipal = findByToken(config.operatorKey, sources)

  const withoutHeader = (
    request: IncomingMessage,
    isOwnOrigin: (origin: string) => boolean,
    beforeLookUp?: BeforeLookUp,
  ) => {
    const token = cookieOf(request.headers)
    if (token !== undefined) {
      if (!isFromOwnPage(request, isOwnOrigin)) {
        throw new ApiError('forbidden', {
          detail: 'A request that changes data with a console session must come from the pages of the console.',
        })
      }
      return whenReady(sources.findConsoleUser(hashToken(token), beforeLookUp), known)
    }
    if (isDevelopment && isLoopbackCaller(request)) return operator
    throw unauthenticated()
  }

  return (request, beforeLookUp) => {
    const { headers } = request
    // The development deployment accepts any host name and port that lead to it.
    const isOwnOrigin = (origin: string) =>
      origin === ownOrigin || (isDevelopment && origin === `http://${headers.host ?? ''}`)
    const credential = credentialOf(headers)
    if (credential === undefined) return withoutHeader(request, isOwnOrigin, beforeLookUp)
    // Keys belong to servers. A browser that sends one has leaked it, or shows a page that misuses it.
    const { origin } = headers
    if (origin !== undefined && !isOwnOrigin(origin)) {
      throw new ApiError('forbidden', { detail: 'A request with a key must not come from a page of another origin.' })
    }
    return findPrincipal(credential, beforeLookUp)
  }
}
