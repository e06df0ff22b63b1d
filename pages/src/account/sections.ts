// The account pages: their names, their paths and their order.
import type { TextKey } from '../texts/catalogue.ts'

interface Section {
  readonly path: string
  readonly label: TextKey
}

export const accountGroups = [
  {
    label: 'account.groupPerson',
    sections: ['profile', 'emails', 'phones', 'organizations'],
  },
  {
    label: 'account.groupSignIn',
    sections: ['password', 'passkeys', 'app', 'recoveryCodes', 'connections', 'sessions'],
  },
  { label: 'account.groupData', sections: ['apps', 'keys', 'data', 'delete'] },
] as const satisfies readonly { readonly label: TextKey; readonly sections: readonly string[] }[]

export type AccountSection = (typeof accountGroups)[number]['sections'][number]

export const accountSections: Readonly<Record<AccountSection, Section>> = {
  profile: { path: '/account/profile', label: 'account.profile' },
  emails: { path: '/account/emails', label: 'account.emails' },
  phones: { path: '/account/phones', label: 'account.phones' },
  organizations: { path: '/organizations', label: 'orgs.title' },
  password: { path: '/account/password', label: 'account.password' },
  passkeys: { path: '/account/passkeys', label: 'account.passkeys' },
  app: { path: '/account/app', label: 'account.app' },
  recoveryCodes: { path: '/account/recovery-codes', label: 'account.recoveryCodes' },
  connections: { path: '/account/connections', label: 'account.connections' },
  sessions: { path: '/account/sessions', label: 'account.sessions' },
  apps: { path: '/account/apps', label: 'account.apps' },
  keys: { path: '/account/keys', label: 'account.keys' },
  data: { path: '/account/data', label: 'account.data' },
  delete: { path: '/account/delete', label: 'account.delete' },
}

/** Returns the groups with the sections that a user has; groups without any are left out. */
export const groupsWith = (sections: readonly AccountSection[]) =>
  accountGroups
    .map(({ label, sections: all }) => ({ label, sections: all.filter((each) => sections.includes(each)) }))
    .filter(({ sections: shown }) => shown.length > 0)
