// An organization of the signed-in user: its name, members and invitations.
import type { OwnOrganization } from '@bailiwick/contract'
import { createFrontendClient } from '@bailiwick/sdk/frontend'
import { useCallback, useMemo, useState } from 'react'
import { Field, Form } from '../embedded/form.tsx'
import { useUser } from '../hooks.ts'
import { useBailiwick } from '../provider.tsx'
import type { OrganizationProfileProps } from './organization-profile.tsx'
import { Act, NameForm, PanelCard, Row, Rows, Section, Waiting } from './parts.tsx'
import { type Panel, useFetched, usePanel } from './use-panel.ts'

const base = '/user/organizations/{id}'

function useCalls() {
  const { store } = useBailiwick()
  return useMemo(
    () =>
      createFrontendClient(store.connection, {
        getOwnOrganization: { method: 'GET', path: base },
        updateOwnOrganization: { method: 'PATCH', path: base },
        leaveOrganization: { method: 'DELETE', path: `${base}/membership` },
        listFellowMembers: { method: 'GET', path: `${base}/members` },
        updateFellowMember: { method: 'PATCH', path: `${base}/members/{memberId}` },
        removeFellowMember: { method: 'DELETE', path: `${base}/members/{memberId}` },
        listOrganizationRoles: { method: 'GET', path: `${base}/roles` },
        listSentInvitations: { method: 'GET', path: `${base}/invitations` },
        sendInvitation: { method: 'POST', path: `${base}/invitations` },
        revokeInvitation: { method: 'DELETE', path: `${base}/invitations/{invitationId}` },
      }),
    [store],
  )
}

interface PartProps {
  readonly calls: ReturnType<typeof useCalls>
  readonly panel: Panel
  readonly params: { readonly id: string }
  readonly mayManage: boolean
}

type RoleProps = Pick<PartProps, 'panel'> & {
  readonly label: string
  readonly roles: readonly { readonly id: string; readonly name: string }[]
  readonly value: string | null
  readonly onChange?: (roleId: string | null) => void
}

function RoleSelect({ label, onChange, panel, roles, value }: RoleProps) {
  const { look, words } = panel
  return (
    <select
      className={look.classes('bw-select', 'select')}
      aria-label={label}
      name="roleId"
      {...(onChange === undefined
        ? { defaultValue: value ?? '' }
        : { value: value ?? '', onChange: ({ target }) => onChange(target.value === '' ? null : target.value) })}
    >
      <option value="">{words.noRole}</option>
      {roles.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  )
}

const pageSize = 50
const pageSizeMax = 100

type Member = Awaited<ReturnType<ReturnType<typeof useCalls>['listFellowMembers']>>['members'][number]

interface MemberRowProps extends PartProps, Pick<RoleProps, 'roles'> {
  readonly member: Member
  readonly load: () => Promise<void>
}

function MemberRow({ calls, load, mayManage, member, panel, params, roles }: MemberRowProps) {
  const { act, words } = panel
  const { id: memberId, role, roleId, user } = member
  const isOwn = useUser().user?.id === user.id
  const name = user.name ?? user.identifier ?? user.id
  const both = { ...params, memberId }
  const about = isOwn ? words.you : user.identifier === name ? null : user.identifier
  const hint = [about, mayManage ? null : role?.name].filter((part) => part !== null && part !== undefined)
  const change = (wanted: string | null) =>
    act(() => calls.updateFellowMember({ params: both, body: { roleId: wanted } }).then(load), words.saved)
  const remove = () => act(() => calls.removeFellowMember({ params: both }).then(load), words.removed)
  return (
    <Row panel={panel} title={name} hint={hint.join(' · ')}>
      {mayManage && (
        <RoleSelect panel={panel} label={`${words.role}: ${name}`} roles={roles} value={roleId} onChange={change} />
      )}
      {mayManage && !isOwn && <Act panel={panel} label={words.remove} of={name} onClick={remove} />}
    </Row>
  )
}

function Members(props: PartProps) {
  const { calls, panel, params } = props
  const { look, words } = panel
  const [perPage, setPerPage] = useState(pageSize)
  const [fetched, load] = useFetched(
    useCallback(
      () => calls.listFellowMembers({ params, query: { perPage: String(perPage) } }),
      [calls, params, perPage],
    ),
  )
  const [offered] = useFetched(useCallback(() => calls.listOrganizationRoles({ params }), [calls, params]))
  return (
    <Section panel={panel} title={words.members}>
      <Rows panel={panel}>
        {fetched?.members.map((member) => (
          <MemberRow key={member.id} {...props} member={member} load={load} roles={offered?.roles ?? []} />
        ))}
      </Rows>
      {fetched !== undefined && fetched.meta.next !== null && perPage < pageSizeMax && (
        <button type="button" className={look.classes('bw-link', 'link')} onClick={() => setPerPage(pageSizeMax)}>
          {words.moreRows}
        </button>
      )}
    </Section>
  )
}

function Invitations({ calls, panel, params }: PartProps) {
  const { act, isBusy, look, problems, words } = panel
  const [fetched, load] = useFetched(useCallback(() => calls.listSentInvitations({ params }), [calls, params]))
  const [offered] = useFetched(useCallback(() => calls.listOrganizationRoles({ params }), [calls, params]))
  const [count, setCount] = useState(0)
  const open = fetched?.invitations.filter(({ acceptedAt, declinedAt }) => acceptedAt === null && declinedAt === null)
  const invite = ({ email = '', roleId = '' }: Readonly<Record<string, string>>) =>
    act(async () => {
      await calls.sendInvitation({ params, body: { email, ...(roleId === '' ? {} : { roleId }) } })
      setCount(count + 1)
      await load()
    }, words.invited)
  return (
    <Section panel={panel} title={words.invitations}>
      <Rows panel={panel}>
        {open?.map(({ email, id: invitationId, role }) => (
          <Row key={invitationId} panel={panel} title={email ?? invitationId} hint={role?.name}>
            <Act
              panel={panel}
              label={words.revoke}
              of={email ?? invitationId}
              onClick={() =>
                act(() => calls.revokeInvitation({ params: { ...params, invitationId } }).then(load), words.removed)
              }
            />
          </Row>
        ))}
      </Rows>
      <Form key={count} look={look} isBusy={isBusy} submit={words.invite} isSecondary onSubmit={invite}>
        <Field
          look={look}
          name="email"
          type="email"
          label={look.texts.email}
          problems={problems}
          autoComplete="off"
          dir="ltr"
        />
        <RoleSelect panel={panel} label={words.role} roles={offered?.roles ?? []} value={null} />
      </Form>
    </Section>
  )
}

type OrganizationProps = PartProps & { readonly organization: OwnOrganization; readonly load: () => Promise<void> }

function Details({ calls, load, organization, panel, params }: OrganizationProps) {
  const { store } = useBailiwick()
  const { act, words } = panel
  const rename = (name: string) =>
    act(async () => {
      await calls.updateOwnOrganization({ params, body: { name } })
      await load()
      await store.changed()
    }, words.saved)
  return (
    <Section panel={panel} title={words.details}>
      <NameForm panel={panel} submit={words.save} value={organization.name} onSubmit={rename} />
    </Section>
  )
}

/** Leaving is asked for twice, because nobody can undo it alone. */
function Leave({ calls, onLeft, panel, params }: PartProps & Pick<OrganizationProfileProps, 'onLeft'>) {
  const { store } = useBailiwick()
  const { act, look, words } = panel
  const leave = () =>
    act(async () => {
      await calls.leaveOrganization({ params })
      await store.changed()
      onLeft?.()
    })
  return (
    <details>
      <summary>{words.leave}</summary>
      <p className={look.classes('bw-hint', 'hint')}>{words.leaveLead}</p>
      <button type="button" className={look.classes('bw-button bw-secondary', 'button')} onClick={leave}>
        {words.leave}
      </button>
    </details>
  )
}

export function OrganizationPanel({
  onLeft,
  organizationId,
  ...props
}: OrganizationProfileProps & { readonly organizationId: string }) {
  const { pages } = useBailiwick()
  const panel = usePanel(props)
  const calls = useCalls()
  const params = useMemo(() => ({ id: organizationId }), [organizationId])
  const [fetched, load, failure] = useFetched(useCallback(() => calls.getOwnOrganization({ params }), [calls, params]))
  const { look, words } = panel
  const organization = fetched?.organization
  if (organization === undefined) {
    return (
      <PanelCard panel={panel} title={words.organizations}>
        <Waiting panel={panel} failure={failure} onRetry={load} />
      </PanelCard>
    )
  }
  const mayManage = organization.role?.permissions.includes('org:manage') === true
  const parts = { calls, panel, params, mayManage }
  return (
    <PanelCard panel={panel} title={organization.name}>
      {mayManage && <Details {...parts} organization={organization} load={load} />}
      <Members {...parts} />
      {mayManage && <Invitations {...parts} />}
      <Leave {...parts} onLeft={onLeft} />
      <p>
        <a className={look.classes('bw-link', 'link')} href={pages.organization(organizationId)}>
          {words.domains} · {words.groups}
        </a>
      </p>
    </PanelCard>
  )
}
