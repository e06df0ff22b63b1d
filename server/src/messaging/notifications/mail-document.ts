// The page that an e-mail's body stands in, with the tenant's colours. Mail programs know neither variables nor most of CSS:
// everything is written out, and a colour that none of them would understand is left to them.
import { type Brand, cssColor } from '@bailiwick/contract'

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escape = (text: string) => text.replaceAll(/[&<>"]/g, (character) => escapes[character] ?? character)

const styleOf = (property: string, value: string | undefined) => {
  const color = value === undefined ? undefined : cssColor(value)
  return color === undefined ? '' : `${property}:${escape(color)};`
}

export interface MailPage {
  readonly title: string
  readonly brand: Brand
  /** Of the body, where it is known: programs that read aloud go by it. */
  readonly language: string | undefined
}

/** A body that is a document already stays as its author made it. */
export function mailDocument(body: string, { title, brand, language }: MailPage): string {
  if (/<html[\s>]/i.test(body.slice(0, 1000))) return body
  const page = `margin:0;padding:24px;${styleOf('background', brand.background)}${styleOf('color', brand.foreground)}`
  const top = styleOf('border-top-color', brand.primary)
  const card =
    `max-width:560px;margin:0 auto;padding:24px;border-top:4px solid #888;${top}` +
    `${styleOf('background', brand.card)}${styleOf('color', brand.cardForeground)}`
  const links = styleOf('color', brand.primary)
  return `<!doctype html>
<html${language === undefined ? '' : ` lang="${escape(language)}"`}>
<head><meta charset="utf-8"><title>${escape(title)}</title>${links === '' ? '' : `<style>a{${links}}</style>`}</head>
<body style="${page}font-family:system-ui,sans-serif;line-height:1.5">
<div style="${card}">
${body}
</div>
</body>
</html>
`
}
