// The search: a dialog with an input and a list of links. The index is loaded once.
import MiniSearch, { type SearchResult } from 'minisearch'
import { type FoundPart, type SearchEntry, searchOptions } from '../search/search-options.ts'

/** The name of the file with all parts, which the build puts here. */
declare const searchFileName: string

const resultsMax = 24
const excerptBefore = 30
const excerptMax = 160
const root = new URL(document.documentElement.dataset['root'] ?? './', location.href)

async function loadIndex(): Promise<MiniSearch> {
  const response = await fetch(new URL(searchFileName, root))
  if (!response.ok) throw new Error(`the parts of the search answered ${response.status}`)
  const entries = (await response.json()) as readonly SearchEntry[]
  const search = new MiniSearch(searchOptions)
  // In pieces, so that typing goes on meanwhile.
  await search.addAllAsync(
    entries.map(([page, title, address, text], id) => ({
      id,
      page,
      title: title === '' ? page : title,
      address,
      text,
    })),
    { chunkSize: 100 },
  )
  return search
}

/** Returns the words around the first one that was found. */
function findExcerpt(text: string, terms: readonly string[]): string {
  const lower = text.toLowerCase()
  const places = terms.map((term) => lower.indexOf(term)).filter((at) => at >= 0)
  const start = Math.max(0, Math.min(...places, text.length) - excerptBefore)
  const from = places.length === 0 || start === 0 ? 0 : text.indexOf(' ', start) + 1
  return `${from > 0 ? '… ' : ''}${text.slice(from, from + excerptMax)}`
}

function createText(tag: 'strong' | 'span', className: string, text: string): HTMLElement {
  return Object.assign(document.createElement(tag), { className, textContent: text })
}

function drawResult({ page, title, address, text }: FoundPart, terms: readonly string[]): HTMLLIElement {
  const item = document.createElement('li')
  const link = document.createElement('a')
  link.href = new URL(address, root).href
  link.append(createText('strong', '', title))
  if (page !== title) link.append(createText('span', 'quiet', ` ${page}`))
  if (text !== '') link.append(createText('span', 'excerpt', findExcerpt(text, terms)))
  item.append(link)
  return item
}

function createDialog() {
  const dialog = document.createElement('dialog')
  dialog.className = 'search'
  dialog.ariaLabel = 'Search'
  const input = Object.assign(document.createElement('input'), {
    type: 'search',
    placeholder: 'Search guides, operations, settings and errors',
    ariaLabel: 'Search the documentation',
    autocomplete: 'off',
    spellcheck: false,
    maxLength: 200,
  })
  const status = document.createElement('p')
  status.className = 'search-status quiet'
  status.role = 'status'
  const list = document.createElement('ul')
  dialog.append(input, status, list)
  document.body.append(dialog)
  return { dialog, input, status, list }
}

function createSearch() {
  const { dialog, input, status, list } = createDialog()
  let index: Promise<MiniSearch> | undefined
  const show = (search: MiniSearch) => {
    const text = input.value.trim()
    const found = (text === '' ? [] : search.search(text)) as (SearchResult & FoundPart)[]
    list.replaceChildren(...found.slice(0, resultsMax).map((each) => drawResult(each, each.terms)))
    const count =
      found.length > resultsMax ? `The best ${resultsMax} of ${found.length} results` : `${found.length} results`
    status.textContent =
      text === '' ? '' : found.length === 0 ? 'Nothing matches.' : found.length === 1 ? '1 result' : count
  }
  const update = async () => {
    try {
      show(await (index ??= loadIndex()))
    } catch {
      index = undefined
      status.textContent = 'The search could not be loaded. Type on to try again.'
    }
  }
  input.addEventListener('input', () => void update())
  // Arrows move between the input and the links; Enter follows the first one.
  dialog.addEventListener('keydown', (event) => {
    const links = [...list.querySelectorAll('a')]
    const at = links.indexOf(document.activeElement as HTMLAnchorElement)
    if (event.key === 'Enter' && document.activeElement === input) links[0]?.click()
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    const next = at + (event.key === 'ArrowDown' ? 1 : -1)
    ;(next < 0 ? input : links[Math.min(next, links.length - 1)])?.focus()
  })
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog || (target instanceof Element && target.closest('a') !== null)) dialog.close()
  })
  return { dialog, input, update }
}

let search: ReturnType<typeof createSearch> | undefined

/** Opens the search with a text in it. */
export function showSearch(text: string) {
  search ??= createSearch()
  const { dialog, input, update } = search
  if (!dialog.open) dialog.showModal()
  input.focus()
  // A text of its own may go on; one from before is replaced by what is typed.
  if (text === '') input.select()
  else input.value = text
  void update()
}
