// What the contact sheets show: each screen of the console, and its states that no address has.
import type { Page } from 'playwright-core'
import { screens } from '../src/screens/screens.ts'
import type { Demo } from './demo-data.ts'

export type Who = 'operator' | 'administrator' | 'member' | 'nobody'

export interface View {
  readonly name: string
  /** Below /console. */
  readonly path: string
  /** The operator of a development deployment, without signing in, unless it says otherwise. */
  readonly who: Who
  /** What is done before the picture is taken. */
  readonly act?: (page: Page) => Promise<void>
}

type State = readonly [name: string, path: string, act: (page: Page) => Promise<void>]

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()

async function openPalette(page: Page) {
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('menuitem').first().waitFor()
}

/** States of the tenant that is in use: dialogs, errors, what was found, code. */
const states: readonly State[] = [
  ['palette', '', openPalette],
  [
    'palette, searching',
    '',
    async (page) => {
      await openPalette(page)
      await page.keyboard.type('ada')
      await page.getByRole('dialog').getByText('Ada Lovelace').first().waitFor()
    },
  ],
  ['tenant switcher', '', press(/^Northwind Traders/)],
  ['account menu', '', press(/^Account/)],
  ['users, nothing found', 'users?query=nobody+at+all', async () => undefined],
  [
    'users/new, errors and code',
    'users/new',
    async (page) => {
      await page.getByText('As code').click()
      await page.getByLabel(/^E-mail/).fill('not an address')
      await press('Create user')(page)
    },
  ],
  ['users/id, security', 'users/$id?tab=security', async () => undefined],
  ['users/id, activity', 'users/$id?tab=activity', async () => undefined],
  ['users/id, dialog', 'users/$id', press('Suspend')],
  ['toast', 'environment', press(/^Copy BAILIWICK_PUBLIC_KEY/)],
  [
    'sign-in-rules, unsaved',
    'sign-in-rules?tab=how',
    async (page) => {
      await page.getByLabel('E-mail address and password', { exact: true }).click()
      await page.getByText('would be locked out').waitFor()
    },
  ],
  [
    'sign-in-rules, history',
    'sign-in-rules?tab=history',
    async (page) => {
      await page.getByText('Version 2', { exact: true }).click()
      await press('What going back would change')(page)
    },
  ],
  [
    'explain, answered',
    'explain',
    async (page) => {
      await page.getByLabel(/^E-mail address, phone/).fill('ada.lovelace@northwind.example')
      await press('Explain')(page)
      await page
        .getByRole('heading', { level: 2, name: /sign in/ })
        .first()
        .waitFor()
    },
  ],
]

const isList = (path: string) => !path.includes('$') && !path.includes('/')

/** @returns every view, in the order of the screens. */
export function viewsOf({ tenant, freshTenant, ids }: Demo): readonly View[] {
  const below = (id: string, path: string) => `/t/${id}${path === '' ? '' : `/${path}`}`
  const views: View[] = []
  for (const { path } of screens) {
    const view = path === '' ? 'overview' : path === '/' ? 'tenants' : path.replace(/^\//, '')
    if (path.startsWith('/')) {
      views.push({ name: view, path, who: 'operator' })
      continue
    }
    // A screen below a record is shown for that record.
    const id = ids[path] ?? ids[path.split('/').slice(0, 2).join('/')]
    if (path.includes('$') && id === undefined) throw new Error(`the demo data has no record for ${path}`)
    views.push({
      name: view,
      path: below(tenant.id, path.replace(/\$(?:groupId|roleId)/, (name) => ids[name] ?? '').replace('$id', id ?? '')),
      who: 'operator',
    })
    for (const [state, at, act] of states) {
      if (at.split('?')[0] !== path) continue
      views.push({ name: state, path: below(tenant.id, at.replace('$id', id ?? '')), who: 'operator', act })
    }
    if (isList(path)) views.push({ name: `${view}, empty`, path: below(freshTenant.id, path), who: 'operator' })
  }
  return [
    ...views,
    { name: 'sign-in', path: '/', who: 'nobody' },
    { name: 'as an administrator', path: below(tenant.id, ''), who: 'administrator' },
    { name: 'as a member with few rights', path: below(tenant.id, 'roles'), who: 'member' },
    { name: 'no permission', path: below(tenant.id, 'billing'), who: 'member' },
    { name: 'no such page', path: below(tenant.id, 'nothing'), who: 'operator' },
    { name: 'no such tenant', path: below('cmi7x9q2v0f3k8d1n5r7t4w6z', ''), who: 'operator' },
  ]
}
