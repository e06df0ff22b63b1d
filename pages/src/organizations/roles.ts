// A list of the roles that the reader may give.
import type { Frame } from '../frame.ts'
import { type Html, html } from '../html.ts'

export interface GivenRole {
  readonly id: string
  readonly name: string
}

export function roleSelect(frame: Frame, id: string, roles: readonly GivenRole[], current: string | null): Html {
  const { text } = frame
  const options = roles.map(
    (role) => html`<option value="${role.id}" ${role.id === current && html`selected`}>${role.name}</option> `,
  )
  return html`<div class="field">
    <label for="${id}">${text('orgs.role')}</label>
    <select id="${id}" name="roleId" dir="auto">
      <option value="">${text('orgs.noRole')}</option>
      ${options}
    </select>
  </div> `
}
