// The link of a security notice, with which the reader says that it was somebody else. The service adds it below the body, whatever the
// template is: whoever writes a template could otherwise lead users elsewhere, or read the link.
import type { Language } from '@bailiwick/contract'
import { type OwnTexts, textIn } from '../rendering/default-messages.ts'
import { textsIn } from '../rendering/message-texts.ts'

interface Body {
  readonly html: string | null
  readonly text: string
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escape = (text: string) => text.replaceAll(/[&<>"]/g, (character) => escapes[character] ?? character)

/** A body that is a whole document gets the paragraph before its end. */
function inside(body: string, paragraph: string): string {
  const end = body.toLowerCase().lastIndexOf('</body>')
  return end === -1 ? `${body}\n${paragraph}` : `${body.slice(0, end)}${paragraph}\n${body.slice(end)}`
}

/** Returns the message with the link below its body. */
export async function withSecurityLink<B extends Body>(
  body: B,
  link: string,
  language: Language,
  own: OwnTexts,
): Promise<B> {
  const texts = await textsIn(language)
  const [why, action] = [textIn(texts, own, 'secureIntro'), textIn(texts, own, 'secureAction')]
  const paragraph = `<p>${escape(why)}</p>\n<p class="button"><a href="${escape(link)}">${escape(action)}</a></p>`
  return {
    ...body,
    html: body.html === null ? null : inside(body.html, paragraph),
    text: `${body.text.trimEnd()}\n\n${why}\n${action}: ${link}`,
  }
}
