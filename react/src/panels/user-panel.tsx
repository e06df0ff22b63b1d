// The signed-in user's own account: profile, e-mail addresses and phone numbers, password, second factors and signed-in devices.
import type { Profile } from '@bailiwick/contract'
import { createFrontendClient } from '@bailiwick/sdk/frontend'
import { Suspense, lazy, useEffect, useMemo, useState } from 'react'
import { CodeField, Field, Form, PasswordField } from '../embedded/form.tsx'
import { useSnapshot } from '../hooks.ts'
import { useBailiwick } from '../provider.tsx'
import { filled } from '../texts/catalogue.ts'
import { Act, PanelCard, Row, Rows, Section, Waiting } from './parts.tsx'
import { type Panel, type PanelProps, useFetched, usePanel } from './use-panel.ts'

const SecondFactors = lazy(() => import('./second-factors.tsx').then((module) => ({ default: module.SecondFactors })))

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
        createOwnPhone: { method: 'POST', path: '/user/phones' },
        prepareOwnPhone: { method: 'POST', path: '/user/phones/{id}/prepare' },
        verifyOwnPhone: { method: 'POST', path: '/user/phones/{id}/verify' },
        makeOwnPhonePrimary: { method: 'POST', path: '/user/phones/{id}/primary' },
        deleteOwnPhone: { method: 'DELETE', path: '/user/phones/{id}' },
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

/** What differs between e-mail addresses and phone numbers. */
function useKind({ calls, panel }: PartProps, kind: 'email' | 'phone') {
  const { look, words } = panel
  return kind === 'email'
    ? {
        title: words.emails,
        label: look.texts.email,
        submit: words.addEmail,
        verified: words.emailVerified,
        create: async (email: string) => (await calls.createOwnEmail({ body: { email } })).email.id,
        prepare: calls.prepareOwnEmail,
        verify: calls.verifyOwnEmail,
        makePrimary: calls.makeOwnEmailPrimary,
        remove: calls.deleteOwnEmail,
      }
    : {
        title: words.phones,
        label: look.texts.phone,
        submit: words.addPhone,
        verified: words.phoneVerified,
        create: async (phone: string) => (await calls.createOwnPhone({ body: { phone } })).phone.id,
        prepare: calls.prepareOwnPhone,
        verify: calls.verifyOwnPhone,
        makePrimary: calls.makeOwnPhonePrimary,
        remove: calls.deleteOwnPhone,
      }
}

interface Contact {
  readonly id: string
  readonly address: string
  readonly primary: boolean
  readonly verifiedAt: string | null
}

interface ContactRowProps extends Pick<PartProps, 'panel' | 'changed'> {
  readonly own: Contact
  readonly kind: ReturnType<typeof useKind>
  readonly prepare: (own: Pick<Contact, 'id' | 'address'>) => Promise<void>
}

function ContactRow({ changed, kind, own, panel, prepare }: ContactRowProps) {
  const { act, words } = panel
  const { address, id, primary, verifiedAt } = own
  const params = { id }
  const isVerified = verifiedAt !== null
  const makePrimary = () => act(() => kind.makePrimary({ params }).then(changed), words.saved)
  const remove = () => act(() => kind.remove({ params }).then(changed), words.removed)
  return (
    <Row panel={panel} title={address} hint={isVerified ? (primary ? words.primary : '') : words.unverified}>
      {!isVerified && <Act panel={panel} label={words.verify} of={address} onClick={() => act(() => prepare(own))} />}
      {isVerified && !primary && <Act panel={panel} label={words.makePrimary} of={address} onClick={makePrimary} />}
      {!primary && <Act panel={panel} label={words.remove} of={address} onClick={remove} />}
    </Row>
  )
}

interface ContactsProps extends PartProps {
  readonly name: 'email' | 'phone'
  readonly contacts: readonly Contact[]
}

/** The e-mail addresses or the phone numbers: a new one is verified by a code. */
function Contacts({ contacts, name, ...props }: ContactsProps) {
  const { changed, panel } = props
  const { act, isBusy, look, problems, words } = panel
  const kind = useKind(props, name)
  /** The one to which a code was sent. */
  const [pending, setPending] = useState<Pick<Contact, 'id' | 'address'>>()
  const prepare = async ({ address, id }: Pick<Contact, 'id' | 'address'>) => {
    await kind.prepare({ params: { id } })
    setPending({ address, id })
  }
  const add = ({ [name]: address = '' }: Readonly<Record<string, string>>) =>
    act(async () => {
      await prepare({ address, id: await kind.create(address) })
      await changed()
    })
  const verify = ({ code = '' }: Readonly<Record<string, string>>) =>
    act(async () => {
      if (pending === undefined) return
      await kind.verify({ params: { id: pending.id }, body: { code } })
      setPending(undefined)
      await changed()
    }, kind.verified)
  return (
    <Section panel={panel} title={kind.title}>
      <Rows panel={panel}>
        {contacts.map((own) => (
          <ContactRow key={own.id} changed={changed} panel={panel} own={own} kind={kind} prepare={prepare} />
        ))}
      </Rows>
      {pending === undefined ? (
        <Form look={look} isBusy={isBusy} submit={kind.submit} isSecondary onSubmit={add} key={contacts.length}>
          <Field
            look={look}
            name={name}
            type={name === 'email' ? 'email' : 'tel'}
            label={kind.label}
            problems={problems}
            autoComplete={name === 'email' ? 'email' : 'tel'}
            placeholder={name === 'phone' ? '+44 20 7946 0018' : undefined}
            dir="ltr"
          />
        </Form>
      ) : (
        <Form look={look} isBusy={isBusy} submit={words.verify} onSubmit={verify}>
          <p className={look.classes('bw-hint', 'hint')}>
            {filled(look.texts.verifyLead, { address: pending.address })}
          </p>
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
      words.passwordChanged,
      ['oldPassword', 'wrongPassword'],
    )
  return (
    <Section panel={panel} title={words.password}>
      <Form key={count} look={look} isBusy={isBusy} submit={words.savePassword} isSecondary onSubmit={change}>
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
  const tenant = useSnapshot((snapshot) => snapshot.tenant)
  useEffect(() => {
    // Without it nothing is offered that the tenant may not have.
    store.loadTenant().catch(() => undefined)
  }, [store])
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
          <Contacts
            {...parts}
            user={user}
            name="email"
            contacts={user.emails.map(({ email: address, ...own }) => ({ ...own, address }))}
          />
          {(tenant?.auth['phoneSignInEnabled'] === true || user.phones.length > 0) && (
            <Contacts
              {...parts}
              user={user}
              name="phone"
              contacts={user.phones.map(({ phone: address, ...own }) => ({ ...own, address }))}
            />
          )}
          <Password {...parts} user={user} />
          {tenant !== undefined && (
            <Suspense>
              <SecondFactors panel={panel} user={user} tenant={tenant} changed={changed} />
            </Suspense>
          )}
          <Devices calls={calls} panel={panel} />
          <p>
            <a className={look.classes('bw-link', 'link')} href={pages.account}>
              {words.connections} · {words.data}
            </a>
          </p>
        </>
      )}
    </PanelCard>
  )
}
