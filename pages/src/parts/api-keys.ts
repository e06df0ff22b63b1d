// API keys: a list, the form for a new one, and a new one itself, for the pages of an account and of an organization.
import type { Frame } from '../frame.ts'
import { type Html, html } from '../html.ts'
import { type FieldErrors, field } from './field.ts'
import { button, form } from './form.ts'
import { ago } from './times.ts'

export interface ShownApiKey {
  readonly id: string
  readonly name: string
  readonly scopes: readonly string[]
  readonly prefix: string
  readonly last4: string
  readonly expiresAt: string | null
  readonly lastUsedAt: string | null
}

export interface ApiKeyList {
  readonly keys: readonly ShownApiKey[]
  readonly now: string
}

const longDate = ({ language: { tag }, timezone = 'UTC' }: Frame, at: string) =>
  new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: timezone }).format(new Date(at))

function facts(frame: Frame, { expiresAt, lastUsedAt }: ShownApiKey, now: string): string {
  const { text } = frame
  const used =
    lastUsedAt === null ? text('keys.unused') : text('account.lastUsedAt', { time: ago(frame, lastUsedAt, now) })
  if (expiresAt === null) return used
  const isOver = expiresAt <= now
  return `${used} · ${isOver ? text('keys.expired') : text('keys.validUntil', { time: longDate(frame, expiresAt) })}`
}

function keyItem(frame: Frame, path: string, key: ShownApiKey, now: string): Html {
  const { text } = frame
  const { id, name, scopes, prefix, last4 } = key
  return html`<li>
    <p>
      <b><bdi>${name}</bdi></b>
    </p>
    <p class="hint"><code dir="ltr">${prefix}…${last4}</code> · ${facts(frame, key, now)}</p>
    ${scopes.length > 0 && html`<p class="hint"><bdi>${scopes.join(', ')}</bdi></p>`}
    <details>
      <summary aria-label="${text('keys.change')}: ${name}">${text('keys.change')}</summary>
      <p class="hint">${text('keys.changeHint')}</p>
      ${form(
        frame,
        { to: `${path}/${encodeURIComponent(id)}` },
        html`<div class="actions">
          ${button(text('keys.replace'), { name: 'action', value: 'replace', kind: 'secondary' })}
          ${button(text('keys.end'), { name: 'action', value: 'end', kind: 'danger' })}
        </div>`,
      )}
    </details>
  </li> `
}

/** @param path of the page, below the root. */
export function apiKeyList(frame: Frame, path: string, { keys, now }: ApiKeyList): Html {
  const { text, root } = frame
  return html`${
      keys.length === 0
        ? html`<p class="empty">${text('account.none')}</p>`
        : html`<ul class="items">
            ${keys.map((key) => keyItem(frame, path, key, now))}
          </ul> `
    }<a class="button primary" href="${root}${path}/new">${text('keys.create')}</a>`
}

export interface ApiKeyForm {
  /** The scopes that the reader can give. */
  readonly scopes: readonly string[]
  /** After how many days a key expires at the latest; 0 if it need not expire. */
  readonly daysMax: number
  /** The text that the user entered. */
  readonly name?: string | undefined
}

const usualDays = [7, 30, 90, 365]

function lifetimes({ text }: Frame, daysMax: number): Html {
  const days = usualDays.filter((each) => daysMax === 0 || each < daysMax)
  if (daysMax > 0) days.push(daysMax)
  const chosen = days.includes(90) ? 90 : days.at(-1)
  return html`<div class="field">
    <label for="days">${text('keys.lifetime')}</label>
    <select id="days" name="days">
      ${days.map(
        (each) =>
          html`<option value="${each}" ${each === chosen && html`selected`}>
            ${text('keys.days', { count: each })}
          </option> `,
      )}
      ${daysMax === 0 && html`<option value="">${text('keys.forever')}</option>`}
    </select>
  </div> `
}

export function apiKeyForm(
  frame: Frame,
  path: string,
  { scopes, daysMax, name, errors = {} }: ApiKeyForm & { readonly errors?: FieldErrors },
): Html {
  const { text } = frame
  const choices = scopes.map(
    (scope) =>
      html`<label class="choice">
        <input type="checkbox" name="scope:${scope}" value="1" />
        <span><bdi>${scope}</bdi></span>
      </label> `,
  )
  return html`${form(
      frame,
      { to: `${path}/new` },
      html`${field(frame, errors, {
        name: 'name',
        label: text('keys.name'),
        autocomplete: 'off',
        hint: text('keys.nameHint'),
        maxlength: 64,
        ...(name === undefined ? {} : { value: name }),
      })}${
        choices.length > 0 &&
        html`<div class="field" role="group" aria-labelledby="scopes">
          <p id="scopes"><b>${text('keys.scopes')}</b></p>
          ${choices}
        </div> `
      }${lifetimes(frame, daysMax)}${button(text('keys.create'))}`,
    )}<a class="button secondary" href="${frame.root}${path}">${text('account.cancel')}</a>`
}

/** A key right after it was created; it is not shown again. */
export const newApiKey = (frame: Frame, path: string, key: string): Html =>
  html`<p class="key"><code dir="ltr">${key}</code></p>
    <a class="button primary" href="${frame.root}${path}">${frame.text('common.continue')}</a>`
