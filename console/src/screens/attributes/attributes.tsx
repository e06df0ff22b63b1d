// The attributes that a tenant gives its users, with what a change would mean for the users there are.
import type { Attribute, TenantAttributes } from '@bailiwick/contract'
import { isBailiwickError } from '@bailiwick/sdk'
import { Suspense, useState } from 'react'
import { messageOf } from '../../api/client.ts'
import { useOperation } from '../../api/use-operation.ts'
import { OperationForm } from '../../form/operation-form.tsx'
import { lazyPart } from '../../parts/not-loaded.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { Loading } from '../../parts/states.tsx'
import { useSettled } from '../../parts/use-settled.ts'
import { useMay } from '../../session/rights.ts'
import { useTenant } from '../../session/tenant.tsx'
import { locale } from '../../texts/translate.ts'
import type { VersionedDocument } from '../history/versioned-document.ts'
import { AttributesField } from './attributes-field.tsx'

/** Loaded separately: the form can be used without them. */
const Versions = lazyPart(async () => (await import('../history/versions.tsx')).Versions)

const versions: VersionedDocument = {
  list: 'listAttributesVersions',
  diff: 'diffAttributesVersions',
  restore: 'restoreAttributesVersion',
  first: 0,
  nameOf: (setting) => setting,
}

export function Attributes() {
  const { id } = useTenant()
  return (
    <Query of={useOperation('getAttributes', { params: { id } })} what="tenant">
      {(attributes) => <Editor attributes={attributes} />}
    </Query>
  )
}

function Editor({ attributes }: { readonly attributes: TenantAttributes }) {
  const { id: tenantId } = useTenant()
  const mayCountUsers = useMay('users:read').isAllowed
  const [draft, setDraft] = useState<readonly Attribute[]>(attributes.attributes)
  return (
    <Page
      title="Attributes"
      about="What you ask your users beside name and addresses. Values are in their public data."
    >
      <Section
        title="Attributes"
        about="Forms ask for them in this order. Values that users have stay as they are, whatever you change here."
      >
        <OperationForm
          operation="putAttributes"
          params={{ id: tenantId }}
          query={{ ifVersion: String(attributes.version) }}
          record={attributes}
          fields={[{ name: 'attributes', render: (control) => <AttributesField control={control} /> }]}
          toBody={(body) => ({ attributes: attributes.attributes, ...body })}
          onValues={(values) => setDraft((values['attributes'] ?? []) as readonly Attribute[])}
          submit="Save"
          done="The attributes are saved."
        />
      </Section>
      {mayCountUsers && draft.length > 0 ? <Preview draft={draft.filter(isComplete)} /> : null}
      <Suspense fallback={<Loading />}>
        <Versions of={versions} />
      </Suspense>
    </Page>
  )
}

/** Whether all is entered without which the attribute is refused. */
const isComplete = ({ key, label, type, choices = [] }: Attribute) =>
  /^[a-z][A-Za-z0-9_]*$/.test(key) && Object.keys(label).length > 0 && (type !== 'choice' || choices.length > 0)

function Preview({ draft }: { readonly draft: readonly Attribute[] }) {
  const { id } = useTenant()
  const body = useSettled({ attributes: [...draft] }, 400)
  const preview = useOperation('previewAttributes', { params: { id }, body }, { keepsLast: true })
  // What is typed is not always what can be saved already.
  if (isBailiwickError(preview.error, 'validation_failed')) return <p className="quiet">{messageOf(preview.error)}</p>
  return (
    <Section title="Preview" about="What your users have of the attributes above; nothing is saved.">
      <Query of={preview}>
        {({ users, isWhole, attributes }) => (
          <>
            <p className="hint">
              {isWhole
                ? `All ${users.toLocaleString(locale)} users.`
                : `The ${users.toLocaleString(locale)} newest users.`}{' '}
              Existing users are not asked at sign-in; they can fill it in on their profile.
            </p>
            <ul>
              {attributes.map(({ key, lacking, breaking }) => (
                <li key={key}>
                  <code>{key}</code>: {lacking.toLocaleString(locale)} lack a value, {breaking.toLocaleString(locale)}{' '}
                  have one that would not be accepted
                </li>
              ))}
            </ul>
          </>
        )}
      </Query>
    </Section>
  )
}
