// Which methods a path takes: HEAD wherever it takes GET, and of the others 405 with Allow. The refusals are looked up when the router has
// found nothing: a route for each method that a path does not take would be six times as many routes, 7 MB and time at the start.
import type { FastifyInstance } from 'fastify'
import type { Endpoint } from '@bailiwick/contract'
import { ApiError } from './api-error.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route answers GET but not HEAD: what it sends has no end, or it changes something. */
    withoutHead?: boolean
  }
}

/**
 * Lets every route that takes GET take HEAD too, through the same hooks and the same handler: the status and the headers are those of
 * GET, and Node sends no body. Called before any route is made.
 */
export function answerHead(app: FastifyInstance) {
  app.addHook('onRoute', (route) => {
    const methods = [route.method].flat()
    if (!methods.includes('GET') || methods.includes('HEAD') || route.config?.withoutHead === true) return
    route.method = [...methods, 'HEAD']
  })
}

export type NamedPath = Pick<Endpoint, 'path' | 'method' | 'alsoAs' | 'responseType'> & {
  readonly withoutHead?: boolean
}

/** Of a stream of events, which would have to be opened and never ends, there is nothing to tell beforehand. */
export const isWithoutHead = ({ responseType, withoutHead = false }: Omit<NamedPath, 'path'>) =>
  withoutHead || responseType === 'text/event-stream'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const

interface DeclaredPath {
  /** undefined where anything may stand. */
  readonly segments: readonly (string | undefined)[]
  readonly methods: Set<string>
}

/** Two operations may name one position differently; it is one path. */
function declaredPaths(endpoints: readonly NamedPath[]): DeclaredPath[] {
  const byShape = new Map<string, DeclaredPath>()
  for (const endpoint of endpoints) {
    const { path, method } = endpoint
    const segments = path.split('/').map((part) => (part.startsWith('{') ? undefined : part))
    const shape = segments.join('/')
    const declared = byShape.get(shape) ?? { segments, methods: new Set() }
    for (const each of [method, ...(endpoint.alsoAs ?? [])]) declared.methods.add(each)
    if (method === 'GET' && !isWithoutHead(endpoint)) declared.methods.add('HEAD')
    byShape.set(shape, declared)
  }
  return [...byShape.values()]
}

const matches = ({ segments }: DeclaredPath, asked: readonly (string | undefined)[]) =>
  segments.length === asked.length && segments.every((part, index) => part === undefined || part === asked[index])

const methodNotAllowed = (declared: DeclaredPath, setAllow: (value: string) => void) => {
  setAllow([...declared.methods].join(', '))
  return new ApiError('method_not_allowed')
}

/** Finds what the router has not: gives the refusal of a request whose path exists under another method. */
export interface MethodRefuser {
  (url: string, setAllow: (value: string) => void): ApiError | undefined
}

/** @param prefix what all paths of the operations begin with. */
export function createMethodRefuser(prefix: string, endpoints: readonly NamedPath[]): MethodRefuser {
  const paths = declaredPaths(endpoints)
  return (url, setAllow) => {
    if (!url.startsWith(`${prefix}/`)) return undefined
    const [path = ''] = url.slice(prefix.length).split('?', 1)
    const asked = path.split('/').map(decoded)
    const found = paths.find((each) => matches(each, asked))
    return found && methodNotAllowed(found, setAllow)
  }
}

/** As the router compares it; what cannot be decoded is no literal part of any path. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/**
 * Routes for the few paths that the router would otherwise take for a parameter of another: of `/tenants/members` the methods
 * that only `/tenants/{id}` takes.
 */
export function refuseMethodsOfLiterals(api: FastifyInstance, endpoints: readonly Endpoint[]) {
  const paths = declaredPaths(endpoints)
  for (const declared of paths) {
    const { segments } = declared
    if (!paths.some((other) => other !== declared && matches(other, segments))) continue
    api.route({
      method: methods.filter((method) => !declared.methods.has(method)),
      url: segments.map((part, index) => part ?? `:at${index}`).join('/'),
      onRequest: (_request, reply, done) => {
        done(methodNotAllowed(declared, (allow) => void reply.header('allow', allow)))
      },
      handler: () => undefined,
    })
  }
}
