// The claims that a tenant adds to tokens, with the tokens beside them.
import type { PreviewClaims, TenantClaims } from '@bailiwick/contract'
import { Suspense, useState } from 'react'
import { useOperation } from '../../api/use-operation.ts'
import { OperationForm } from '../../form/operation-form.tsx'
import { lazyPart } from '../../parts/not-loaded.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { Loading } from '../../parts/states.tsx'
import { useMay } from '../../session/rights.ts'
import { useTenant } from '../../session/tenant.tsx'
import type { VersionedDocument } from '../history/versioned-document.ts'
import { ScopesField } from '../resources/scopes-field.tsx'
import { ClaimsField } from './claims-field.tsx'

/** Loaded separately: the form can be used without them. */
const Versions = lazyPart(async () => (await import('../history/versions.tsx')).Versions)
const Preview = lazyPart(async () => (await import('./preview.tsx')).Preview)

const versions: VersionedDocument = {
  list: 'listClaimsVersions',
  diff: 'diffClaimsVersions',
  restore: 'restoreClaimsVersion',
  first: 0,
  nameOf: (setting) => setting,
}

export function Claims() {
  const { id } = useTenant()
  return (
    <Query of={useOperation('getClaims', { params: { id } })} what="tenant">
      {(claims) => <Editor claims={claims} />}
    </Query>
  )
}

function Editor({ claims }: { readonly claims: TenantClaims }) {
  const { id: tenantId } = useTenant()
  const maySeeUsers = useMay('users:read').isAllowed
  const { data } = useOperation('listApplications', { params: { tenantId }, query: { perPage: '100' } })
  const applications = data?.data ?? []
  const [draft, setDraft] = useState<Pick<PreviewClaims, 'claims' | 'scopes'>>({})
  return (
    <Page title="Claims" about="What tokens say about your users, in addition to the standard claims.">
      <Section
        title="Claims in tokens"
        about="Tokens that are issued from now on have them; earlier tokens keep theirs until they expire."
      >
        <OperationForm
          operation="putClaims"
          params={{ id: tenantId }}
          query={{ ifVersion: String(claims.version) }}
          record={claims}
          fields={[
            { name: 'claims', render: (control) => <ClaimsField control={control} applications={applications} /> },
            { name: 'scopes', render: (control) => <ScopesField control={control} /> },
          ]}
          toBody={(body) => ({ claims: claims.claims, scopes: claims.scopes, ...body })}
          onValues={({ claims: list, scopes }) => setDraft({ claims: list, scopes } as typeof draft)}
          submit="Save"
          done="The claims are saved."
        />
      </Section>
      <Suspense>{maySeeUsers ? <Preview draft={draft} applications={applications} /> : null}</Suspense>
      <Suspense fallback={<Loading />}>
        <Versions of={versions} />
      </Suspense>
    </Page>
  )
}
