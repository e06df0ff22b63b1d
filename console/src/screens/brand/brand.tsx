import type { Brand as BrandRecord } from '@bailiwick/contract'
import { isBailiwickError } from '@bailiwick/sdk'
import { Suspense, useState } from 'react'
import { ActionButton } from '../../actions/action-button.tsx'
import { useChange, useOperation } from '../../api/use-operation.ts'
import { CodePanel } from '../../form/code-panel.tsx'
import { isSame } from '../../form/form-state.ts'
import { lazyPart } from '../../parts/not-loaded.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { Refusal } from '../../parts/states.tsx'
import { toast } from '../../parts/toasts.tsx'
import { unlessPrevented, useMayCall } from '../../session/rights.ts'
import { useTenant } from '../../session/tenant.tsx'
import { type VersionedDocument, usePresentVersion } from '../history/versioned-document.ts'
import type { Scheme } from './brand-values.ts'
import { ColorPairs } from './color-pairs.tsx'
import { DeriveColors, PasteTheme } from './fill-in.tsx'
import { Logo } from './logo.tsx'
import { SchemeChoice } from './scheme-choice.tsx'

const Versions = lazyPart(async () => (await import('../history/versions.tsx')).Versions)
const PreviewPane = lazyPart(async () => (await import('./preview-wall.tsx')).PreviewPane)

const versions: VersionedDocument = {
  list: 'listBrandVersions',
  diff: 'diffBrandVersions',
  restore: 'restoreBrandVersion',
  first: 0,
  nameOf: (setting) => setting,
}

export function Brand() {
  const { id } = useTenant()
  return (
    <Query of={useOperation('getTenantBrand', { params: { id } })} what="tenant">
      {(brand) => <Editor saved={brand} />}
    </Query>
  )
}

/** Returns the brand without the properties that are cleared. */
const compact = (brand: BrandRecord): BrandRecord =>
  Object.fromEntries(Object.entries(brand).filter(([, value]) => value !== undefined && value.trim() !== ''))

/** The brand as it is edited, and how it is saved. */
function useDraft(saved: BrandRecord) {
  const { id } = useTenant()
  const [edited, setEdited] = useState<BrandRecord>()
  const version = usePresentVersion('listBrandVersions')
  const [basis, setBasis] = useState<number>()
  const brand = edited ?? saved
  const change = useChange('putTenantBrand', {
    onDone: () => {
      toast('The brand is saved.')
      setEdited(undefined)
      setBasis(undefined)
    },
  })
  const based = basis ?? version
  const query: { ifVersion?: string } = based === undefined ? {} : { ifVersion: String(based) }
  return {
    brand,
    isUnchanged: edited === undefined || isSame(compact(edited), compact(saved)),
    error: change.error,
    edit: (next: BrandRecord) => {
      if (edited === undefined) setBasis(version)
      setEdited(compact(next))
    },
    discard: () => setEdited(undefined),
    save: () => change.mutate({ params: { id }, query, body: brand }),
    /** Saves it whatever somebody else has saved meanwhile. */
    replace: () => change.mutate({ params: { id }, body: brand }),
  }
}

const History = () => (
  <Suspense>
    <Versions of={versions} />
  </Suspense>
)

function Editor({ saved }: { readonly saved: BrandRecord }) {
  const { id } = useTenant()
  const { brand, isUnchanged, error, edit, discard, save, replace } = useDraft(saved)
  const [scheme, setScheme] = useState<Scheme>('light')
  const right = useMayCall('putTenantBrand')
  const { data: tenant } = useOperation('getTenant', { params: { id } })
  const actions = (
    <div className="save-bar">
      <span className="quiet" role="status">
        {isUnchanged ? 'Everything is saved.' : 'Your changes are only in the preview yet.'}
      </span>
      <button type="button" className="button" disabled={isUnchanged} onClick={discard}>
        Discard
      </button>
      <ActionButton
        right={unlessPrevented(right, isUnchanged ? 'Nothing is changed.' : undefined)}
        isPrimary
        onClick={save}
      >
        Save brand
      </ActionButton>
    </div>
  )
  return (
    <Page title="Brand" about="The logo and colours of your pages and e-mails.">
      <Refusal error={error}>
        {isBailiwickError(error, 'changed_meanwhile') ? (
          <button type="button" className="button small" onClick={replace}>
            Replace their change
          </button>
        ) : null}
      </Refusal>
      <div className="beside-preview">
        <div className="page">
          <Logo />
          <DeriveColors brand={brand} isDisabled={!right.isAllowed} onDerived={edit} />
        </div>
        <aside className="preview-side" aria-label="Preview">
          <SchemeChoice scheme={scheme} onChoose={setScheme} />
          <Suspense>
            <PreviewPane brand={brand} scheme={scheme} logo={tenant?.logoId ?? ''} />
          </Suspense>
        </aside>
        <div className="page">
          <Section
            title="Colours"
            about="Empty fields have the default. Text needs a contrast of 4.5 to 1 on its surface, lines and rings 3 to 1."
          >
            <ColorPairs brand={brand} scheme={scheme} isDisabled={!right.isAllowed} onChange={edit} />
          </Section>
          <PasteTheme isDisabled={!right.isAllowed} onPasted={(pasted) => edit({ ...brand, ...pasted })} />
          <CodePanel state={{ operationId: 'putTenantBrand', params: { id }, query: {}, body: brand }} />
          <History />
        </div>
      </div>
      {actions}
    </Page>
  )
}
