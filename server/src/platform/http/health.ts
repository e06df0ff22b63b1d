// Liveness and readiness, for those who run the service.
import type { FastifyInstance } from 'fastify'
import type { OpenDatabase } from '../db/open.ts'

/** The service is stopping, its database cannot be reached or does not fit, or its disk is full and it only reads. */
export type NotReady = 'stopping' | 'database' | 'read_only'

export interface Health {
  isHealthPath(url: string | undefined): boolean
  /** From now on not ready: the service is going to stop. */
  drain(): void
  readonly isDraining: boolean
  /** Ends what would never end by itself. */
  stop(): void
  /** Calls `action` at `stop`. */
  onStop(action: () => void): void
  /** Returns why no requests should be sent here; undefined where they may. */
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
