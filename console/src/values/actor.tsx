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

/** What events are about. */
const subjectKinds: Readonly<Record<string, string>> = {
  api_key: 'API key',
  application: 'Application',
  authenticator: 'Second factor',
  channel: 'Channel',
  client: 'Client',
  connection: 'Connection',
  custom_provider: 'Custom provider',
  deployment: 'Deployment',
  domain: 'Domain',
  email_address: 'E-mail address',
  grant: 'Access of an application',
  hook: 'Hook',
  import_job: 'Import',
  message: 'Message',
  organization: 'Organization',
  organization_domain: 'Domain of an organization',
  organization_group: 'Group of an organization',
  organization_invitation: 'Invitation to an organization',
  organization_membership: 'Member of an organization',
  organization_role: 'Role of an organization',
  phone_number: 'Phone number',
  resource: 'Resource',
  role: 'Role',
  scim_group: 'Group of a directory',
  scim_token: 'SCIM token',
  scim_user: 'User of a directory',
  session: 'User session',
  setup_link: 'Set-up link',
  sign_in_attempt: 'Attempt to sign in',
  sign_up_attempt: 'Attempt to sign up',
  signing_key: 'Signing key',
  social_connection: 'Connected account',
  social_provider: 'Social provider',
  template: 'Template',
  tenant: 'Tenant',
  tenant_invitation: 'Invitation of an administrator',
  tenant_membership: 'Administrator',
  transformation: 'Transformation',
  trusted_device: 'Trusted device',
  upload: 'Uploaded file',
  user: 'User',
  user_api_key: 'API key of a user',
  waitlist_entry: 'Place on the waiting list',
  webhook: 'Webhook',
}

const words = (type: string) => type.charAt(0).toUpperCase() + type.slice(1).replaceAll('_', ' ')
const subjectKind = (type: string): string => subjectKinds[type] ?? words(type)

/** Returns what kind of actor somebody is, in words. */
export const actorKind = (type: string): string => actorKinds[type] ?? subjectKind(type)

/** The screens of records, by the kind of record. */
const screens: Readonly<Record<string, string>> = {
  application: 'applications',
  channel: 'channels',
  connection: 'connections',
  custom_provider: 'custom-providers',
  hook: 'hooks',
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
  const text = name ?? subjectKind(type)
  const screen = screens[type]
  const title =
    screen === undefined || id === null ? <span>{text}</span> : <Link to={path(`${screen}/${id}`)}>{text}</Link>
  return (
    <span className="named">
      {title} {name === null || name === undefined ? null : <span className="quiet">{subjectKind(type)}</span>}
    </span>
  )
}
