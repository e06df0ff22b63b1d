// A page: a method, a path below the root of the tenant's pages, and what loads its handler.
import type { PageCall } from './page-call.ts'

export type PageHandler = (page: PageCall) => unknown

export interface PageRoute {
  readonly method: 'GET' | 'POST'
  /** Below the root of the tenant's pages. */
  readonly path: string
  readonly load: () => Promise<PageHandler>
  /** Whether its form contains a file, which only a signed-in user may send. */
  readonly takesFile?: boolean
}

export const get = (path: string, load: PageRoute['load']): PageRoute => ({ method: 'GET', path, load })
export const post = (path: string, load: PageRoute['load']): PageRoute => ({ method: 'POST', path, load })
