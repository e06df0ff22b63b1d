import type { Brand as BrandRecord } from '@bailiwick/contract'
import { isBailiwickError } from '@bailiwick/sdk'
import { Suspense, lazy, useState } from 'react'
import { ActionButton } from '../../actions/action-button.tsx'
import { messageOf } from '../../api/client.ts'
import { useChange, useOperation } from '../../api/use-operation.ts'
import { CodePanel } from '../../form/code-panel.tsx'
import { isSame } from '../../form/form-state.ts'
import { Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { toast } from '../../parts/toasts.tsx'
import { useMayCall } from '../../session/rights.ts'
import { useTenant } from '../../session/tenant.tsx'
import { type VersionedDocument, Versions, usePresentVersion } from '../history/versions.tsx'
import type { Scheme } from './brand-values.ts'
import { ColorPairs } from './color-pairs.tsx'
import { DeriveColors, PasteTheme } from './fill-in.tsx'

const PreviewWall = lazy(async () => ({ default: (await import('./preview-wall.tsx')).PreviewWall }))

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

function Editor({ saved }: { readonly saved: BrandRecord }) {
  const { id } = useTenant()
  const [edited, setEdited] = useState<BrandRecord>()
  const [scheme, setScheme] = useState<Scheme>('light')
  const right = useMayCall('putTenantBrand')
  const version = usePresentVersion('listBrandVersions')
  const [basis, setBasis] = useState<number>()
  const brand = edited ?? saved
  const isUnchanged = edited === undefined || isSame(compact(edited), compact(saved))
  const change = useChange('putTenantBrand', {
    onDone: () => {
      toast('The brand is saved.')
      setEdited(undefined)
      setBasis(undefined)
    },
  })
  const edit = (next: BrandRecord) => {
    if (edited === undefined) setBasis(version)
    setEdited(compact(next))
  }
  const based = basis ?? version
  const query: { ifVersion?: string } = based === undefined ? {} : { ifVersion: String(based) }
  const actions = (
    <>
      <button type="button" className="button" disabled={isUnchanged} onClick={() => setEdited(undefined)}>
        Discard
      </button>
      <ActionButton
        right={isUnchanged && right.isAllowed ? { isAllowed: false, reason: 'Nothing is changed.' } : right}
        isPrimary
        onClick={() => change.mutate({ params: { id }, query, body: brand })}
      >
        Save brand
      </ActionButton>
    </>
  )
  return (
    <Page
      title="Brand"
      about="The colours of the hosted pages and messages. The live preview shows your changes."
      actions={actions}
    >
      {change.error === null ? null : (
        <div className="form-problem" role="alert">
          <p>{messageOf(change.error)}</p>
          {isBailiwickError(change.error, 'changed_meanwhile') ? (
            <button
              type="button"
              className="button small"
              onClick={() => change.mutate({ params: { id }, body: brand })}
            >
              Replace their change
            </button>
          ) : null}
        </div>
      )}
      <div role="group" aria-label="Light or dark" className="segments">
        {(['light', 'dark'] as const).map((each) => (
          <button key={each} type="button" aria-pressed={scheme === each} onClick={() => setScheme(each)}>
            {each === 'light' ? 'Light' : 'Dark'}
          </button>
        ))}
      </div>
      <Suspense>
        <PreviewWall brand={brand} scheme={scheme} />
      </Suspense>
      <Section
        title="Colours"
        about="Empty fields have the default. Text needs a contrast of 4.5 to 1 on its surface, lines and rings 3 to 1."
      >
        <ColorPairs brand={brand} scheme={scheme} isDisabled={!right.isAllowed} onChange={edit} />
      </Section>
      <DeriveColors brand={brand} isDisabled={!right.isAllowed} onDerived={edit} />
      <PasteTheme isDisabled={!right.isAllowed} onPasted={(pasted) => edit({ ...brand, ...pasted })} />
      <CodePanel state={{ operationId: 'putTenantBrand', params: { id }, query: {}, body: brand }} />
      <Versions of={versions} />
    </Page>
  )
}
