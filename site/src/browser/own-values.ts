// Puts the reader's own values into the examples. The console's links bring them in the fragment, which no server sees; they are kept in the
// page's memory, and go along with links to other pages of the site. The service's own address is known wherever it serves the site.

/** What the examples of the contract contain. */
const samples = {
  origin: 'http://127.0.0.1:4000',
  tenant: 'cmi7x9q2v0f3k8d1n5r7t4w6z',
  publicKey: 'pk_dev_8sT2qLx0VbN4mYw7Rk1ZcJ',
}

const root = document.documentElement
const isServed = root.dataset['served'] !== undefined

/** Returns the anchor and the tenant of a fragment such as `#createUser&tenant=c…`. */
function readFragment(): { readonly anchor: string; readonly tenant: string | undefined } {
  const [anchor = '', ...rest] = location.hash.slice(1).split('&')
  const tenant = new URLSearchParams(rest.join('&')).get('tenant') ?? ''
  return { anchor, tenant: /^c[a-z0-9]{8,63}$/i.test(tenant) ? tenant : undefined }
}

function replaceInExamples(replacements: readonly (readonly [from: string, to: string])[]) {
  for (const code of document.querySelectorAll('.samples code, [data-origin]')) {
    const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT)
    while (texts.nextNode() !== null) {
      const { data } = texts.currentNode as Text
      const filled = replacements.reduce((text, [from, to]) => text.replaceAll(from, to), data)
      if (filled !== data) (texts.currentNode as Text).data = filled
    }
  }
}

/** Adds the tenant to a link that leads to another page of the site, for the moment in which it is followed. */
function carryAlong(tenant: string) {
  const home = new URL(root.dataset['root'] ?? './', location.href).href
  const carry = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest('a') : null
    if (link === null || !link.href.startsWith(home) || link.pathname === location.pathname) return
    const plain = link.hash
    link.hash = `${plain === '' ? '#' : plain}&tenant=${tenant}`
    setTimeout(() => (link.hash = plain))
  }
  document.addEventListener('click', carry, { capture: true })
  document.addEventListener('auxclick', carry, { capture: true })
}

interface PublicTenant {
  readonly name: string
  readonly publicKey: string
}

/** Reads what everybody may know about a tenant; undefined where the service does not serve the site. */
async function readPublicTenant(tenant: string): Promise<PublicTenant | undefined> {
  if (!isServed) return undefined
  const response = await fetch(`/frontend/api/v0/tenants/id/${tenant}`).catch(() => undefined)
  if (response?.ok !== true) return undefined
  const { data } = (await response.json()) as { readonly data: { readonly tenant: PublicTenant } }
  return data.tenant
}

/** Says so below the heading of the operation that was asked for, or of the page. */
function announce(tenant: string, name: string | undefined, anchor: string) {
  const note = document.createElement('p')
  note.className = 'own-values'
  note.setAttribute('role', 'status')
  const strong = document.createElement('strong')
  strong.textContent = name ?? ''
  const code = document.createElement('code')
  code.textContent = tenant
  note.append(
    'The examples use your tenant ',
    strong,
    name === undefined ? '' : ' (',
    code,
    name === undefined ? '.' : ').',
  )
  const heading = document.getElementById(anchor)?.querySelector('h2') ?? document.querySelector('main h1')
  heading?.after(note)
}

/** The overview of an interface links to all operations: whoever asks it for one by its id is led there. */
function findOperation(anchor: string): HTMLAnchorElement | undefined {
  const links = document.querySelectorAll<HTMLAnchorElement>('.all-operations a[href*="#"]')
  return [...links].find(({ hash }) => hash === `#${anchor}`)
}

export async function fillOwnValues() {
  const { anchor, tenant } = readFragment()
  const operation = anchor === '' ? undefined : findOperation(anchor)
  if (operation !== undefined) {
    location.replace(operation.href + (tenant === undefined ? '' : `&tenant=${tenant}`))
    return
  }
  if (isServed) replaceInExamples([[samples.origin, location.origin]])
  if (tenant === undefined) return
  history.replaceState(null, '', anchor === '' ? location.pathname : `#${anchor}`)
  document.getElementById(anchor)?.scrollIntoView()
  carryAlong(tenant)
  if (document.querySelector('.samples') === null) return
  replaceInExamples([[samples.tenant, tenant]])
  const known = await readPublicTenant(tenant)
  if (known !== undefined) replaceInExamples([[samples.publicKey, known.publicKey]])
  announce(tenant, known?.name, anchor)
}
