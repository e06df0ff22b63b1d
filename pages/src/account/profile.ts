// Name, username, how the user reads, and picture.
import { type Frame } from '../frame.ts'
import { type Html, html } from '../html.ts'
import { type AttributeFields, attributeFields } from '../parts/attributes.ts'
import { type FieldErrors, field } from '../parts/field.ts'
import { button, form } from '../parts/form.ts'
import { select } from '../parts/select.ts'
import { type AccountView, accountPage, part } from './account-page.ts'
import { picture } from './overview.ts'

export interface ProfileView extends AccountView {
  readonly imageUri: string | null
  readonly name: string
  readonly isNameRequired: boolean
  /** Undefined if the tenant has no usernames. */
  readonly username?: string | undefined
  readonly isUsernameRequired: boolean
  readonly firstName: string
  readonly lastName: string
  /** A BCP 47 language tag; empty for the language of the browser. */
  readonly locale: string
  /** An IANA time zone; empty for none. */
  readonly timezone: string
  readonly timezones: readonly string[]
  readonly own: AttributeFields
}

/** Spaces are easier to read than the underscores of the IANA names. */
const timezoneOptions = (names: readonly string[]) =>
  names.map((value) => ({ value, label: value.replaceAll('_', ' ') }))

/** The parts of the name, and how messages and pages address the user. */
function details(frame: Frame, view: ProfileView, errors: FieldErrors): Html {
  const { text, languages } = frame
  const namePart = (name: 'firstName' | 'lastName', label: string, autocomplete: string) =>
    field(frame, errors, {
      name,
      label,
      autocomplete,
      maxlength: 256,
      value: view[name],
      isOptional: true,
      hint: text('profile.optional'),
    })
  return html`${namePart('firstName', text('field.firstName'), 'given-name')}${namePart('lastName', text('field.lastName'), 'family-name')}${select(
    {
      name: 'locale',
      label: text('common.language'),
      autocomplete: 'language',
      none: text('profile.automatic'),
      options: languages.map(({ tag, name }) => ({ value: tag, label: name })),
      value: view.locale,
    },
  )}${select({
    name: 'timezone',
    label: text('profile.timezone'),
    none: text('profile.automatic'),
    options: timezoneOptions(view.timezones),
    value: view.timezone,
  })}`
}

/** The file types that the operation accepts. */
const imageTypes = 'image/jpeg,image/png,image/webp,image/gif,image/avif'

function pictureForms(frame: Frame, { imageUri }: ProfileView, errors: FieldErrors) {
  const { text } = frame
  const error = errors['picture']
  const upload = form(
    frame,
    { to: '/account/profile/picture', hasFile: true },
    html`<div class="field">
        <label for="f-picture">${text('profile.pictureChoose')}</label>
        <input
          id="f-picture"
          name="picture"
          type="file"
          accept="${imageTypes}"
          required
          aria-describedby="f-picture-hint${error !== undefined && ' f-picture-error'}"
          ${error !== undefined && html`aria-invalid="true" autofocus`}
        />
        <p class="hint" id="f-picture-hint">${text('profile.pictureHint')}</p>
        ${error !== undefined && html`<p class="error" id="f-picture-error">${error}</p>`}
      </div>
      ${button(text('profile.pictureSave'), { kind: 'secondary' })}`,
  )
  const removal = form(
    frame,
    { to: '/account/profile/picture/remove' },
    button(text('profile.pictureRemove'), { kind: 'quiet' }),
  )
  return part(
    text('profile.picture'),
    html`${imageUri !== null && html`<div class="person">${picture(imageUri)}${removal}</div>`}${upload}`,
  )
}

export function profilePage(frame: Frame, view: ProfileView): string {
  const { text } = frame
  const { errors = {}, name, username, isNameRequired, isUsernameRequired } = view
  const optional = text('profile.optional')
  const fields = form(
    frame,
    { to: '/account/profile' },
    html`${field(frame, errors, {
      name: 'name',
      label: text('field.name'),
      autocomplete: 'name',
      maxlength: 256,
      value: name,
      isOptional: !isNameRequired,
      ...(isNameRequired ? {} : { hint: optional }),
    })}${
      username !== undefined &&
      field(frame, errors, {
        name: 'username',
        label: text('field.username'),
        autocomplete: 'username',
        maxlength: 64,
        value: username,
        isOptional: !isUsernameRequired,
        ...(isUsernameRequired ? {} : { hint: optional }),
      })
    }${details(frame, view, errors)}${attributeFields(frame, errors, view.own)}${button(text('account.save'))}`,
  )
  return accountPage(
    frame,
    view,
    { title: text('account.profile'), section: 'profile' },
    html`${fields}${pictureForms(frame, view, errors)}`,
  )
}
