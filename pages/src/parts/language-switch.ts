import type { Frame } from '../frame.ts'
import { type Html, html } from '../html.ts'

/** A globe shows the purpose of the list to people who cannot read the page. */
const globe = html`<svg
  viewBox="0 0 24 24"
  width="16"
  height="16"
  fill="none"
  stroke="currentColor"
  stroke-width="2"
  aria-hidden="true"
>
  <circle cx="12" cy="12" r="10" />
  <path d="M2 12h20M12 2c6 6 6 14 0 20M12 2c-6 6-6 14 0 20" />
</svg>`

/** Links to the page in other languages; nothing if there is only one language. */
export function languageSwitch({ languages, language, address, text }: Frame): Html | false {
  if (languages.length < 2) return false
  const current = languages.find(({ tag }) => tag === language.tag)
  const hrefOf = (tag: string) => {
    const [path = '', query = ''] = address.split('?', 2)
    const parameters = new URLSearchParams(query)
    parameters.set('lang', tag)
    return `${path}?${parameters.toString()}`
  }
  const items = languages.map(({ tag, name }) =>
    tag === language.tag
      ? html`<li><span aria-current="true" lang="${tag}">${name}</span></li>`
      : html`<li><a href="${hrefOf(tag)}" lang="${tag}" hreflang="${tag}">${name}</a></li>`,
  )
  return html`<details class="languages">
    <summary>${globe}<span class="unseen">${text('common.language')}: </span>${current?.name ?? language.tag}</summary>
    <ul>
      ${items}
    </ul>
  </details> `
}
