// What companies use: sign-ins through connections of their organizations, and directories.
import type { ResultRow } from '../../results.ts'
import type { World } from '../../world.ts'
import { measureSignIns } from './connection-sign-ins.ts'
import { measureDirectoryList, measureProvisioning } from './directories.ts'
import { withPlace } from './place.ts'

export const measureEnterprise = (world: World): Promise<ResultRow[]> =>
  withPlace(world, async (place) => [...(await measureSignIns(world, place)), await measureDirectoryList(world, place)])

export const measureDirectories = (world: World): Promise<ResultRow[]> =>
  withPlace(world, (place) => measureProvisioning(world, place))
