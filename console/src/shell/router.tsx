// The routes, made from the list of screens. Each screen is loaded when it is first opened.
import {
  Outlet,
  type RouteComponent,
  createRootRoute,
  createRoute,
  createRouter,
  useParams,
} from '@tanstack/react-router'
import { Suspense, lazy } from 'react'
import { NotLoaded, isOfLoading } from '../parts/not-loaded.tsx'
import { Loading, NotFound, Problem } from '../parts/states.tsx'
import type { Screen } from '../screens/screen.ts'
import { screens } from '../screens/screens.ts'
import { TenantGate, useTenant } from '../session/tenant.tsx'
import { Layout } from './layout.tsx'
import { ScreenGate } from './screen-gate.tsx'

const root = createRootRoute({ component: Layout, notFoundComponent: () => <NotFound /> })

function TenantRoute() {
  const { tenantId = '' } = useParams({ strict: false }) as { readonly tenantId?: string }
  return (
    <TenantGate key={tenantId} id={tenantId}>
      <ClockNote />
      <Outlet />
    </TenantGate>
  )
}

const MovedClock = lazy(async () => ({ default: (await import('./moved-clock.tsx')).MovedClock }))

/** Only tenants of this environment have a clock of their own. */
function ClockNote() {
  if (useTenant().environment !== 'development') return null
  return (
    <Suspense>
      <MovedClock />
    </Suspense>
  )
}

const tenantRoute = createRoute({ getParentRoute: () => root, path: 't/$tenantId', component: TenantRoute })

/** A route whose screen is shown only to users who may see it. */
function componentOf({ load, permission }: Screen): RouteComponent {
  const importer = async () => ({ default: await load() })
  const Lazy = lazy(importer)
  const Gated = () => (
    <ScreenGate permission={permission}>
      <Lazy />
    </ScreenGate>
  )
  // The router uses the component and `preload` only.
  return Object.assign(Gated, { preload: importer }) as unknown as RouteComponent
}

const isOfTenant = ({ path }: Screen) => !path.startsWith('/')

const routeOf = (screen: Screen, parent: typeof root | typeof tenantRoute) =>
  createRoute({
    getParentRoute: () => parent as typeof root,
    path: screen.path === '' ? '/' : screen.path,
    component: componentOf(screen),
  })

const ofTenants = screens.filter(isOfTenant).map((screen) => routeOf(screen, tenantRoute))
const others = screens.filter((screen) => !isOfTenant(screen)).map((screen) => routeOf(screen, root))

export const router = createRouter({
  routeTree: root.addChildren([tenantRoute.addChildren(ofTenants), ...others]),
  basepath: '/console',
  defaultPreload: 'intent',
  defaultPendingMs: 300,
  defaultPendingComponent: () => <Loading />,
  defaultErrorComponent: ({ error, reset }) =>
    isOfLoading(error) ? <NotLoaded /> : <Problem error={error} onRetry={reset} />,
  parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (values) => {
    const search = new URLSearchParams(values as Record<string, string>).toString()
    return search === '' ? '' : `?${search}`
  },
})
