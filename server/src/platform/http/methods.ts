// Handles methods that a path does not take: HEAD works wherever GET does; others get 405 with Allow. Refusals are looked up after the
// router has found nothing, because adding a route for each refused method would mean six times as many routes, 7 MB and time at the start.
import type { Endpoint } from '@bailiwick/contract'
import type { FastifyInstance } from 'fastify'
import { ApiError } from './api-error.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route answers GET but not HEAD, because its answer never ends or it changes something. */
    withoutHead?: boolean
  }
}

/**
 * Makes every GET route take HEAD too, through the same hooks and handler: status and headers are those of GET, and Node sends no body.
 * Must be called before routes are added.
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

/** Whether HEAD is not offered. A stream of events never ends and would have to be opened to know its headers. */
export const isWithoutHead = ({ responseType, withoutHead = false }: Omit<NamedPath, 'path'>) =>
  withoutHead || responseType === 'text/event-stream'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const

interface DeclaredPath {
  /** A segment is undefined if any text may be there. */
  readonly segments: readonly (string | undefined)[]
  readonly methods: Set<string>
}

/** Merges operations on the same path, even if they name its parameters differently. */
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

/** Returns the refusal for a request whose path exists with another method, or undefined. */
export interface MethodRefuser {
  (url: string, setAllow: (value: string) => void): ApiError | undefined
}

/** @param prefix the beginning of all operations' paths. */
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

/** Decodes a segment as the router does; one that cannot be decoded matches no literal. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/**
 * Adds routes for the few paths that the router would otherwise match with another path's parameter: for `/tenants/members`, the methods
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
