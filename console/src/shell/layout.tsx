// What surrounds every screen: the sidebar, the bar above, and notices about this deployment.
import { Outlet, useLocation, useParams } from '@tanstack/react-router'
import { type RefObject, Suspense, lazy, useEffect, useRef, useState } from 'react'
import { Icon } from '../parts/icon.tsx'
import { PartNotLoaded } from '../parts/not-loaded.tsx'
import { Loading } from '../parts/states.tsx'
import { Toasts } from '../parts/toasts.tsx'
import { SessionGate, useSession } from '../session/session.tsx'
import { AccountMenu } from './account-menu.tsx'
import { Breadcrumbs } from './breadcrumbs.tsx'
import { Sidebar } from './sidebar.tsx'
import { useTenantOfAddress } from './tenant-of-address.ts'
import { TenantSwitcher } from './tenant-switcher.tsx'

type Typed = RefObject<string>

interface PaletteProps {
  readonly typed: Typed
  readonly onClose: () => void
}

/** Stands in place of the palette that could not be loaded; the screen below keeps what was typed into it. */
function PaletteMissing({ onClose }: PaletteProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} className="dialog" aria-label="Search and commands" onClose={onClose}>
      <PartNotLoaded />
      <form method="dialog" className="actions">
        <button className="button">Close</button>
      </form>
    </dialog>
  )
}

const LoadedPalette = lazy(async () => {
  try {
    const { Palette } = await import('./palette.tsx')
    return {
      default: Palette,
    }
  } catch {
    return { default: PaletteMissing }
  }
})

/** Takes what is typed until the palette is loaded. */
function PaletteComing({ typed }: { readonly typed: Typed }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} className="dialog palette" aria-label="Search and commands">
      <label className="search">
        <Icon name="search" />
        <input
          autoFocus
          aria-label="Search for screens, users, organizations, tenants or an id"
          maxLength={256}
          onChange={({ target }) => {
            typed.current = target.value
          }}
        />
      </label>
    </dialog>
  )
}

export function Layout() {
  return (
    <SessionGate>
      <Shell />
    </SessionGate>
  )
}

function useShortcut(open: () => void) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return
      event.preventDefault()
      open()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [open])
}

interface TopBarProps {
  readonly tenantId: string | undefined
  readonly onMenu: () => void
  readonly onSearch: () => void
}

function TopBar({ tenantId, onMenu, onSearch }: TopBarProps) {
  const environment = useTenantOfAddress(tenantId)?.environment
  return (
    <header className="bar" data-environment={environment}>
      {tenantId === undefined ? null : (
        <button type="button" className="button icon-only menu-button" aria-label="Menu" onClick={onMenu}>
          <Icon name="menu" />
        </button>
      )}
      <TenantSwitcher tenantId={tenantId} />
      <button type="button" className="button palette-button" aria-keyshortcuts="Control+K" onClick={onSearch}>
        <Icon name="search" /> <span className="wide-text">Search</span>{' '}
        <kbd className="wide-only" aria-hidden="true">
          Ctrl K
        </kbd>
      </button>
      <AccountMenu tenantId={tenantId} />
    </header>
  )
}

/** The sidebar: beside the screen where there is room, and behind the menu button where there is not. */
function Side({ tenantId, menu }: { readonly tenantId: string; readonly menu: RefObject<HTMLDialogElement | null> }) {
  return (
    <>
      <div className="side">
        <Sidebar tenantId={tenantId} />
      </div>
      <dialog ref={menu} className="drawer" aria-label="Menu">
        <button
          type="button"
          className="button icon-only"
          aria-label="Close menu"
          onClick={() => menu.current?.close()}
        >
          <Icon name="close" />
        </button>
        <Sidebar tenantId={tenantId} />
      </dialog>
    </>
  )
}

function Shell() {
  const [isPaletteOpen, setPaletteOpen] = useState(false)
  const typed = useRef('')
  const [openPalette] = useState(() => () => {
    typed.current = ''
    setPaletteOpen(true)
  })
  useShortcut(openPalette)
  const { tenantId } = useParams({ strict: false }) as { readonly tenantId?: string }
  const { pathname } = useLocation()
  const menu = useRef<HTMLDialogElement>(null)
  useEffect(() => menu.current?.close(), [pathname])
  return (
    <div className="shell" data-has-sidebar={tenantId !== undefined}>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <TopBar tenantId={tenantId} onMenu={() => menu.current?.showModal()} onSearch={openPalette} />
      {tenantId === undefined ? null : <Side tenantId={tenantId} menu={menu} />}
      <div className="content">
        <OperatorNote />
        <Breadcrumbs />
        <main id="main" tabIndex={-1}>
          <Suspense fallback={<Loading />}>
            <Outlet />
          </Suspense>
        </main>
      </div>
      {isPaletteOpen ? (
        <Suspense fallback={<PaletteComing typed={typed} />}>
          <LoadedPalette typed={typed} onClose={() => setPaletteOpen(false)} />
        </Suspense>
      ) : null}
      <Toasts />
    </div>
  )
}

/** The operator may do everything, and so may everybody on the machine of a development deployment; that must not go unnoticed. */
function OperatorNote() {
  const session = useSession()
  if (session.kind !== 'operator') return null
  return (
    <aside className="note" aria-label="This deployment">
      <Icon name="alert" />{' '}
      {session.by === 'key'
        ? "You are signed in with the operator's key and can do everything in every tenant. Reloading the page ends this."
        : 'Development: you are the operator without signing in, because this browser runs on the same machine.'}
    </aside>
  )
}
