// Social providers as buttons.
import type { ProviderKey } from '@bailiwick/contract'
import type { Frame } from '../frame.ts'
import { type Html, html } from '../html.ts'
import { button, form } from './form.ts'
import { providerMark } from './provider-marks.ts'

export const providerNames: Readonly<Record<ProviderKey, string>> = {
  google: 'Google',
  github: 'GitHub',
  gitlab: 'GitLab',
  apple: 'Apple',
  facebook: 'Facebook',
}

/** @param to the path that the choice is sent to. */
export function providerButtons(
  frame: Frame,
  providers: readonly ProviderKey[],
  { to, redirectTo }: { readonly to: string; readonly redirectTo: string | undefined },
): Html | false {
  if (providers.length === 0) return false
  const buttons = providers.map((key) =>
    button(frame.text('signIn.withProvider', { provider: providerNames[key] }), {
      name: 'provider',
      value: key,
      kind: 'secondary',
      mark: providerMark(key),
    }),
  )
  return form(frame, { to, hidden: { redirectTo } }, html`<div class="stack">${buttons}</div>`)
}
