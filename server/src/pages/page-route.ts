// What a page is: a method, a path below the root of the tenant's pages, and what answers it.
import type { PageCall } from './page-call.ts'

export type PageHandler = (page: PageCall) => unknown

export interface PageRoute {
  readonly method: 'GET' | 'POST'
  /** Below the root of the tenant's pages. */
  readonly path: string
  readonly handler: PageHandler
  /** Whether its form brings a file. Only somebody who is signed in may send one. */
  readonly takesFile?: boolean
}
