// The signed-in user's own account: profile, e-mail addresses, password and signed-in devices.
import type { Profile } from '@bailiwick/contract'
import { createFrontendClient } from '@bailiwick/sdk/frontend'
import { useMemo, useState } from 'react'
import { CodeField, Field, Form, PasswordField } from '../embedded/form.tsx'
import { useBailiwick } from '../provider.tsx'
import { filled } from '../texts/catalogue.ts'
import { Act, PanelCard, Row, Rows, Section, Waiting } from './parts.tsx'
import { type Panel, type PanelProps, useFetched, usePanel } from './use-panel.ts'

function useCalls() {
  const { store } = useBailiwick()
  return useMemo(
    () =>
      createFrontendClient(store.connection, {
        getProfile: { method: 'GET', path: '/user/profile' },
        updateProfile: { method: 'PATCH', path: '/user/profile' },
        createOwnEmail: { method: 'POST', path: '/user/emails' },
        prepareOwnEmail: { method: 'POST', path: '/user/emails/{id}/prepare' },
        verifyOwnEmail: { method: 'POST', path: '/user/emails/{id}/verify' },
        makeOwnEmailPrimary: { method: 'POST', path: '/user/emails/{id}/primary' },
        deleteOwnEmail: { method: 'DELETE', path: '/user/emails/{id}' },
        updateOwnPassword: { method: 'PUT', path: '/user/password' },
        listOwnSessions: { method: 'GET', path: '/user/sessions' },
        deleteOwnSession: { method: 'DELETE', path: '/user/sessions/{id}' },
        endOtherOwnSessions: { method: 'POST', path: '/user/sessions/end-others' },
      }),
    [store],
  )
}

interface PartProps {
  readonly calls: ReturnType<typeof useCalls>
  readonly panel: Panel
  readonly user: Profile
  /** Fetches the user again, here and in the rest of the page. */
  readonly changed: () => Promise<void>
}

function ProfileForm({ calls, changed, panel, user }: PartProps) {
  const { act, isBusy, look, problems, words } = panel
  const save = ({ name = '', username }: Readonly<Record<string, string>>) =>
    act(async () => {
      const body = { name: name === '' ? null : name, ...(username === undefined ? {} : { username }) }
      await calls.updateProfile({ body })
      await changed()
    }, words.saved)
  return (
    <Section panel={panel} title={words.profile}>
      <Form look={look} isBusy={isBusy} submit={words.save} isSecondary onSubmit={save}>
        <Field
          look={look}
          name="name"
          label={words.name}
          problems={problems}
          defaultValue={user.name ?? ''}
          autoComplete="name"
          maxLength={128}
          required={false}
        />
        {user.username !== null && (
          <Field
            look={look}
            name="username"
            label={words.username}
            problems={problems}
            defaultValue={user.username}
            autoComplete="username"
            autoCapitalize="off"
            spellCheck={false}
          />
        )}
      </Form>
    </Section>
  )
}

interface OwnEmail {
  readonly id: string
  readonly email: string
  readonly primary: boolean
  readonly verifiedAt: string | null
}

interface EmailRowProps extends Omit<PartProps, 'user'> {
  readonly own: OwnEmail
  readonly prepare: (email: OwnEmail) => Promise<void>
}

function EmailRow({ calls, changed, own, panel, prepare }: EmailRowProps) {
  const { act, words } = panel
  const { email, id, primary, verifiedAt } = own
  const params = { id }
  const isVerified = verifiedAt !== null
  const makePrimary = () => act(() => calls.makeOwnEmailPrimary({ params }).then(changed), words.saved)
  const remove = () => act(() => calls.deleteOwnEmail({ params }).then(changed), words.removed)
  return (
    <Row panel={panel} title={email} hint={isVerified ? (primary ? words.primary : '') : words.unverified}>
      {!isVerified && <Act panel={panel} label={words.verify} of={email} onClick={() => act(() => prepare(own))} />}
      {isVerified && !primary && <Act panel={panel} label={words.makePrimary} of={email} onClick={makePrimary} />}
      {!primary && <Act panel={panel} label={words.remove} of={email} onClick={remove} />}
    </Row>
  )
}

function Emails({ user, ...props }: PartProps) {
  const { calls, changed, panel } = props
  const { act, isBusy, look, problems, words } = panel
  /** The address to which a code was sent. */
  const [pending, setPending] = useState<OwnEmail>()
  const prepare = async (own: OwnEmail) => {
    await calls.prepareOwnEmail({ params: { id: own.id } })
    setPending(own)
  }
  const add = ({ email = '' }: Readonly<Record<string, string>>) =>
    act(async () => {
      await prepare((await calls.createOwnEmail({ body: { email } })).email)
      await changed()
    })
  const verify = ({ code = '' }: Readonly<Record<string, string>>) =>
    act(async () => {
      if (pending === undefined) return
      await calls.verifyOwnEmail({ params: { id: pending.id }, body: { code } })
      setPending(undefined)
      await changed()
    }, words.verified)
  return (
    <Section panel={panel} title={words.emails}>
      <Rows panel={panel}>
        {user.emails.map((own) => (
          <EmailRow key={own.id} {...props} own={own} prepare={prepare} />
        ))}
      </Rows>
      {pending === undefined ? (
        <Form look={look} isBusy={isBusy} submit={words.add} isSecondary onSubmit={add} key={user.emails.length}>
          <Field
            look={look}
            name="email"
            type="email"
            label={look.texts.email}
            problems={problems}
            autoComplete="email"
            dir="ltr"
          />
        </Form>
      ) : (
        <Form look={look} isBusy={isBusy} submit={words.verify} onSubmit={verify}>
          <p className={look.classes('bw-hint', 'hint')}>{filled(look.texts.verifyLead, { address: pending.email })}</p>
          <CodeField look={look} problems={problems} autoFocus />
        </Form>
      )}
    </Section>
  )
}

function Password({ calls, changed, panel, user }: PartProps) {
  const { act, isBusy, look, problems, words } = panel
  const [count, setCount] = useState(0)
  const change = ({ oldPassword, password = '' }: Readonly<Record<string, string>>) =>
    act(
      async () => {
        await calls.updateOwnPassword({ body: { password, ...(oldPassword === undefined ? {} : { oldPassword }) } })
        setCount(count + 1)
        await changed()
      },
      words.saved,
      ['oldPassword', 'wrongPassword'],
    )
  return (
    <Section panel={panel} title={words.password}>
      <Form key={count} look={look} isBusy={isBusy} submit={words.changePassword} isSecondary onSubmit={change}>
        {user.hasPassword && (
          <Field
            look={look}
            name="oldPassword"
            type="password"
            label={words.oldPassword}
            problems={problems}
            autoComplete="current-password"
          />
        )}
        <PasswordField
          look={look}
          name="password"
          label={look.texts.newPassword}
          problems={problems}
          autoComplete="new-password"
        />
      </Form>
    </Section>
  )
}

function Devices({ calls, panel }: Pick<PartProps, 'calls' | 'panel'>) {
  const { act, look, words } = panel
  const [fetched, load] = useFetched(calls.listOwnSessions)
  const sessions = fetched?.sessions ?? []
  const seen = new Intl.DateTimeFormat(panel.language, { dateStyle: 'medium', timeStyle: 'short' })
  return (
    <Section panel={panel} title={words.sessions}>
      <Rows panel={panel}>
        {sessions.map(({ browser, current, id, lastActiveAt, os }) => {
          const name = [browser, os].filter((part) => part !== null).join(', ')
          return (
            <Row
              key={id}
              panel={panel}
              title={name}
              hint={current ? words.thisDevice : seen.format(new Date(lastActiveAt))}
            >
              {!current && (
                <Act
                  panel={panel}
                  label={words.signOutDevice}
                  of={name}
                  onClick={() => act(() => calls.deleteOwnSession({ params: { id } }).then(load), words.removed)}
                />
              )}
            </Row>
          )
        })}
      </Rows>
      {sessions.length > 1 && (
        <button
          type="button"
          className={look.classes('bw-button bw-secondary', 'button')}
          onClick={() => act(() => calls.endOtherOwnSessions().then(load), words.removed)}
        >
          {words.signOutOthers}
        </button>
      )}
    </Section>
  )
}

export function UserPanel(props: PanelProps) {
  const { pages, store } = useBailiwick()
  const panel = usePanel(props)
  const calls = useCalls()
  const [fetched, load, failure] = useFetched(calls.getProfile)
  const { look, words } = panel
  const user = fetched?.user
  const changed = async () => {
    await load()
    await store.changed()
  }
  const parts = { calls, changed, panel }
  return (
    <PanelCard panel={panel} title={words.account}>
      {user === undefined ? (
        <Waiting panel={panel} failure={failure} onRetry={load} />
      ) : (
        <>
          <ProfileForm {...parts} user={user} />
          <Emails {...parts} user={user} />
          <Password {...parts} user={user} />
          <Devices calls={calls} panel={panel} />
          <p>
            <a className={look.classes('bw-link', 'link')} href={pages.account}>
              {words.more}
            </a>
          </p>
        </>
      )}
    </PanelCard>
  )
}
