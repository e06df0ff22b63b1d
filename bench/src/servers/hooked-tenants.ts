import type { TenantAccess } from '../data/dataset.ts'
import { Worker } from './child-process.ts'
import type { HookedQuestion } from './hooked-tenants-process.ts'

export interface HookServer {
  /** After how many milliseconds it answers each call; null for never. */
  readonly afterMs: number | null
}

export interface Storm {
  readonly port: number
  /** Whose hook decides about each user. */
  readonly tenant: TenantAccess
  readonly hook: { readonly url: string; readonly secret: string }
  readonly perSecond: number
  readonly seconds: number
}

export interface HookedTenants {
  /** Returns the address of a new server. */
  serve(server: HookServer): Promise<string>
  /** Creates users, all of whom have been denied in the end. */
  storm(storm: Storm): Promise<void>
  stop(): Promise<void>
}

export function startHookedTenants(): HookedTenants {
  const worker = new Worker(new URL('hooked-tenants-process.ts', import.meta.url), { PATH: process.env['PATH'] })
  const ask = <Answer>(question: HookedQuestion) => worker.ask<Answer>(question)
  return {
    serve: (server) => ask<string>({ kind: 'serve', ...server }),
    storm: (storm) => ask<void>({ kind: 'storm', ...storm }),
    stop: () => worker.stop(),
  }
}
