import { frontendEndpoints } from '@bailiwick/contract'
import type { FlowFeature } from '../feature.ts'

/** Anonymous users are rare, so what makes and erases them is loaded when it is first needed. */
export const feature: FlowFeature = {
  name: 'flows/anonymous-users',
  frontend({ deps, handle }) {
    handle(frontendEndpoints.createAnonymousUser, async (call) => {
      const { createAnonymousUser } = await import('./anonymous-users.ts')
      return createAnonymousUser(deps, call)
    })
  },
  loops: (deps) => {
    let erase: (() => Promise<boolean>) | undefined
    const step = async () => {
      erase ??= (await import('./erase-unused.ts')).createEraser(deps)
      return erase()
    }
    return [{ name: 'anonymous-users', pauseMs: 10 * 60_000, share: 0.05, step }]
  },
}
