'use client'
// Name and password of the user, with Tailwind classes. This file is yours: change it as you like.
import { useSession, useUser } from '@bailiwick/react'
import { useConnection } from '@bailiwick/react/forms'
import { createFrontendClient, isBailiwickError } from '@bailiwick/sdk/frontend'
import { type ReactNode, useMemo, useState } from 'react'

const button =
  'inline-flex h-9 items-center justify-center justify-self-start rounded-md bg-primary px-4 text-sm font-medium text-primary-foreground hover:bg-primary/90'
const input = 'h-9 rounded-md border border-input bg-background px-3 text-sm'

interface SectionProps {
  readonly title: string
  /** Resolves once the values are saved. */
  readonly onSave: (values: Readonly<Record<string, string>>) => Promise<unknown>
  readonly children: ReactNode
}

function Section({ children, onSave, title }: SectionProps) {
  const [message, setMessage] = useState('')
  async function save(form: HTMLFormElement) {
    const entries = [...new FormData(form)].flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : [],
    )
    try {
      await onSave(Object.fromEntries(entries) as Record<string, string>)
      setMessage('Saved.')
    } catch (error) {
      setMessage(isBailiwickError(error) ? error.message : 'Something went wrong. Try again.')
    }
  }
  return (
    <form
      aria-label={title}
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        void save(event.currentTarget)
      }}
    >
      <h3 className="font-medium">{title}</h3>
      {children}
      <button type="submit" className={button}>
        Save
      </button>
      <p role="status" className="text-sm text-muted-foreground">
        {message}
      </p>
    </form>
  )
}

function useCalls() {
  const connection = useConnection()
  return useMemo(
    () =>
      createFrontendClient(connection, {
        updateProfile: { method: 'PATCH', path: '/user/profile' },
        updateOwnPassword: { method: 'PUT', path: '/user/password' },
      }),
    [connection],
  )
}

export function UserProfile() {
  const { user } = useUser()
  const { refresh } = useSession()
  const calls = useCalls()
  if (user === undefined || user === null) return null
  return (
    <section className="grid w-full max-w-lg gap-8 rounded-xl border bg-card p-6 text-card-foreground shadow-sm">
      <h2 className="text-lg font-semibold">Your account</h2>
      <Section
        title="Profile"
        onSave={({ name = '' }) => calls.updateProfile({ body: { name: name === '' ? null : name } }).then(refresh)}
      >
        <label className="grid gap-2 text-sm font-medium">
          Name
          <input className={input} name="name" defaultValue={user.name ?? ''} autoComplete="name" maxLength={128} />
        </label>
      </Section>
      <Section
        title="Password"
        onSave={({ oldPassword, password = '' }) =>
          calls.updateOwnPassword({ body: { password, ...(oldPassword ? { oldPassword } : {}) } }).then(refresh)
        }
      >
        <label className="grid gap-2 text-sm font-medium">
          Current password
          <input className={input} name="oldPassword" type="password" autoComplete="current-password" />
        </label>
        <label className="grid gap-2 text-sm font-medium">
          New password
          <input required className={input} name="password" type="password" autoComplete="new-password" />
        </label>
      </Section>
    </section>
  )
}
