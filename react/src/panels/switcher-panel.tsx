// The organizations of the user: which one is active, the others, those that have invited the user, and a form for a new one.
import { createFrontendClient } from '@bailiwick/sdk/frontend'
import { useMemo, useState } from 'react'
import { useInvitations } from '../headless/invitations.ts'
import { useOrganization } from '../hooks.ts'
import { useBailiwick } from '../provider.tsx'
import type { OrganizationSwitcherProps } from './organization-switcher.tsx'
import { Act, NameForm, PanelCard, Row, Rows, Section } from './parts.tsx'
import { type Panel, usePanel } from './use-panel.ts'

function useCalls() {
  const { store } = useBailiwick()
  return useMemo(
    () =>
      createFrontendClient(store.connection, {
        createOwnOrganization: { method: 'POST', path: '/user/organizations' },
      }),
    [store],
  )
}

interface PartProps {
  readonly calls: ReturnType<typeof useCalls>
  readonly panel: Panel
}

function CreateForm({ calls, onCreated, panel }: PartProps & { readonly onCreated: (id: string) => Promise<void> }) {
  const { store } = useBailiwick()
  const { act, words } = panel
  const [count, setCount] = useState(0)
  const create = (name: string) =>
    act(async () => {
      const { organization } = await calls.createOwnOrganization({ body: { name } })
      await store.changed()
      setCount(count + 1)
      await onCreated(organization.id)
    })
  return (
    <details>
      <summary>{words.create}</summary>
      <NameForm key={count} panel={panel} submit={words.create} onSubmit={create} />
    </details>
  )
}

/** The open invitations of the user, if there are any. */
function Received({ panel }: { readonly panel: Panel }) {
  const { act, words } = panel
  const { accept, decline, invitations } = useInvitations()
  if (invitations === undefined || invitations.length === 0) return null
  return (
    <Section panel={panel} title={words.invitations}>
      <Rows panel={panel}>
        {invitations.map((each) => {
          const { email, id, organization } = each
          const answer = { panel, of: organization.name }
          return (
            <Row key={id} panel={panel} title={organization.name} hint={email}>
              <Act {...answer} label={words.accept} onClick={() => act(() => accept(each), words.joined)} />
              <Act {...answer} label={words.decline} onClick={() => act(() => decline(each), words.declined)} />
            </Row>
          )
        })}
      </Rows>
    </Section>
  )
}

export function SwitcherPanel({ allowsNew = true, allowsNone = true, onChange, ...props }: OrganizationSwitcherProps) {
  const { pages } = useBailiwick()
  const panel = usePanel(props)
  const calls = useCalls()
  const { act, isBusy, look, words } = panel
  const { isLoaded, membership, organizations, setActive } = useOrganization()
  const active = membership?.id ?? null
  const choose = async (id: string | null) => {
    await setActive(id)
    onChange?.(id)
  }
  const entries = [
    ...organizations.map(({ id, name }) => ({ id, name })),
    ...(allowsNone || active === null ? [{ id: null, name: words.personal }] : []),
  ]
  return (
    <PanelCard panel={panel} title={words.organizations}>
      {!isLoaded && <p className={look.classes('bw-hint', 'hint')}>{look.texts.loading}</p>}
      <Rows panel={panel}>
        {isLoaded &&
          entries.map(({ id, name }) => (
            <li key={id}>
              <button
                type="button"
                className={look.classes('bw-item', 'menuItem')}
                aria-current={id === active}
                aria-disabled={isBusy}
                onClick={() => (id === active ? undefined : act(() => choose(id)))}
              >
                <bdi>{name}</bdi>
                {id === active && <small className={look.classes('bw-hint', 'hint')}> · {words.active}</small>}
              </button>
            </li>
          ))}
      </Rows>
      <Received panel={panel} />
      {allowsNew && <CreateForm calls={calls} panel={panel} onCreated={choose} />}
      <a className={look.classes('bw-link', 'link')} href={pages.organizations}>
        {words.details}
      </a>
    </PanelCard>
  )
}
