import type { Frame } from '../frame.ts'
import { type Html, html } from '../html.ts'

/** The identifier of the person who signs in, with a link to choose another one. */
export const who = ({ text, root }: Frame, identifier: string, changeAt: string): Html =>
  html`<p class="who"><bdi>${identifier}</bdi> <a href="${root}${changeAt}">${text('signIn.change')}</a></p> `

/** Shows a web address that, if the line is too short, breaks between its origin and its path and not at a hyphen. */
export function webAddress(address: string): Html {
  const [, origin = address, path = ''] = /^(\w+:\/\/[^/]+)(\/.*)$/.exec(address) ?? []
  return html`<span class="address" dir="ltr"><span>${origin}</span><span>${path}</span></span>`
}

/** Shows an e-mail address that breaks before its domain if the line is too short. */
function breakable(address: string | Html): string | Html {
  const at = typeof address === 'string' ? address.lastIndexOf('@') : -1
  if (typeof address !== 'string' || at === -1) return address
  return html`${address.slice(0, at)}<wbr />${address.slice(at)}`
}

/** A sentence about an address, which is isolated from the sentence's own direction. */
export function withAddress(sentence: (address: string) => string, address: string | Html): Html {
  const mark = '\u{e000}'
  const [before = '', after = ''] = sentence(mark).split(mark, 2)
  return html`${before}<b><bdi>${breakable(address)}</bdi></b
    >${after}`
}
