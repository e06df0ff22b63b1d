// Liveness and readiness, for those who run the service.
import type { FastifyInstance } from 'fastify'
import type { Database } from '../db/database.ts'

export interface Health {
  isHealthPath(url: string | undefined): boolean
  /** From now on not ready: the service is going to stop. */
  drain(): void
  readonly isDraining: boolean
  /** Ends what would never end by itself. */
  stop(): void
  /** Calls `action` at `stop`. */
  onStop(action: () => void): void
  isReady(): Promise<boolean>
}

export function createHealth(db: Database): Health {
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
    async isReady() {
      if (isDraining) return false
      try {
        await db.check()
        return true
      } catch {
        return false
      }
    },
  }
}

export function healthRoutes(app: FastifyInstance, health: Health) {
  app.get('/livez', () => ({ status: 'success' }))
  app.get('/readyz', async (_request, reply) => {
    if (await health.isReady()) return { status: 'success' }
    return reply.code(503).header('retry-after', '2').send({ status: 'error' })
  })
}
