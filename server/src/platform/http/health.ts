// Liveness and readiness, for operators.
import type { FastifyInstance } from 'fastify'
import type { OpenDatabase } from '../db/open.ts'

/** The service is stopping, its database cannot be reached or does not match, or its disk is full and it can only read. */
export type NotReady = 'stopping' | 'database' | 'read_only'

export interface Health {
  isHealthPath(url: string | undefined): boolean
  /** Makes the service not ready, because it is about to stop. */
  drain(): void
  readonly isDraining: boolean
  /** Ends requests that would never end by themselves. */
  stop(): void
  /** Registers an action for `stop`. */
  onStop(action: () => void): void
  /** Returns why no requests should be sent here, or undefined if they may be. */
  notReady(): Promise<NotReady | undefined>
}

export function createHealth(db: Pick<OpenDatabase, 'check' | 'readOnlyReason'>): Health {
  let isDraining = false
  const actions: (() => void)[] = []
  return {
    isHealthPath: (url = '') => /^\/(?:livez|readyz)(?:\?|$)/.test(url),
    drain() {
      isDraining = true
    },
    get isDraining() {
      return isDraining
    },
    stop() {
      for (const action of actions) action()
    },
    onStop(action) {
      actions.push(action)
    },
    async notReady() {
      if (isDraining) return 'stopping'
      try {
        await db.check()
        return undefined
      } catch {
        return db.readOnlyReason === undefined ? 'database' : 'read_only'
      }
    },
  }
}

export function healthRoutes(app: FastifyInstance, health: Health) {
  app.get('/livez', () => ({ status: 'success' }))
  app.get('/readyz', async (_request, reply) => {
    const reason = await health.notReady()
    if (reason === undefined) return { status: 'success' }
    return reply.code(503).header('retry-after', '2').send({ status: 'error', reason })
  })
}
