// The features of this wing: what works on all other features. They stand apart, because they read the list of the others.
import { feature as deployment } from './deployment/feature.ts'
import { feature as eventRetention } from './event-retention/feature.ts'
import type { ServiceFeature } from './features.ts'
import { feature as tenantArchive } from './tenant-archive/feature.ts'
import { feature as tenantLifecycle } from './tenant-lifecycle/feature.ts'

export const ownFeatures: readonly ServiceFeature[] = [deployment, eventRetention, tenantLifecycle, tenantArchive]
