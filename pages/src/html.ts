// HTML as tagged templates. Every value is escaped unless it is HTML itself.
import { html as template, raw } from 'hono/html'

declare const isHtml: unique symbol

/** Text that is already HTML. */
export interface Html {
  readonly [isHtml]: true
  toString(): string
}

/** A value in a template; `undefined` and `false` show nothing. */
export type Shown = Html | string | number | undefined | false | readonly Shown[]

/** Hono's template returns a promise only if a value is one, and `Shown` contains no promises. */
export const html = (strings: TemplateStringsArray, ...values: readonly Shown[]): Html =>
  // Without promises it is a string that is marked as HTML.
  template(strings, ...values) as unknown as Html

/** An inline script, which the policy of the page allows by its hash. */
// `raw` returns a string that is marked as HTML.
export const inlineScript = (code: string): Html => raw(`<script>${code}</script>`) as unknown as Html

/** An attribute without a value, or nothing. */
export const flag = (name: 'autofocus' | 'disabled', isSet: boolean): Html | false =>
  // `raw` returns a string that is marked as HTML.
  isSet && (raw(` ${name}`) as unknown as Html)
