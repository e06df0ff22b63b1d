// Attributes that the provider or the directory writes. A reader can choose those that users write themselves; mappings of others stay as the
// tenant has made them.
import { type AttributeMapping, type Connection, scimSources } from '@bailiwick/contract'
import type { MappingsView } from '@bailiwick/pages'
import type { PageCall } from '../call/page-call.ts'
import type { Setup } from './area.ts'

const isOpen = ({ tenant }: PageCall, key: string) =>
  tenant.attributes.some((each) => each.key === key && each.writableBy === 'user')

/** One of an attribute that no longer exists writes nothing. What comes from a section that the reader may not use stays. */
function isRemovable(page: PageCall, { view }: Setup, { attribute, claim = null, scim = null }: AttributeMapping) {
  const isAllowed = isOpen(page, attribute) || page.tenant.attributes.every((each) => each.key !== attribute)
  const { sections } = view
  return (
    isAllowed && (claim === null || sections.includes('connection')) && (scim === null || sections.includes('scim'))
  )
}

/**
 * Returns undefined if there is nothing to map, so that the page does not speak of it.
 * @param isRefused whether the form was sent and refused, so that it keeps what was entered.
 */
export function readMappings(
  page: PageCall,
  setup: Setup,
  { attributeMappings }: Connection,
  isRefused: boolean,
): MappingsView | undefined {
  const { attributes } = page.tenant
  const used = new Set(attributeMappings.map(({ attribute }) => attribute))
  const open = attributes.filter(({ key }) => isOpen(page, key))
  if (open.length + attributeMappings.length === 0) return undefined
  const free = open.filter(({ key }) => !used.has(key))
  const findEntered = (name: string, options: readonly string[]) =>
    options.find((each) => isRefused && each === page.field(name)) ?? ''
  return {
    mappings: attributeMappings.map((mapping) => ({
      key: mapping.attribute,
      attribute: attributes.find(({ key }) => key === mapping.attribute),
      claim: mapping.claim ?? null,
      scim: mapping.scim ?? null,
      canRemove: isRemovable(page, setup, mapping),
    })),
    free,
    scimSources: setup.view.sections.includes('scim') ? scimSources : undefined,
    hasClaims: setup.view.sections.includes('connection'),
    entered: {
      attribute: findEntered(
        'attribute',
        free.map(({ key }) => key),
      ),
      claim: isRefused ? (page.field('mappedClaim') ?? '') : '',
      scim: findEntered('mappedScim', scimSources),
    },
  }
}

/** Returns the mappings with the one of the form; undefined if the form is not complete. */
export function withMapping(page: PageCall, { view }: Setup, { attributeMappings }: Connection) {
  const attribute = page.field('attribute') ?? ''
  const claim = view.sections.includes('connection') ? (page.field('mappedClaim')?.trim() ?? '') : ''
  const wanted = view.sections.includes('scim') ? page.field('mappedScim') : undefined
  const scim = scimSources.find((each) => each === wanted) ?? null
  if (!isOpen(page, attribute) || (claim === '' && scim === null)) return undefined
  const mapping: AttributeMapping = { attribute, claim: claim === '' ? null : claim, scim }
  return [...attributeMappings, mapping]
}

export function withoutMapping(page: PageCall, setup: Setup, { attributeMappings }: Connection): AttributeMapping[] {
  const key = page.field('rule')
  return attributeMappings.filter((mapping) => mapping.attribute !== key || !isRemovable(page, setup, mapping))
}
