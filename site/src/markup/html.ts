// Templates of HTML in which every value is escaped unless it is markup already.

/** Markup that may be put into a page as it is. */
export interface Markup {
  readonly markup: string
}

type Value = string | number | false | undefined | Markup | readonly Value[]

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export const escapeText = (text: string): string => text.replaceAll(/[&<>"']/g, (char) => entities[char] ?? char)

function write(value: Value): string {
  if (value === undefined || value === false) return ''
  if (typeof value === 'string') return escapeText(value)
  if (typeof value === 'number') return String(value)
  return 'markup' in value ? value.markup : value.map(write).join('')
}

/** Marks text as markup. It must not contain anything that is not escaped. */
export const asMarkup = (markup: string): Markup => ({ markup })

/** Returns the template with its values escaped; `undefined` and `false` leave nothing, and a list is written one after the other. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Markup {
  let markup = strings[0] ?? ''
  for (const [index, value] of values.entries()) markup += write(value) + (strings[index + 1] ?? '')
  return { markup }
}
