import type { PageSettings } from '@bailiwick/contract'
import { Suspense, useState } from 'react'
import { useOperation } from '../../api/use-operation.ts'
import type { FieldSpec } from '../../form/field-spec.ts'
import { OperationForm } from '../../form/operation-form.tsx'
import { lazyPart } from '../../parts/not-loaded.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { Loading } from '../../parts/states.tsx'
import { useTenant } from '../../session/tenant.tsx'
import { type Scheme, languageOptions } from '../brand/brand-values.ts'
import { SchemeChoice } from '../brand/scheme-choice.tsx'
import type { VersionedDocument } from '../history/versioned-document.ts'
import { Versions } from '../history/versions.tsx'
import { PictureField } from '../media/picture-field.tsx'

/** Loaded separately: the previews are large, and the texts include the English ones. */
const PreviewWall = lazyPart(async () => (await import('../brand/preview-wall.tsx')).PreviewWall)
const Texts = lazyPart(async () => (await import('./texts.tsx')).Texts)

const versions: VersionedDocument = {
  list: 'listPagesVersions',
  diff: 'diffPagesVersions',
  restore: 'restorePagesVersion',
  first: 0,
  nameOf: (setting) => setting,
}

const layouts = [
  { value: 'centered', label: 'The form alone, in the middle' },
  { value: 'split', label: 'The form beside a panel in the colours of the brand' },
]

const languageFields: readonly FieldSpec[] = [
  { name: 'layout', options: layouts, hint: 'The panel is shown where there is room for it.' },
  {
    name: 'defaultLanguage',
    options: languageOptions,
    hint: 'For users whose own languages are not offered.',
  },
  { name: 'languages', options: languageOptions, hint: 'Leave all of them empty to offer every language.' },
]

export function Pages() {
  const { id } = useTenant()
  return (
    <Query of={useOperation('getPages', { params: { id } })} what="tenant">
      {(settings) => <Settings settings={settings} />}
    </Query>
  )
}

function Settings({ settings }: { readonly settings: PageSettings }) {
  const { id } = useTenant()
  const [scheme, setScheme] = useState<Scheme>('light')
  const query = { ifVersion: String(settings.version) }
  return (
    <Page title="Pages and texts" about="What the hosted pages and the messages say, and in which languages.">
      <SchemeChoice scheme={scheme} onChoose={setScheme} />
      {/* Loaded again for every version. */}
      <Suspense>
        <PreviewWall key={settings.version} scheme={scheme} language={settings.defaultLanguage} />
      </Suspense>
      <Section title="Languages and layout">
        <OperationForm
          operation="putPages"
          params={{ id }}
          query={query}
          record={settings}
          fields={languageFields}
          submit="Save"
          done="The pages are saved."
        />
      </Section>
      <Section title="Links" about="The pages and messages link to them.">
        <OperationForm
          operation="putPages"
          params={{ id }}
          query={query}
          record={settings}
          fields={[
            { name: 'termsUri', label: 'Terms of service', hint: 'The address of the page.' },
            { name: 'privacyUri', label: 'Privacy policy', hint: 'The address of the page.' },
            { name: 'supportUri', label: 'Help', hint: 'The address of a page, or mailto: with an e-mail address.' },
            {
              name: 'darkLogoId',
              render: (control) => (
                <PictureField
                  control={control}
                  name="darkLogoId"
                  label="Logo for dark pages"
                  hint="Replaces the usual logo for readers who prefer dark pages."
                />
              ),
            },
          ]}
          submit="Save"
          done="The links are saved."
        />
      </Section>
      <Suspense fallback={<Loading />}>
        <Texts settings={settings} />
      </Suspense>
      <Versions of={versions} />
    </Page>
  )
}
