// The frame of the organization pages: the link back, the parts of an organization, and the result of the last action.
import { type Frame, heading, page } from '../frame.ts'
import { type Html, type Shown, html } from '../html.ts'
import { type FieldErrors, notice } from '../parts/field.ts'
import { link } from '../parts/form.ts'
import { isolated } from '../parts/isolated.ts'

export type OrganizationSection =
  | 'details'
  | 'members'
  | 'groups'
  | 'roles'
  | 'invitations'
  | 'domains'
  | 'security'
  | 'rules'
  | 'keys'

/** An organization as every page about it shows it. */
export interface ShownOrganization {
  readonly id: string
  readonly name: string
  /** Present only if it comes from an origin from which pages may load images. */
  readonly pictureUri: string | null
  /** The parts that the reader may see. */
  readonly sections: readonly OrganizationSection[]
}

/** The data that every page of the area needs. */
export interface AreaView {
  readonly errors?: FieldErrors
  /** The result of the last action, as a sentence. */
  readonly done?: string | undefined
}

export interface AreaOptions {
  readonly title: string
  readonly lead?: Html | string | undefined
}

export interface OrganizationView extends AreaView {
  readonly organization: ShownOrganization
}

export const organizationPath = ({ id }: Pick<ShownOrganization, 'id'>, ...parts: readonly string[]): string =>
  ['/organizations', id, ...parts].map((part, index) => (index === 0 ? part : encodeURIComponent(part))).join('/')

function pathOfSection(section: OrganizationSection): readonly string[] {
  if (section === 'details') return []
  return section === 'rules' ? ['security', 'rules'] : [section]
}

function labelSection({ text }: Frame, section: OrganizationSection): string {
  if (section === 'details') return text('orgs.details')
  if (section === 'members') return text('orgs.membersTitle')
  if (section === 'groups') return text('orgs.groupsTitle')
  if (section === 'roles') return text('orgs.rolesTitle')
  if (section === 'invitations') return text('orgs.invitationsTitle')
  if (section === 'rules') return text('orgs.rulesTitle')
  if (section === 'keys') return text('account.keys')
  return section === 'domains' ? text('orgs.domainsTitle') : text('setup.signOn')
}

function card(view: AreaView, { title, lead }: AreaOptions, content: Shown): Html {
  const { errors = {}, done } = view
  return html`${heading(title, lead)}${notice(errors['form'])}${notice(done, 'done')}${content}`
}

const isRefused = ({ errors = {} }: AreaView) => Object.keys(errors).length > 0

/** A page that is not about a single organization. */
export function organizationsPage(
  frame: Frame,
  view: AreaView,
  options: AreaOptions & { readonly back: 'account' | 'organizations' },
  content: Shown,
): string {
  const { text, root } = frame
  const isList = options.back === 'account'
  const [path, label] = isList ? ['/account', text('orgs.account')] : ['/organizations', text('orgs.title')]
  const navigation = html`<nav aria-label="${text('orgs.breadcrumb')}">
    <a class="back" href="${root}${path}">${label}</a>
    <ul>
      <li>${link(frame, '/account', text('orgs.account'))}</li>
      <li><a href="${root}/organizations" ${isList && html`aria-current="page"`}>${text('orgs.title')}</a></li>
      <li><a href="${root}/organizations/new" ${!isList && html`aria-current="page"`}>${text('orgs.create')}</a></li>
    </ul>
  </nav>`
  return page(frame, { title: options.title, isRefused: isRefused(view), navigation }, card(view, options, content))
}

/** A page about one organization. */
export function organizationPage(
  frame: Frame,
  view: OrganizationView,
  options: AreaOptions & { readonly section: OrganizationSection },
  content: Shown,
): string {
  const { text, root } = frame
  const { organization } = view
  const items = organization.sections.map((section) => {
    const path = organizationPath(organization, ...pathOfSection(section))
    return html`<li>
      <a href="${root}${path}" ${section === options.section && html`aria-current="page"`}
        >${labelSection(frame, section)}</a
      >
    </li> `
  })
  const navigation = html`<nav class="tabs" aria-label="${text('orgs.sections')}">
    <a class="back" href="${root}/organizations">${text('orgs.title')}</a>
    <ul>
      <li class="up">${link(frame, '/organizations', text('orgs.title'))}</li>
      ${items}
    </ul>
  </nav>`
  const isAbout = options.section === 'details'
  return page(
    frame,
    {
      title: isAbout ? options.title : `${options.title} · ${isolated(frame, organization.name)}`,
      isRefused: isRefused(view),
      navigation,
    },
    html`${!isAbout && html`<p class="of">${avatar(organization, 'small')}<bdi>${organization.name}</bdi></p>`}${card(view, options, content)}`,
  )
}

/** The picture, or the first letter of the name instead, which screen readers skip because they read the name beside it. */
export function avatar(
  { name, pictureUri }: Pick<ShownOrganization, 'name' | 'pictureUri'>,
  size: 'small' | 'medium' = 'medium',
): Html {
  if (pictureUri !== null) return html`<img class="avatar ${size}" src="${pictureUri}" alt="" />`
  return html`<span class="avatar ${size}" aria-hidden="true">${firstLetter(name)}</span>`
}

const graphemes = new Intl.Segmenter()
const isLetter = /^[\p{L}\p{N}\p{Extended_Pictographic}]/u

/** Direction marks and punctuation are skipped, because they are not letters. */
function firstLetter(name: string): string {
  let count = 0
  for (const { segment } of graphemes.segment(name)) {
    if (isLetter.test(segment)) return segment.toLocaleUpperCase()
    if (++count > 20) break
  }
  return '·'
}

export interface PagerView {
  /** The cursors of the neighbouring pages. */
  readonly prev: string | null
  readonly next: string | null
}

/** Links to the other pages of a list; nothing if the list has only one page. */
export function pager(frame: Frame, path: string, { prev, next }: PagerView): Html | false {
  if (prev === null && next === null) return false
  const { text } = frame
  const to = (cursor: string) => `${path}?${new URLSearchParams({ cursor }).toString()}`
  return html`<div class="row" role="navigation" aria-label="${text('orgs.pages')}">
    <span>${prev !== null && link(frame, to(prev), text('orgs.previous'))}</span>
    <span>${next !== null && link(frame, to(next), text('orgs.next'))}</span>
  </div> `
}
