// The organizations of the user: which one is active, the others, those that have invited the user, and a form for a new one.
import { createFrontendClient } from '@bailiwick/sdk/frontend'
import { useMemo, useState } from 'react'
import { useOrganization } from '../hooks.ts'
import { useBailiwick } from '../provider.tsx'
import type { OrganizationSwitcherProps } from './organization-switcher.tsx'
import { Act, NameForm, PanelCard, Row, Rows, Section } from './parts.tsx'
import { type Panel, useFetched, usePanel } from './use-panel.ts'

const answers = '/user/organizations/{id}/invitations/{invitationId}'

function useCalls() {
  const { store } = useBailiwick()
  return useMemo(
    () =>
      createFrontendClient(store.connection, {
        createOwnOrganization: { method: 'POST', path: '/user/organizations' },
        listReceivedInvitations: { method: 'GET', path: '/user/organizations/invitations' },
        acceptReceivedInvitation: { method: 'POST', path: `${answers}/accept` },
        declineReceivedInvitation: { method: 'POST', path: `${answers}/decline` },
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
function Received({ calls, panel }: PartProps) {
  const { store } = useBailiwick()
  const { act, words } = panel
  const [fetched, load] = useFetched(calls.listReceivedInvitations)
  const answer = (name: 'acceptReceivedInvitation' | 'declineReceivedInvitation', id: string, invitationId: string) =>
    act(
      async () => {
        await calls[name]({ params: { id, invitationId }, body: {} })
        await load()
        await store.changed()
      },
      name === 'acceptReceivedInvitation' ? words.joined : words.declined,
    )
  if (fetched === undefined || fetched.invitations.length === 0) return null
  return (
    <Section panel={panel} title={words.invitations}>
      <Rows panel={panel}>
        {fetched.invitations.map(({ email, id, organization }) => (
          <Row key={id} panel={panel} title={organization.name} hint={email}>
            <Act
              panel={panel}
              label={words.accept}
              of={organization.name}
              onClick={() => answer('acceptReceivedInvitation', organization.id, id)}
            />
            <Act
              panel={panel}
              label={words.decline}
              of={organization.name}
              onClick={() => answer('declineReceivedInvitation', organization.id, id)}
            />
          </Row>
        ))}
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
      <Received calls={calls} panel={panel} />
      {allowsNew && <CreateForm calls={calls} panel={panel} onCreated={choose} />}
      <a className={look.classes('bw-link', 'link')} href={pages.organizations}>
        {words.details}
      </a>
    </PanelCard>
  )
}
