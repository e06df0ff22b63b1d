// All measures by name, in the order in which they are taken: starts come before any service is left running.
import { measureApplications } from './measures/applications.ts'
import { measureCitus } from './measures/citus.ts'
import { measureClaims } from './measures/claims.ts'
import { measureHooks } from './measures/hooks.ts'
import { measureHostile } from './measures/hostile.ts'
import { measureImages } from './measures/images.ts'
import { measurePages } from './measures/pages.ts'
import { measureDirectories, measureEnterprise } from './measures/people/enterprise.ts'
import { measureSignUps } from './measures/people/sign-ups.ts'
import { measureMemory, measureStart } from './measures/process.ts'
import { measureProcesses } from './measures/processes.ts'
import { measureLists, measureLookUp, measureSearch } from './measures/reads.ts'
import { measureScale } from './measures/scale.ts'
import { measureSealing } from './measures/sealing.ts'
import { measureSessions } from './measures/sessions.ts'
import { measureStoredSessions } from './measures/stored-sessions.ts'
import { measureTemplates } from './measures/templates.ts'
import { measureTenants, measureUsers } from './measures/writes.ts'
import type { ResultRow } from './results.ts'
import type { MeasureName } from './settings.ts'
import type { World } from './world.ts'

export const measures: Readonly<Record<MeasureName, (world: World) => Promise<ResultRow[]>>> = {
  start: measureStart,
  'look-up': measureLookUp,
  list: measureLists,
  search: measureSearch,
  users: measureUsers,
  tenants: measureTenants,
  sessions: measureSessions,
  'stored-sessions': measureStoredSessions,
  processes: measureProcesses,
  citus: measureCitus,
  claims: measureClaims,
  pages: measurePages,
  applications: measureApplications,
  images: measureImages,
  scale: measureScale,
  enterprise: measureEnterprise,
  'sign-ups': measureSignUps,
  memory: measureMemory,
  // They come last, so that the data that they leave behind affects no other figure.
  hostile: measureHostile,
  sealing: measureSealing,
  templates: measureTemplates,
  hooks: measureHooks,
  directories: measureDirectories,
}
