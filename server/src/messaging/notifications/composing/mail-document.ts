// The page around an e-mail's body: logo, card and footer in the tenant's colours. Gmail and Outlook support neither variables nor most of
// CSS, and drop what they do not support. So tables do the layout, every colour is set on each element, and the style sheet in the head
// only adds what is dispensable: dark mode and small screens.
import { type Brand, directionOf } from '@bailiwick/contract'
import { type MailTheme, darkTheme, lightTheme, radiusOf } from './mail-theme.ts'

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escape = (text: string) => text.replaceAll(/[&<>"]/g, (character) => escapes[character] ?? character)

export interface MailPage {
  readonly title: string
  readonly brand: Brand
  /** The language of the body, if it is known; screen readers use it. */
  readonly language: string | undefined
  readonly tenantName: string
  readonly logoUri: string | null
  readonly darkLogoUri: string | null
  /** The text that lists of messages show beside the subject. */
  readonly preview: string
  /** Shown below the card. */
  readonly footer: { readonly text: string; readonly links: readonly { readonly text: string; readonly uri: string }[] }
}

const fonts = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
const width = 560
/** Longer codes are meant to be pasted. */
const typedCodeLengthMax = 12

/** Keeps mail programs from showing the body after a short preview text. */
const filler = '&#847;&zwnj;&nbsp;'.repeat(40)

interface Look {
  readonly theme: MailTheme
  readonly radius: number
  /** The side on which lines begin. */
  readonly start: 'left' | 'right'
}

/** Returns the visible length of a piece of HTML without tags. */
const lengthOf = (html: string) => html.replaceAll(/&[^;]{1,10};/g, '.').length

const codeBox =
  ({ theme, radius }: Look) =>
  (_match: string, code: string) => {
    const font =
      lengthOf(code) <= typedCodeLengthMax ? 'font-size:32px;letter-spacing:6px' : 'font-size:15px;word-break:break-all'
    return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 20px"><tr>
<td class="code" dir="ltr" align="center" bgcolor="${theme.code}" style="padding:18px 12px;border-radius:${radius}px;background:${theme.code};color:${theme.codeText};font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-weight:600;line-height:1.4;${font}">${code}</td>
</tr></table>`
  }

const buttonBox =
  ({ theme, radius, start }: Look) =>
  (_match: string, href: string, text: string) =>
    `<table role="presentation" cellpadding="0" cellspacing="0" border="0" align="${start}" style="margin:4px 0 24px"><tr>
<td class="button" align="center" bgcolor="${theme.button}" style="border-radius:${radius}px;border:1px solid ${theme.buttonBorder};background:${theme.button};mso-padding-alt:12px 24px"><a href="${href}" style="display:inline-block;padding:12px 24px;${fonts};font-size:16px;font-weight:600;line-height:1.25;color:${theme.buttonText};text-decoration:none">${text}</a></td>
</tr></table><div style="clear:both;line-height:0;font-size:0">&#8203;</div>`

/** Adds inline styles to the plain elements and the three classes that templates use. */
function styled(body: string, look: Look): string {
  const { theme } = look
  const text = `margin:0 0 16px;font-size:16px;line-height:1.5;color:${theme.text}`
  return body
    .replaceAll(/<p class="code">([^<]*)<\/p>/g, codeBox(look))
    .replaceAll(/<p class="button"><a href="([^"<>]*)">([^<]*)<\/a><\/p>/g, buttonBox(look))
    .replaceAll(
      '<p class="note">',
      `<p class="quiet" style="margin:0 0 16px;font-size:14px;line-height:1.5;color:${theme.quiet}">`,
    )
    .replaceAll(
      '<h1>',
      `<h1 class="text" style="margin:0 0 16px;font-size:22px;line-height:1.3;font-weight:600;color:${theme.text}">`,
    )
    .replaceAll('<p>', `<p class="text" style="${text}">`)
    .replaceAll(/(<p [^<>]*>[^<]*)<a href="/g, `$1<a class="link" style="color:${theme.link}" href="`)
}

function styleSheet(dark: MailTheme): string {
  const rules = [
    ['.page', `background:${dark.page}!important`],
    ['.card', `background:${dark.card}!important;border-color:${dark.border}!important`],
    ['.text', `color:${dark.text}!important`],
    ['.name', `color:${dark.name}!important`],
    ['.footer', `color:${dark.footer}!important`],
    ['.quiet', `color:${dark.quiet}!important`],
    ['.link', `color:${dark.link}!important`],
    ['.button', `background:${dark.button}!important;border-color:${dark.buttonBorder}!important`],
    ['.button a', `color:${dark.buttonText}!important`],
    ['.code', `background:${dark.code}!important;color:${dark.codeText}!important`],
  ] as const
  const inDark = rules.map(([selector, declarations]) => `${selector}{${declarations}}`).join('')
  // Outlook's apps add this attribute to elements that they have darkened.
  const inOutlook = rules.map(([selector, declarations]) => `[data-ogsc] ${selector}{${declarations}}`).join('')
  return `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (max-width:480px){.outside{padding:16px 8px!important}.card{padding:24px 20px 8px!important}}
@media (prefers-color-scheme:dark){${inDark}.for-light{display:none!important}.for-dark{display:inline-block!important}}
${inOutlook}`
}

/** Returns the logo, or the name if there is none. */
function header({ tenantName, logoUri, darkLogoUri }: MailPage, theme: MailTheme): string {
  const name = escape(tenantName)
  const image = (uri: string, more: string) =>
    `<img src="${escape(uri)}" alt="${name}" height="40" ${more}border:0;height:40px;max-width:240px;${fonts};font-size:20px;font-weight:600;color:${theme.name}">`
  if (logoUri === null) {
    return `<span class="name" style="${fonts};font-size:20px;font-weight:600;color:${theme.name};word-break:break-word">${name}</span>`
  }
  if (darkLogoUri === null) return image(logoUri, 'style="')
  return (
    image(logoUri, 'class="for-light" style="') +
    // Outlook on Windows shows hidden elements without this.
    `<!--[if !mso]><!-->${image(darkLogoUri, 'class="for-dark" style="display:none;')}<!--<![endif]-->`
  )
}

function footerOf({ footer: { text, links } }: MailPage, theme: MailTheme): string {
  const anchors = links.map(
    (link) => `<a class="footer" href="${escape(link.uri)}" style="color:${theme.footer}">${escape(link.text)}</a>`,
  )
  return [escape(text), ...(anchors.length === 0 ? [] : [anchors.join(' &nbsp;·&nbsp; ')])].join('<br>\n')
}

/** Returns the complete document. A body that is a document already is left unchanged. */
export function mailDocument(body: string, page: MailPage): string {
  if (/<html[\s>]/i.test(body.slice(0, 1000))) return body
  const { title, brand, language } = page
  const theme = lightTheme(brand)
  const direction = directionOf(language ?? '')
  const start = direction === 'rtl' ? 'right' : 'left'
  const radius = radiusOf(brand)
  return `<!doctype html>
<html${language === undefined ? '' : ` lang="${escape(language)}"`} dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="x-apple-disable-message-reformatting">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escape(title)}</title>
<style>
${styleSheet(darkTheme(brand))}
</style>
</head>
<body class="page" bgcolor="${theme.page}" style="margin:0;padding:0;background:${theme.page};-webkit-text-size-adjust:100%">
<div style="display:none;max-height:0;max-width:0;overflow:hidden;opacity:0;font-size:1px;line-height:1px;color:${theme.page};mso-hide:all">${escape(page.preview)}${filler}</div>
<table class="page" role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="${theme.page}" style="background:${theme.page}">
<tr><td class="outside" align="center" style="padding:32px 16px">
<!--[if mso]><table role="presentation" width="${width}" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:${width}px" dir="${direction}">
<tr><td align="${start}" style="padding:0 8px 20px">${header(page, theme)}</td></tr>
<tr><td class="card text" align="${start}" bgcolor="${theme.card}" style="padding:32px 32px 16px;border:1px solid ${theme.border};border-radius:${Math.min(16, radius + 4)}px;background:${theme.card};${fonts};font-size:16px;line-height:1.5;color:${theme.text};word-break:break-word">
${styled(body, { theme, radius, start })}
</td></tr>
<tr><td class="footer" align="${start}" style="padding:20px 8px 0;${fonts};font-size:13px;line-height:1.6;color:${theme.footer};word-break:break-word">
${footerOf(page, theme)}
</td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr>
</table>
</body>
</html>
`
}
