// Lets the background work process the bulk rows. A service that has had so many users for long has read and sealed their events; one that
// starts with a million new events would be busy with them for an hour, so it would be neither idle nor undisturbed.
import { fanOutAll } from '@bailiwick/server/src/messaging/webhooks/fan-out.ts'
import { sealAll } from '@bailiwick/server/src/platform/events/sealer.ts'
import { withStoreDeps } from './deps-of-store.ts'
import type { Store } from './store.ts'

/** Call it while no service runs on the store. */
export const catchUp = (store: Store): Promise<void> =>
  withStoreDeps(store, async (deps) => {
    await fanOutAll(deps)
    await sealAll(deps)
  })
