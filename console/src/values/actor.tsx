// Who did something, and to what: by name, with a link to the record.
import { Link } from '@tanstack/react-router'
import { useTenantPath } from '../session/tenant.tsx'

const actorKinds: Readonly<Record<string, string>> = {
  operator: 'Operator',
  console_user: 'Administrator',
  secret_key: 'Secret key',
  api_key: 'API key',
  system: 'Service',
  user: 'User',
  application: 'Application',
  directory: 'Directory',
  anonymous: 'Visitor',
}

const words = (type: string) => type.charAt(0).toUpperCase() + type.slice(1).replaceAll('_', ' ')

/** Returns what kind of actor somebody is, in words. */
export const actorKind = (type: string): string => actorKinds[type] ?? words(type)

/** The screens of records, by the kind of record. */
const screens: Readonly<Record<string, string>> = {
  application: 'applications',
  channel: 'channels',
  custom_provider: 'custom-providers',
  message: 'messages',
  organization: 'organizations',
  resource: 'resources',
  role: 'roles',
  sign_in_attempt: 'sign-ins',
  sign_up_attempt: 'sign-ups',
  social_provider: 'social-providers',
  template: 'templates',
  transformation: 'transformations',
  user: 'users',
  webhook: 'webhooks',
}

interface Named {
  readonly of: { readonly type: string; readonly id: string | null }
  readonly name: string | null | undefined
}

/** Who acted. @param name the present name; null if there is none. */
export function Actor({ of: { type, id }, name }: Named) {
  const path = useTenantPath()
  const kind = actorKind(type)
  if (id === null || type === 'secret_key') return <span>{kind}</span>
  if (name === null || name === undefined)
    return (
      <span>
        {kind} <code title={id}>…{id.slice(-6)}</code>
      </span>
    )
  return (
    <span className="named">
      {type === 'user' || type === 'application' ? (
        <Link to={path(`${screens[type]}/${id}`)}>{name}</Link>
      ) : (
        <span>{name}</span>
      )}{' '}
      {type === 'console_user' || type === 'user' ? null : <span className="quiet">{kind}</span>}
    </span>
  )
}

/** What something was done to. */
export function Subject({ of: { type, id }, name }: Named) {
  const path = useTenantPath()
  const text = name ?? words(type)
  const screen = screens[type]
  const title =
    screen === undefined || id === null ? <span>{text}</span> : <Link to={path(`${screen}/${id}`)}>{text}</Link>
  return (
    <span className="named">
      {title} {name === null || name === undefined ? null : <span className="quiet">{words(type)}</span>}
    </span>
  )
}
