// The connection with a SAML provider: three values to copy to it, and its metadata to paste.
import type { Frame } from '../frame.ts'
import { type Html, html } from '../html.ts'
import { type FieldErrors, field } from '../parts/field.ts'
import { button, form } from '../parts/form.ts'
import { select } from '../parts/select.ts'
import { type AnyConnectionView, anyConnectionPage, connectionForm } from './connection.ts'
import { values } from './shell.ts'

export interface SamlConnectionView extends AnyConnectionView {
  readonly acsUrl: string
  /** Our entity id, at which our metadata are, too. */
  readonly entityId: string
  /** As PEM. */
  readonly certificate: string
  /** Our single logout service. */
  readonly sloUrl: string
  /** Whether single logout is on; null if the provider does not offer it. */
  readonly singleLogout: boolean | null
  /** Whether sign-ins that begin at the provider are accepted. */
  readonly idpInitiated: boolean
  /** What is known of the provider; null until its metadata were read. */
  readonly providerEntityId: string | null
  /** The ends of the provider's certificates, as dates. */
  readonly certificateEnds: readonly string[]
  readonly nameIdFormat: string
  /** What the reader entered. */
  readonly metadataUri: string
  readonly metadataXml: string
}

const formats = ['persistent', 'emailAddress', 'unspecified'] as const

function xmlField({ text }: Frame, errors: FieldErrors, value: string): Html {
  const error = errors['metadataXml']
  return html`<div class="field">
    <label for="f-metadataXml">${text('setup.metadataXml')}</label>
    <textarea
      id="f-metadataXml"
      name="metadataXml"
      rows="4"
      dir="ltr"
      spellcheck="false"
      autocomplete="off"
      maxlength="131072"
      aria-describedby="f-metadataXml-hint${error !== undefined && ' f-metadataXml-error'}"
      ${error !== undefined && html` aria-invalid="true"`}
    >
${value}</textarea>
    <p class="hint" id="f-metadataXml-hint">${text('setup.metadataHint')}</p>
    ${error !== undefined && html`<p class="error" id="f-metadataXml-error">${error}</p> `}
  </div> `
}

/** A setting that is on or off; the first choice is off. */
const onOrOff = ({ text }: Frame, name: 'singleLogout' | 'idpInitiated', isOn: boolean) =>
  select({
    name,
    label: text(name === 'singleLogout' ? 'setup.singleLogout' : 'setup.idpInitiated'),
    none: text('setup.isOff'),
    options: [{ value: 'on', label: text('setup.isOn') }],
    value: isOn ? 'on' : '',
  })

function metadataForm(frame: Frame, view: SamlConnectionView): Html {
  const { text } = frame
  const { errors = {}, metadataUri, metadataXml, nameIdFormat, canTest, singleLogout, idpInitiated } = view
  return form(
    frame,
    connectionForm(view, 'metadata'),
    html`<h2>${text('setup.metadataTitle')}</h2>
      ${field(frame, errors, {
        name: 'metadataUri',
        label: text('setup.metadataUri'),
        type: 'url',
        autocomplete: 'off',
        maxlength: 2048,
        isOptional: true,
        value: metadataUri,
      })}${xmlField(frame, errors, metadataXml)}${select({
        name: 'nameIdFormat',
        label: text('setup.nameId'),
        none: text('setup.nameIdProvider'),
        options: formats.map((value) => ({ value, label: value })),
        value: nameIdFormat,
      })}${singleLogout !== null && onOrOff(frame, 'singleLogout', singleLogout)}${onOrOff(frame, 'idpInitiated', idpInitiated)}
      <p class="hint">${text('setup.idpInitiatedHint')}</p>
      ${button(text('setup.save'), { kind: canTest ? 'secondary' : 'primary' })}`,
  )
}

export function samlConnectionPage(frame: Frame, view: SamlConnectionView): string {
  const { text } = frame
  const { acsUrl, sloUrl, entityId, certificate, providerEntityId, certificateEnds } = view
  const copied = html`<section>
    <h2>${text('setup.copyThese')}</h2>
    ${values([
      [text('setup.acsUrl'), acsUrl],
      [text('setup.entityId'), entityId],
      [text('setup.metadataAddress'), entityId],
      [text('setup.sloUrl'), sloUrl],
    ])}
    <details>
      <summary>${text('setup.certificate')}</summary>
      <p class="hint">${text('setup.certificateHint')}</p>
      <pre
        class="codes"
        dir="ltr"
        tabindex="0"
        aria-label="${text('setup.certificate')}"
      ><code>${certificate}</code></pre>
    </details>
  </section> `
  const known =
    providerEntityId !== null &&
    values([
      [text('setup.providerEntityId'), providerEntityId],
      ...certificateEnds.map((end) => [text('setup.certificateEnd'), end] as const),
    ])
  return anyConnectionPage(frame, view, { kind: 'saml', content: html`${copied}${metadataForm(frame, view)}${known}` })
}
