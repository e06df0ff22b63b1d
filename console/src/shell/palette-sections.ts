// What the palette finds for a text: actions of the open screen, screens, users, organizations and tenants.
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useOperation } from '../api/use-operation.ts'
import { useActionsOfPage } from '../parts/page-actions.ts'
import { groups } from '../screens/screen.ts'
import { screens } from '../screens/screens.ts'
import { docsAddress } from '../session/docs-link.tsx'
import { rightOf } from '../session/rights.ts'
import { useSession } from '../session/session.tsx'
import type { CurrentTenant } from '../session/tenant.tsx'
import { isNamed, findWords } from './palette-words.ts'
import { useTenantOfAddress } from './tenant-of-address.ts'

interface Entry {
  readonly key: string
  readonly title: string
  readonly detail?: string
  readonly run: () => void
}

interface Section {
  readonly title: string
  readonly entries: readonly Entry[]
}

/** Where the palette was opened, and the way on from there. */
interface Place {
  readonly tenantId: string | undefined
  readonly tenant: CurrentTenant | undefined
  readonly go: (to: string) => () => void
}

/** In the order of the sidebar. */
const orderedScreens = screens.toSorted((one, two) => groups.indexOf(one.group) - groups.indexOf(two.group))

const foundMax = '5'
const isId = (text: string) => /^c[0-9a-z]{24}$/.test(text)

const settingsMax = 8

/** The screens that the user may open. */
function useScreens(query: string, { tenantId, tenant, go }: Place): Entry[] {
  const session = useSession()
  return orderedScreens
    .filter(({ path, title, permission }) => {
      const isOfTenant = !path.startsWith('/')
      if (!isNamed(query, title, findWords(path))) return false
      if (path.includes('$') || (isOfTenant && tenant === undefined)) return false
      return rightOf(permission, session, tenant).isAllowed
    })
    .map(({ path, title }) => ({
      key: `screen:${path}`,
      title,
      run: go(path.startsWith('/') ? path : `/t/${tenantId}${path === '' ? '' : `/${path}`}`),
    }))
}

/** The sign-in rules that the text names, each on its tab. */
function useSettings(query: string, { tenantId, tenant, go }: Place): Entry[] {
  const session = useSession()
  const seeks = query.length > 1 && tenant !== undefined && rightOf('config:read', session, tenant).isAllowed
  const { data } = useQuery({
    queryKey: ['palette-settings'],
    queryFn: () => import('./palette-settings.ts'),
    enabled: seeks,
    staleTime: Infinity,
  })
  if (!seeks || data === undefined) return []
  return data
    .settingsNamed(query)
    .slice(0, settingsMax)
    .map(({ name, label, tab, question }) => ({
      key: `setting:${name}`,
      title: label,
      detail: question,
      run: go(`/t/${tenantId}/sign-in-rules?tab=${tab}`),
    }))
}

function useUsers(query: string, { tenantId, tenant, go }: Place): Entry[] {
  const session = useSession()
  const seeks = tenant !== undefined && rightOf('users:read', session, tenant).isAllowed && query.length > 1
  const { data: users } = useOperation(
    'listUsers',
    { query: { tenantId: tenantId ?? '', query, perPage: foundMax } },
    { enabled: seeks, keepsLast: true },
  )
  return (seeks ? (users?.data ?? []) : []).map((user) => ({
    key: `user:${user.id}`,
    title: user.name ?? user.emailAddresses[0]?.email ?? user.username ?? user.id,
    detail: user.emailAddresses[0]?.email ?? '',
    run: go(`/t/${tenantId}/users/${user.id}`),
  }))
}

function useOrganizations(query: string, { tenantId, tenant, go }: Place): Entry[] {
  const session = useSession()
  const seeks = tenant !== undefined && rightOf('organizations:read', session, tenant).isAllowed && query.length > 1
  const { data: organizations } = useOperation(
    'listOrganizations',
    { params: { tenantId: tenantId ?? '' }, query: { query, perPage: foundMax } },
    { enabled: seeks, keepsLast: true },
  )
  return (seeks ? (organizations?.data ?? []) : []).map(({ id, name, slug }) => ({
    key: `organization:${id}`,
    title: name,
    detail: slug,
    run: go(`/t/${tenantId}/organizations/${id}`),
  }))
}

function useTenants(query: string, { go }: Place): Entry[] {
  const { data: tenants } = useOperation(
    'listOwnTenants',
    { query: { perPage: foundMax, ...(query === '' ? {} : { query }) } },
    { keepsLast: true },
  )
  return (tenants?.data ?? []).map(({ id, name, slug }) => ({
    key: `tenant:${id}`,
    title: name,
    detail: slug,
    run: go(`/t/${id}`),
  }))
}

/** What an id that was pasted may be of. */
function entriesById(query: string, { tenantId, go }: Place): Entry[] {
  if (!isId(query) || tenantId === undefined) return []
  return [
    {
      key: `id:user:${query}`,
      title: 'Open the user with this ID',
      detail: query,
      run: go(`/t/${tenantId}/users/${query}`),
    },
    {
      key: `id:org:${query}`,
      title: 'Open the organization with this ID',
      detail: query,
      run: go(`/t/${tenantId}/organizations/${query}`),
    },
  ]
}

export function useSections(query: string, close: () => void): readonly Section[] {
  const navigate = useNavigate()
  const { tenantId } = useParams({ strict: false }) as { readonly tenantId?: string }
  const run = (action: () => void) => () => {
    close()
    action()
  }
  const go = (to: string) => run(() => void navigate({ to }))
  const place = { tenantId, tenant: useTenantOfAddress(tenantId), go }
  const actions = useActionsOfPage().map(({ title, run: act }) => ({ key: `action:${title}`, title, run: run(act) }))
  const page = (title: string, path: string) => ({
    key: path,
    title,
    run: run(() => void open(docsAddress(path, tenantId))),
  })
  const pages = [
    ...(isNamed(query, 'API reference', 'docs openapi rest sdk') ? [page('API reference', 'reference/')] : []),
    page(`Search the docs for “${query}”`, `#search=${encodeURIComponent(query)}`),
  ]
  return [
    { title: 'On this page', entries: actions.filter(({ title }) => isNamed(query, title)) },
    { title: 'By ID', entries: entriesById(query, place) },
    { title: 'Go to', entries: useScreens(query, place) },
    { title: 'Sign-in rules', entries: useSettings(query, place) },
    { title: 'Users', entries: useUsers(query, place) },
    { title: 'Organizations', entries: useOrganizations(query, place) },
    { title: 'Tenants', entries: useTenants(query, place) },
    { title: 'Documents', entries: query.length < 2 ? [] : pages },
  ].filter(({ entries }) => entries.length > 0)
}
