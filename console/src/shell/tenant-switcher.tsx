// The tenant that is open, and the way to another one. It shows the newest tenants, and finds all others by the text that is typed.
import { Link } from '@tanstack/react-router'
import { useEffect, useId, useRef, useState } from 'react'
import { useOperation } from '../api/use-operation.ts'
import { Icon } from '../parts/icon.tsx'
import { Mark } from '../parts/mark.tsx'
import { locale } from '../texts/translate.ts'
import { EnvironmentBadge } from '../values/badge.tsx'
import { useTenantOfAddress } from './tenant-of-address.ts'

const shownMax = '10'

export function TenantSwitcher({ tenantId }: { readonly tenantId: string | undefined }) {
  const id = useId()
  const tenant = useTenantOfAddress(tenantId)
  const list = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const onToggle = (event: Event) => setOpen((event as ToggleEvent).newState === 'open')
    const element = list.current
    element?.addEventListener('toggle', onToggle)
    return () => element?.removeEventListener('toggle', onToggle)
  }, [])
  return (
    <div className="switcher">
      <Link to="/" className="home" aria-label="Bailiwick: all tenants">
        <Mark isShort={tenantId !== undefined} />
      </Link>
      {tenantId === undefined ? null : (
        <button type="button" className="button switch-button" popoverTarget={id}>
          <span className="cut">{tenant?.name ?? '…'}</span>
          {tenant === undefined ? null : <EnvironmentBadge of={tenant.environment} />}
          <Icon name="chevron" />
        </button>
      )}
      <div ref={list} id={id} popover="auto" className="menu tenant-menu">
        {isOpen ? <TenantSearch onChosen={() => list.current?.hidePopover()} /> : null}
      </div>
    </div>
  )
}

const tenantsFound = (count: number) =>
  count === 0 ? 'No tenant matches.' : count === 1 ? '1 tenant found' : `${count.toLocaleString(locale)} tenants found`

function TenantSearch({ onChosen }: { readonly onChosen: () => void }) {
  const [text, setText] = useState('')
  const query = text.trim()
  const { data } = useOperation(
    'listOwnTenants',
    { query: { perPage: shownMax, ...(query === '' ? {} : { query }) } },
    { keepsLast: true },
  )
  return (
    <>
      <label className="search">
        <Icon name="search" />
        <input
          type="search"
          autoFocus
          aria-label="Find a tenant"
          placeholder="Find a tenant"
          value={text}
          maxLength={256}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      <ul>
        {data?.data.map(({ id, name, slug }) => (
          <li key={id}>
            <Link to={`/t/${id}`} onClick={onChosen}>
              <span className="cut">{name}</span> <span className="quiet cut">{slug}</span>
            </Link>
          </li>
        ))}
      </ul>
      <p role="status" className={data?.data.length === 0 ? 'quiet' : 'visually-hidden'}>
        {data === undefined || query === '' ? '' : tenantsFound(data.meta.total)}
      </p>
      <Link to="/tenants/new" className="menu-foot" onClick={onChosen}>
        <Icon name="plus" /> Create a tenant
      </Link>
    </>
  )
}
