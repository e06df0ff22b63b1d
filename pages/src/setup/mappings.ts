// Which details of the tenant's own users get from what the provider and the directory send.
import type { Attribute } from '@bailiwick/contract'
import type { Frame } from '../frame.ts'
import { type Html, html } from '../html.ts'
import { localized } from '../parts/attributes.ts'
import { field } from '../parts/field.ts'
import { button, form } from '../parts/form.ts'
import { select } from '../parts/select.ts'
import { type SetupView, setupPath } from './shell.ts'

export interface ShownMapping {
  /** The key of the attribute, and the attribute itself unless the tenant has removed it. */
  readonly key: string
  readonly attribute: Attribute | undefined
  readonly claim: string | null
  readonly scim: string | null
  readonly canRemove: boolean
}

export interface MappingsView {
  readonly mappings: readonly ShownMapping[]
  /** The attributes that the reader can still choose. */
  readonly free: readonly Attribute[]
  /** What the directory's users have; undefined where the reader may not set the directory up. */
  readonly scimSources: readonly string[] | undefined
  /** Whether the reader may say what is taken from sign-ins. */
  readonly hasClaims: boolean
  /** What the reader entered; empty texts at first. */
  readonly entered: { readonly attribute: string; readonly claim: string; readonly scim: string }
}

type View = SetupView & { readonly connectionId: string; readonly basis: string }

const nameAttribute = (frame: Frame, { label, key }: Attribute) => localized(label, frame) ?? key

function mappingItem(frame: Frame, view: View, { key, attribute, claim, scim, canRemove }: ShownMapping): Html {
  const { text } = frame
  const name = attribute === undefined ? key : nameAttribute(frame, attribute)
  return html`<li>
    <div>
      <p><bdi>${name}</bdi></p>
      <p class="hint">
        ${claim !== null && html`${text('setup.claim')}: <bdi>${claim}</bdi> `}${scim !== null && html`SCIM: <bdi>${scim}</bdi>`}
      </p>
    </div>
    ${
      canRemove &&
      form(
        frame,
        target(view, 'remove-mapping', { rule: key }),
        button(text('setup.removeRule'), { kind: 'quiet', spoken: text('setup.removeMappingLabel', { name }) }),
      )
    }
  </li> `
}

const target = (view: View, action: string, more: Readonly<Record<string, string>> = {}) => ({
  to: setupPath(view, 'roles'),
  hidden: { action, id: view.connectionId, basis: view.basis, ...more },
})

export function mappingSection(frame: Frame, view: View, current: MappingsView): Html {
  const { text } = frame
  const { mappings, free, scimSources, hasClaims, entered } = current
  const choices = html`${select({
    name: 'attribute',
    label: text('setup.attribute'),
    none: text('setup.choose'),
    options: free.map((each) => ({ value: each.key, label: nameAttribute(frame, each) })),
    value: entered.attribute,
  })}${
    hasClaims &&
    field(
      frame,
      {},
      {
        name: 'mappedClaim',
        label: text('setup.claim'),
        autocomplete: 'off',
        isOptional: true,
        value: entered.claim,
        maxlength: 256,
      },
    )
  }${
    scimSources !== undefined &&
    select({
      name: 'mappedScim',
      label: text('setup.scimAttribute'),
      none: text('setup.choose'),
      options: scimSources.map((value) => ({ value, label: value })),
      value: entered.scim,
    })
  }${button(text('setup.addMapping'), { kind: 'secondary' })}`
  return html`<section>
    <h2>${text('setup.mappings')}</h2>
    <p class="hint">${text('setup.mappingsAbout')}</p>
    ${
      mappings.length > 0 &&
      html`<ul class="list plain">
        ${mappings.map((each) => mappingItem(frame, view, each))}
      </ul> `
    }${free.length > 0 && form(frame, target(view, 'add-mapping'), choices)}
  </section> `
}
