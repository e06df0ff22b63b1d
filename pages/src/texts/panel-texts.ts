// The texts that components within the pages of apps share with the hosted pages, by the names that @bailiwick/react has for them. It contains the
// English ones, and fetches those of another language from the service, so that no app has 24 languages in it.
import { type Language, directionOf } from '@bailiwick/contract'
import type { TextKey } from './catalogue.ts'
import { catalogueOf } from './languages.ts'

/** Each is a text without plural forms. */
export const panelTextKeys = {
  account: 'account.title',
  profile: 'account.profile',
  name: 'field.name',
  username: 'field.username',
  save: 'account.save',
  saved: 'account.saved',
  remove: 'account.remove',
  removed: 'account.removed',
  emails: 'account.emails',
  addEmail: 'emails.add',
  emailVerified: 'emails.added',
  phones: 'account.phones',
  addPhone: 'phones.add',
  phoneVerified: 'phones.added',
  primary: 'emails.primary',
  unverified: 'emails.unverified',
  makePrimary: 'emails.makePrimary',
  verify: 'emails.verify',
  password: 'account.password',
  oldPassword: 'ownPassword.current',
  savePassword: 'ownPassword.submit',
  passwordChanged: 'ownPassword.changed',
  sessions: 'account.sessions',
  thisDevice: 'sessions.current',
  signOutDevice: 'sessions.end',
  signOutOthers: 'sessions.endOthers',
  connections: 'account.connections',
  data: 'account.data',
  prove: 'verify.title',
  app: 'account.app',
  appLead: 'app.lead',
  appOn: 'account.on',
  appSetUp: 'app.setUp',
  appReplace: 'app.replace',
  appScan: 'app.scan',
  appPicture: 'app.picture',
  appSecret: 'app.secret',
  appConfirmLead: 'app.confirmLead',
  appConfirm: 'app.confirm',
  appRemoved: 'app.removed',
  recoveryCodes: 'account.recoveryCodes',
  recoveryLead: 'recovery.lead',
  recoveryRenew: 'recovery.renew',
  recoveryHint: 'recovery.renewHint',
  recoveryNewTitle: 'recovery.newTitle',
  recoveryNewLead: 'recovery.newLead',
  recoveryDone: 'recovery.done',
  passkeys: 'account.passkeys',
  passkeysLead: 'passkeys.lead',
  passkeyAdd: 'passkeys.add',
  passkeyUnnamed: 'passkeys.unnamed',
  passkeyAdded: 'passkeys.added',
  passkeyRemoved: 'passkeys.removed',
  organizations: 'orgs.title',
  details: 'orgs.details',
  members: 'orgs.membersTitle',
  role: 'orgs.role',
  noRole: 'orgs.noRole',
  you: 'orgs.you',
  invitations: 'orgs.invitationsTitle',
  invite: 'orgs.inviteSubmit',
  invited: 'orgs.invited',
  revoke: 'orgs.revoke',
  accept: 'invitation.accept',
  decline: 'invitation.decline',
  declined: 'invitation.declinedTitle',
  joined: 'orgs.joined',
  leave: 'orgs.leave',
  leaveLead: 'orgs.leaveLead',
  domains: 'orgs.domainsTitle',
  groups: 'orgs.groupsTitle',
  personal: 'orgs.personal',
  active: 'orgs.active',
  create: 'orgs.create',
  moreRows: 'orgs.pages',
} as const satisfies Readonly<Record<string, TextKey>>

/** The same for the list of API keys. */
export const apiKeyTextKeys = {
  title: 'account.keys',
  create: 'keys.create',
  name: 'keys.name',
  nameHint: 'keys.nameHint',
  scopes: 'keys.scopes',
  lifetime: 'keys.lifetime',
  forever: 'keys.forever',
  newTitle: 'keys.newTitle',
  newLead: 'keys.newLead',
  copy: 'keys.copy',
  copied: 'keys.copied',
  unused: 'keys.unused',
  expired: 'keys.expired',
  validUntil: 'keys.validUntil',
  change: 'keys.change',
  changeHint: 'keys.changeHint',
  replace: 'keys.replace',
  end: 'keys.end',
  ended: 'keys.ended',
  limit: 'keys.limit',
  prove: 'verify.title',
  proveLead: 'verify.recentLead',
} as const satisfies Readonly<Record<string, TextKey>>

/** The same for the texts that panels share with the embedded forms. */
const formTextKeys = {
  email: 'field.email',
  phone: 'field.phone',
  newPassword: 'field.newPassword',
  code: 'field.code',
  showPassword: 'common.showPassword',
  verifyLead: 'verify.codeLead',
  wrongPassword: 'error.wrongPassword',
  wrongCode: 'error.wrongCode',
  invalid: 'error.invalid',
  failed: 'failed.title',
  closed: 'closed.lead',
  expired: 'expired.title',
  tooManyTries: 'tooMany.title',
} as const satisfies Readonly<Record<string, TextKey>>

export interface PanelTexts {
  readonly language: Language
  readonly direction: 'ltr' | 'rtl'
  readonly words: Readonly<Record<string, string>>
  readonly forms: Readonly<Record<string, string>>
  readonly keys: Readonly<Record<string, string>>
}

/** Returns the texts of a language, English where it has none. */
export async function panelTexts(language: Language): Promise<PanelTexts> {
  const catalogue: Readonly<Record<string, unknown>> = await catalogueOf({ tag: language })
  const pick = (keys: Readonly<Record<string, TextKey>>) =>
    Object.fromEntries(Object.entries(keys).map(([name, key]) => [name, String(catalogue[key])]))
  return {
    language,
    direction: directionOf(language),
    words: pick(panelTextKeys),
    forms: pick(formTextKeys),
    keys: pick(apiKeyTextKeys),
  }
}
