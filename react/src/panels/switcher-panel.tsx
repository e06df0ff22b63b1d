// The organizations of the user: which one is active, the others, and a form for a new one.
import { createFrontendClient } from '@bailiwick/sdk/frontend'
import { useMemo, useState } from 'react'
import { Field, Form } from '../embedded/form.tsx'
import { useOrganization } from '../hooks.ts'
import { useBailiwick } from '../provider.tsx'
import type { OrganizationSwitcherProps } from './organization-switcher.tsx'
import { PanelCard, Rows } from './parts.tsx'
import { type Panel, usePanel } from './use-panel.ts'

interface CreateProps {
  readonly panel: Panel
  readonly onCreated: (id: string) => Promise<void>
}

function CreateForm({ onCreated, panel }: CreateProps) {
  const { store } = useBailiwick()
  const { act, isBusy, look, problems, words } = panel
  const [count, setCount] = useState(0)
  const client = useMemo(
    () =>
      createFrontendClient(store.connection, {
        createOwnOrganization: { method: 'POST', path: '/user/organizations' },
      }),
    [store],
  )
  const create = ({ name = '' }: Readonly<Record<string, string>>) =>
    act(async () => {
      const { organization } = await client.createOwnOrganization({ body: { name } })
      await store.changed()
      setCount(count + 1)
      await onCreated(organization.id)
    })
  return (
    <details>
      <summary>{words.create}</summary>
      <Form key={count} look={look} isBusy={isBusy} submit={words.create} isSecondary onSubmit={create}>
        <Field look={look} name="name" label={words.name} problems={problems} maxLength={128} autoComplete="off" />
      </Form>
    </details>
  )
}

export function SwitcherPanel({ allowsNew = true, allowsNone = true, onChange, ...props }: OrganizationSwitcherProps) {
  const { pages } = useBailiwick()
  const panel = usePanel(props)
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
    <PanelCard panel={panel} title={words.switch}>
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
      {allowsNew && <CreateForm panel={panel} onCreated={choose} />}
      <a className={look.classes('bw-link', 'link')} href={pages.organizations}>
        {look.texts.organizations}
      </a>
    </PanelCard>
  )
}
