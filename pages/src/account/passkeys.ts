// Lists, adds and renames passkeys and security keys.
import { type Frame } from '../frame.ts'
import { type Html, html } from '../html.ts'
import { type FieldOptions, field } from '../parts/field.ts'
import { button, form, link } from '../parts/form.ts'
import { type PasskeyUpkeep, upkeepScript } from '../parts/passkey-upkeep.ts'
import { ago } from '../parts/times.ts'
import { type AccountView, accountPage, part } from './account-page.ts'

export interface ShownPasskey {
  readonly id: string
  readonly name: string | null
  /** The password manager or device that keeps it. */
  readonly provider: string | null
  readonly backupEligible: boolean
  readonly backedUp: boolean
  readonly flaggedAt: string | null
  readonly lastUsedAt: string | null
  readonly createdAt: string
}

export interface PasskeysView extends AccountView {
  readonly passkeys: readonly ShownPasskey[]
  readonly canAdd: boolean
  /** Whether the tenant has passkeys, but they cannot be used at this address. */
  readonly isElsewhere: boolean
  readonly name?: string | undefined
  readonly upkeep?: PasskeyUpkeep
  readonly now: string
}

const nameField = ({ text }: Frame): FieldOptions => ({
  name: 'name',
  label: text('passkeys.name'),
  hint: text('passkeys.nameHint'),
  autocomplete: 'off',
  maxlength: 64,
  isOptional: true,
})

function passkeyItem(frame: Frame, passkey: ShownPasskey, now: string): Html {
  const { text, root } = frame
  const { id, name, provider, backupEligible, backedUp, flaggedAt, lastUsedAt, createdAt } = passkey
  const shown = name ?? provider ?? text('passkeys.unnamed')
  const at = `${root}/account/passkeys/${id}`
  const used =
    lastUsedAt === null ? text('account.neverUsed') : text('account.lastUsedAt', { time: ago(frame, lastUsedAt, now) })
  const facts = [
    ...(name === null || provider === null ? [] : [provider]),
    text('account.addedAt', { time: ago(frame, createdAt, now) }),
    used,
    text(backedUp ? 'passkeys.backedUp' : backupEligible ? 'passkeys.synced' : 'passkeys.oneDevice'),
  ]
  const action = (path: string, label: string) =>
    html`<a href="${at}${path}" aria-label="${label}: ${shown}">${label}</a> `
  return html`<li>
    <p><bdi>${shown}</bdi></p>
    <p class="hint">${facts.join(' · ')}</p>
    ${flaggedAt !== null && html`<p class="error">${text('passkeys.flagged')}</p>`}
    <div class="actions">${action('', text('passkeys.rename'))}${action('/remove', text('account.remove'))}</div>
  </li> `
}

/** The script asks for the options, and sends the form when the device has created a passkey. */
const addForm = (frame: Frame, { errors = {}, name }: PasskeysView): Html =>
  html`<noscript><p class="notice error">${frame.text('passkeys.needsScript')}</p></noscript> ${form(
      frame,
      {
        to: '/account/passkeys',
        hidden: { credential: '' },
        data: { passkey: 'create', options: `${frame.root}/account/passkeys/options` },
        className: 'needs-script',
      },
      html`${field(frame, errors, { ...nameField(frame), ...(name === undefined ? {} : { value: name }) })}${button(frame.text('passkeys.add'), { kind: 'secondary', awaitsScript: true })}
        <p class="error" role="alert" hidden>${frame.text('passkeys.failed')}</p>`,
    )}`

export function passkeysPage(frame: Frame, view: PasskeysView): string {
  const { text } = frame
  const { passkeys, canAdd, isElsewhere, now } = view
  return accountPage(
    frame,
    view,
    { title: text('account.passkeys'), lead: text('passkeys.lead'), section: 'passkeys' },
    html`${
      passkeys.length === 0
        ? html`<p class="empty">${text('account.none')}</p>`
        : html`<ul class="items">
            ${passkeys.map((each) => passkeyItem(frame, each, now))}
          </ul> `
    }${canAdd && part(text('passkeys.add'), addForm(frame, view))}${isElsewhere && html`<p class="hint">${text('passkeys.notHere')}</p>`}${upkeepScript(view.upkeep)}`,
  )
}

export interface PasskeyNameView extends AccountView {
  readonly id: string
  readonly name: string
}

export function passkeyNamePage(frame: Frame, view: PasskeyNameView): string {
  const { text } = frame
  const { id, name, errors = {} } = view
  return accountPage(
    frame,
    view,
    { title: text('passkeys.renameTitle'), section: 'passkeys' },
    html`${form(
        frame,
        { to: `/account/passkeys/${id}` },
        html`${field(frame, errors, { ...nameField(frame), value: name, isFocused: true })}${button(text('account.save'))}`,
      )}
      <p class="row">${link(frame, '/account/passkeys', text('account.cancel'))}</p>`,
  )
}
