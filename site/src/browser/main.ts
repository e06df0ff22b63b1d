// What every page does beside being read: light or dark, copying code, the language of the examples, own values in them, and, loaded
// when they are first used, the search and the form that sends an example.
import { fillOwnValues } from './own-values.ts'

const root = document.documentElement

const themes = ['system', 'light', 'dark'] as const
/** The console keeps its choice under the same name. */
const themeKey = 'bailiwick-console-theme'
const languageKey = 'bailiwick-docs-language'

function chooseTheme(button: HTMLElement, theme: string) {
  root.dataset['theme'] = theme
  const next = themes[(themes.indexOf(theme as (typeof themes)[number]) + 1) % themes.length] ?? 'system'
  const names = { system: 'as the system', light: 'light', dark: 'dark' }
  button.setAttribute('aria-label', `Colours: ${names[theme as keyof typeof names]}. Change to ${names[next]}`)
  button.textContent = theme === 'system' ? '◐' : theme === 'light' ? '☀' : '☾'
  button.dataset['next'] = next
}

function prepareTheme() {
  const button = document.querySelector<HTMLElement>('[data-theme-button]')
  if (button === null) return
  button.hidden = false
  const stored = root.dataset['theme'] ?? 'system'
  chooseTheme(button, (themes as readonly string[]).includes(stored) ? stored : 'system')
  button.addEventListener('click', () => {
    const theme = button.dataset['next'] ?? 'system'
    localStorage.setItem(themeKey, theme)
    chooseTheme(button, theme)
  })
}

function chooseLanguage(language: string) {
  root.dataset['language'] = language
  for (const button of document.querySelectorAll<HTMLElement>('[data-choose]')) {
    button.setAttribute('aria-pressed', String(button.dataset['choose'] === language))
  }
}

async function copyCode(button: HTMLElement) {
  const code = button.parentElement?.querySelector('code')?.textContent ?? ''
  const wasCopied = await navigator.clipboard.writeText(code).then(
    () => true,
    () => false,
  )
  button.textContent = wasCopied ? 'Copied' : 'Select and copy'
  setTimeout(() => (button.textContent = 'Copy'), 2000)
}

/** Opens the search. What is typed until its code is loaded becomes its text. */
async function openSearch(text = '') {
  let typed = text
  const keep = (event: KeyboardEvent) => {
    if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    event.stopPropagation()
    typed += event.key
  }
  document.addEventListener('keydown', keep, { capture: true })
  try {
    const { showSearch } = await import('./search-dialog.ts')
    showSearch(typed)
  } finally {
    document.removeEventListener('keydown', keep, { capture: true })
  }
}

const isTyping = (target: EventTarget | null) =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null

/** Opens the search on `/` and on Ctrl or ⌘ with K, as the console does. */
function listenForSearch() {
  const button = document.querySelector<HTMLElement>('[data-search]')
  if (button === null) return
  button.hidden = false
  button.addEventListener('click', () => void openSearch())
  document.addEventListener('keydown', (event) => {
    const isShortcut = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k'
    if (!isShortcut && (event.key !== '/' || isTyping(event.target))) return
    event.preventDefault()
    void openSearch()
  })
}

document.addEventListener('click', ({ target }) => {
  if (!(target instanceof Element)) return
  const copy = target.closest<HTMLElement>('.copy')
  if (copy !== null) void copyCode(copy)
  const language = target.closest<HTMLElement>('[data-choose]')?.dataset['choose']
  if (language !== undefined) {
    const place = target.getBoundingClientRect().top
    localStorage.setItem(languageKey, language)
    chooseLanguage(language)
    // The examples above have changed their heights; what was clicked stays where it was.
    scrollBy(0, target.getBoundingClientRect().top - place)
  }
  const tried = target.closest<HTMLElement>('.try')
  if (tried !== null) void import('./try-request.ts').then(({ showTryForm }) => showTryForm(tried))
  // On a phone the list of pages covers the page to which a link in it leads.
  if (target.closest('.pages a') !== null) document.querySelector<HTMLElement>('.pages:popover-open')?.hidePopover()
})

prepareTheme()
chooseLanguage(root.dataset['language'] === 'ts' ? 'ts' : 'curl')
listenForSearch()
void fillOwnValues()
const wanted = /^#search=([^&]*)/.exec(location.hash)?.[1]
if (wanted !== undefined) void openSearch(decodeURIComponent(wanted))
