// Colours code while the site is built, so that pages need no script for it.
import { createRequire } from 'node:module'
import { type Markup, asMarkup, escapeText, html } from '../markup/html.ts'

/** The part of highlight.js that is used; its own types would bring those of browsers to all of the repository. */
interface Highlighter {
  readonly registerLanguage: (name: string, language: unknown) => void
  readonly getLanguage: (name: string) => object | undefined
  readonly highlight: (code: string, options: { readonly language: string }) => { readonly value: string }
}

const languages = [
  'apache',
  'bash',
  'css',
  'dockerfile',
  'ini',
  'javascript',
  'json',
  'nginx',
  'python',
  'sql',
  'typescript',
  'xml',
  'yaml',
]
const require = createRequire(import.meta.url)
const hljs = require('highlight.js/lib/core') as Highlighter
for (const name of languages) hljs.registerLanguage(name, require(`highlight.js/lib/languages/${name}`))

/** Names of fences and extensions of files for which the library has another name, or none of the aliases. */
const aliases: Readonly<Record<string, string>> = { service: 'ini', cfg: '', conf: 'nginx', tpl: 'yaml', sh: 'bash' }

/** @param language as a fence or a file's extension names it; without a known one the code stays plain. */
export function codeBlock(code: string, language = ''): Markup {
  const name = aliases[language] ?? language
  const isKnown = name !== '' && hljs.getLanguage(name) !== undefined
  const text = isKnown ? hljs.highlight(code, { language: name }).value : escapeText(code)
  // It scrolls, and so it must be reachable by keyboard.
  return html`<div class="code">
    <pre tabindex="0"><code>${asMarkup(text)}</code></pre>
    <button type="button" class="copy" aria-label="Copy code">Copy</button>
  </div>`
}
