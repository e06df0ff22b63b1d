// HTML as tagged templates. Every value is escaped unless it is HTML itself.
import { html as template, raw } from 'hono/html'

declare const isHtml: unique symbol

/** Text that is HTML already. */
export interface Html {
  readonly [isHtml]: true
  toString(): string
}

/** What a template takes; nothing is shown for `undefined` and `false`. */
export type Shown = Html | string | number | undefined | false | readonly Shown[]

/** Hono's template answers with a promise only where a value is one, and `Shown` has no promises. */
export const html = (strings: TemplateStringsArray, ...values: readonly Shown[]): Html =>
  template(strings, ...values) as unknown as Html

/** A script in the text of a page, whose policy allows it by its hash. */
export const inlineScript = (code: string): Html => raw(`<script>${code}</script>`) as unknown as Html

/** An attribute without a value, there or not. */
export const flag = (name: 'autofocus' | 'disabled', isSet: boolean): Html | false =>
  isSet && (raw(` ${name}`) as unknown as Html)
