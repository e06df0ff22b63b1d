// ⌘K: goes to a screen, a tenant, a user or a pasted id, and runs the actions of the open screen.
import { useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { Autocomplete, Header, Input, Menu, MenuItem, MenuSection, SearchField } from 'react-aria-components'
import { useOperation } from '../api/use-operation.ts'
import { Icon } from '../parts/icon.tsx'
import { useActionsOfPage } from '../parts/page-actions.ts'
import { groups } from '../screens/screen.ts'
import { screens } from '../screens/screens.ts'
import { rightOf } from '../session/rights.ts'
import { useSession } from '../session/session.tsx'
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

/** In the order of the sidebar. */
const orderedScreens = screens.toSorted((one, two) => groups.indexOf(one.group) - groups.indexOf(two.group))

const foundMax = '5'
const isId = (text: string) => /^c[0-9a-z]{24}$/.test(text)

const includes = (query: string) => {
  const wanted = query.toLowerCase()
  return ({ title }: Entry) => title.toLowerCase().includes(wanted)
}

function useSections(query: string, close: () => void): readonly Section[] {
  const session = useSession()
  const navigate = useNavigate()
  const { tenantId } = useParams({ strict: false }) as { readonly tenantId?: string }
  const tenant = useTenantOfAddress(tenantId)
  const actions = useActionsOfPage()
  const go = (to: string) => () => {
    close()
    void navigate({ to })
  }
  const mayRead = tenant !== undefined && rightOf('users:read', session, tenant).isAllowed
  const { data: users } = useOperation(
    'listUsers',
    { query: { tenantId: tenantId ?? '', query, perPage: foundMax } },
    { enabled: mayRead && query.length > 1, keepsLast: true },
  )
  const mayReadOrganizations = tenant !== undefined && rightOf('organizations:read', session, tenant).isAllowed
  const seeksOrganizations = mayReadOrganizations && query.length > 1
  const { data: organizations } = useOperation(
    'listOrganizations',
    { params: { tenantId: tenantId ?? '' }, query: { query, perPage: foundMax } },
    { enabled: seeksOrganizations, keepsLast: true },
  )
  const { data: tenants } = useOperation(
    'listOwnTenants',
    { query: { perPage: foundMax, ...(query === '' ? {} : { query }) } },
    { keepsLast: true },
  )
  const ofScreens = orderedScreens
    .filter(({ path, permission }) => {
      const isOfTenant = !path.startsWith('/')
      if (path.includes('$') || (isOfTenant && tenant === undefined)) return false
      return rightOf(permission, session, tenant).isAllowed
    })
    .map(({ path, title }) => ({
      key: `screen:${path}`,
      title,
      run: go(path.startsWith('/') ? path : `/t/${tenantId}${path === '' ? '' : `/${path}`}`),
    }))
  const pasted: Entry[] =
    isId(query) && tenantId !== undefined
      ? [
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
      : []
  const ofTenants = (tenants?.data ?? []).map(({ id, name, slug }) => ({
    key: `tenant:${id}`,
    title: name,
    detail: slug,
    run: go(`/t/${id}`),
  }))
  const ofUsers = (mayRead && query.length > 1 ? (users?.data ?? []) : []).map((user) => ({
    key: `user:${user.id}`,
    title: user.name ?? user.emailAddresses[0]?.email ?? user.username ?? user.id,
    detail: user.emailAddresses[0]?.email ?? '',
    run: go(`/t/${tenantId}/users/${user.id}`),
  }))
  const ofOrganizations = (seeksOrganizations ? (organizations?.data ?? []) : []).map(({ id, name, slug }) => ({
    key: `organization:${id}`,
    title: name,
    detail: slug,
    run: go(`/t/${tenantId}/organizations/${id}`),
  }))
  const onPage = actions.map(({ title, run }) => ({
    key: `action:${title}`,
    title,
    run: () => {
      close()
      run()
    },
  }))
  return [
    { title: 'On this page', entries: onPage.filter(includes(query)) },
    { title: 'By ID', entries: pasted },
    { title: 'Go to', entries: ofScreens.filter(includes(query)) },
    { title: 'Users', entries: ofUsers },
    { title: 'Organizations', entries: ofOrganizations },
    { title: 'Tenants', entries: ofTenants },
  ].filter(({ entries }) => entries.length > 0)
}

export function Palette({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [text, setText] = useState('')
  const sections = useSections(text.trim(), () => dialog.current?.close())
  useEffect(() => dialog.current?.showModal(), [])
  const run = (key: string) =>
    sections
      .flatMap(({ entries }) => entries)
      .find((each) => each.key === key)
      ?.run()
  return (
    <dialog ref={dialog} className="dialog palette" aria-label="Search and commands" onClose={onClose}>
      <Autocomplete inputValue={text} onInputChange={setText}>
        <SearchField
          aria-label="Search for screens, users, organizations, tenants or an id"
          autoFocus
          className="search"
        >
          <Icon name="search" />
          <Input placeholder="Search for screens, users, organizations or an id" maxLength={256} />
        </SearchField>
        <Menu
          aria-label="Results"
          className="palette-list"
          onAction={(key) => run(String(key))}
          renderEmptyState={() => <p className="quiet">Nothing matches.</p>}
        >
          {sections.map(({ title, entries }) => (
            <MenuSection key={title}>
              <Header>{title}</Header>
              {entries.map(({ key, title: name, detail }) => (
                <MenuItem key={key} id={key} textValue={name} className="palette-item">
                  <span className="cut">{name}</span>
                  {detail === undefined ? null : <span className="quiet cut">{detail}</span>}
                </MenuItem>
              ))}
            </MenuSection>
          ))}
        </Menu>
      </Autocomplete>
    </dialog>
  )
}
