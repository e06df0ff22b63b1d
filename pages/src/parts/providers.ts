// Social providers as buttons: the service's providers with their logos, a tenant's own with the logos that it has uploaded.
import { type AnyProviderKey, type ProviderKey, providerMarks, socialProviders } from '@bailiwick/contract'
import type { Frame } from '../frame.ts'
import { type Html, html } from '../html.ts'
import { button, form } from './form.ts'

/** A provider as people see it. */
export interface ShownProvider {
  readonly key: AnyProviderKey
  readonly name: string
  /** The logo of a tenant's own provider. */
  readonly logoUri: string | null
}

const isCommon = (key: AnyProviderKey): key is ProviderKey => Object.hasOwn(socialProviders, key)

/** Returns one of the service's providers, or one of the tenant's own, even if it no longer exists. */
export const shownProvider = (key: AnyProviderKey): ShownProvider => ({
  key,
  name: isCommon(key) ? socialProviders[key].name : key.replace(/^custom-/, ''),
  logoUri: null,
})

export function markOf({ key, logoUri }: ShownProvider): Html | false {
  if (isCommon(key)) {
    return html`<svg class="provider-mark" viewBox="0 0 24 24" aria-hidden="true">
      <path d="${providerMarks[key]}" />
    </svg> `
  }
  return logoUri !== null && html`<img class="provider-mark" src="${logoUri}" alt="" width="20" height="20" /> `
}

/** @param to the path to which the choice is sent. */
export function providerButtons(
  frame: Frame,
  providers: readonly ShownProvider[],
  { to, redirectTo }: { readonly to: string; readonly redirectTo: string | undefined },
): Html | false {
  if (providers.length === 0) return false
  const buttons = providers.map((provider) =>
    button(frame.text('signIn.withProvider', { provider: provider.name }), {
      name: 'provider',
      value: provider.key,
      kind: 'secondary',
      mark: markOf(provider),
    }),
  )
  return form(frame, { to, hidden: { redirectTo } }, html`<div class="stack">${buttons}</div>`)
}
