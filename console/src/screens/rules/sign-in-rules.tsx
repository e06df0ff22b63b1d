import {
  type SettingGroup,
  type SettingName,
  type TenantAuth,
  type UpdateTenantAuth,
  settingGroups,
  tenantAuthSettings,
} from '@bailiwick/contract'
import { isBailiwickError } from '@bailiwick/sdk'
import { Suspense, useState } from 'react'
import { useChange, useOperation } from '../../api/use-operation.ts'
import { CodePanel } from '../../form/code-panel.tsx'
import { sentence } from '../../form/field-spec.ts'
import { Tabs } from '../../lists/tabs.tsx'
import { lazyPart } from '../../parts/not-loaded.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { Loading, Refusal } from '../../parts/states.tsx'
import { toast } from '../../parts/toasts.tsx'
import { useMayCall } from '../../session/rights.ts'
import { useTenant } from '../../session/tenant.tsx'
import { locale } from '../../texts/translate.ts'
import { type VersionedDocument, usePresentVersion } from '../history/versioned-document.ts'
import { Impact, useImpact } from './impact.tsx'
import { questions } from './questions.ts'
import { SettingField } from './setting-field.tsx'
import { nameOfSetting, readReason } from './setting-names.ts'
import { type Draft, useDraft } from './use-draft.ts'

const settingNames = Object.keys(tenantAuthSettings) as readonly SettingName[]

const listSettings = (group: SettingGroup) => settingNames.filter((name) => tenantAuthSettings[name].group === group)

const Versions = lazyPart(async () => (await import('../history/versions.tsx')).Versions)
const PagePreview = lazyPart(async () => (await import('../brand/page-preview.tsx')).PagePreview)

const versions: VersionedDocument = {
  list: 'listAuthVersions',
  diff: 'diffAuthVersions',
  restore: 'restoreAuthVersion',
  first: 1,
  nameOf: nameOfSetting,
}

export function SignInRules() {
  const { id } = useTenant()
  return (
    <Query of={useOperation('getAuthTenant', { params: { id } })} what="tenant">
      {({ auth }) => (auth === undefined || auth === null ? null : <Rules rules={auth} />)}
    </Query>
  )
}

/** The lists that references are chosen from, by the names of the settings. */
function useReferences() {
  const { id: tenantId } = useTenant()
  const input = { params: { tenantId }, query: { perPage: '100' } }
  const channels = useOperation('listChannels', input).data?.data ?? []
  const templates = useOperation('listTemplates', input).data?.data ?? []
  return (setting: SettingName) => {
    const reference = tenantAuthSettings[setting]
    if (reference.kind !== 'reference') return undefined
    const found = reference.to === 'channel' ? channels : templates
    return found.filter(({ type }) => type === reference.type).map(({ id, name }) => ({ value: id, label: name }))
  }
}

function Rules({ rules }: { readonly rules: TenantAuth }) {
  const { draft, valueOf, edit, reset } = useDraft(rules)
  const optionsOf = useReferences()
  const right = useMayCall('putAuthTenant')
  const names = Object.keys(draft)
  const { impact, error, isCurrent } = useImpact(draft)
  const problemOf = (name: SettingName) => {
    const found = impact?.issues.filter(({ path }) => path === `/${name}` || path.startsWith(`/${name}/`)) ?? []
    return found.length === 0 ? undefined : found.map(({ message }) => `${sentence(readReason(message))}.`).join(' ')
  }
  const group = (key: SettingGroup) => (
    <Section key={key} title={settingGroups[key].title} about={settingGroups[key].about}>
      <div className="settings">
        {listSettings(key).map((name) => {
          const options = optionsOf(name)
          return (
            <SettingField
              key={name}
              name={name}
              value={valueOf(name)}
              isChanged={names.includes(name)}
              isDisabled={!right.isAllowed}
              problem={problemOf(name)}
              {...(options === undefined ? {} : { options })}
              onChange={(value) => edit(name, value)}
            />
          )
        })}
      </div>
    </Section>
  )
  const tabs = questions.map(({ key, title, groups }) => {
    const changed = groups.flatMap(listSettings).filter((name) => names.includes(name)).length
    return { key, title: changed === 0 ? title : `${title} (${changed})`, content: <>{groups.map(group)}</> }
  })
  return (
    <Page
      title="Sign-in rules"
      about="How users sign in and sign up. You see how many users a change affects before you save it."
    >
      {names.length === 0 ? null : (
        <Change draft={draft} onDone={reset} impact={impact} error={error} isCurrent={isCurrent} />
      )}
      <Tabs
        label="Parts of the rules"
        tabs={[...tabs, { key: 'history', title: 'History', content: <History /> }]}
        arrange={(open) => (
          <div className="beside">
            <div className="beside-main">{open}</div>
            <aside className="beside-aside" aria-label="Preview">
              <RulesPreview draft={draft} />
            </aside>
          </div>
        )}
      />
    </Page>
  )
}

function History() {
  return (
    <Suspense fallback={<Loading />}>
      <Versions of={versions} />
    </Suspense>
  )
}

/** The sign-in and sign-up page as they would be under the draft. */
function RulesPreview({ draft }: { readonly draft: Draft }) {
  const [state, setState] = useState<'sign-in' | 'sign-up'>('sign-in')
  return (
    <div className="card">
      <div role="group" aria-label="Page" className="segments">
        <button type="button" aria-pressed={state === 'sign-in'} onClick={() => setState('sign-in')}>
          Sign-in
        </button>
        <button type="button" aria-pressed={state === 'sign-up'} onClick={() => setState('sign-up')}>
          Sign-up
        </button>
      </div>
      <Suspense>
        <PagePreview state={state} width={360} height={560} rules={draft} />
      </Suspense>
    </div>
  )
}

type ChangeProps = ReturnType<typeof useImpact> & { readonly draft: Draft; readonly onDone: () => void }

/** The unsaved changes and their effect. */
function Change({ draft, onDone, impact, error, isCurrent }: ChangeProps) {
  const { id } = useTenant()
  const right = useMayCall('putAuthTenant')
  const version = usePresentVersion('listAuthVersions')
  const [based] = useState(version)
  const basis = based ?? version
  const change = useChange('putAuthTenant', {
    onDone: () => {
      toast('The sign-in rules are saved.')
      onDone()
    },
  })
  const count = Object.keys(draft).length
  const isRefused = (impact?.issues.length ?? 0) > 0
  const locked = impact?.usersLockedOut ?? 0
  const query: { ifVersion?: string } = basis === undefined ? {} : { ifVersion: String(basis) }
  const body = draft as UpdateTenantAuth
  return (
    <section className="section unsaved" aria-labelledby="unsaved">
      <header className="section-head">
        <h2 id="unsaved">
          {count} unsaved {count === 1 ? 'change' : 'changes'}
        </h2>
        <div className="actions">
          <button type="button" className="button" onClick={onDone}>
            Discard
          </button>
          <button
            type="button"
            className={locked > 0 ? 'button destructive' : 'button primary'}
            disabled={!right.isAllowed || !isCurrent || isRefused || change.isPending}
            aria-busy={change.isPending}
            onClick={() => change.mutate({ params: { id }, query, body })}
          >
            {locked > 0 ? `Save and lock out ${locked.toLocaleString(locale)}` : 'Save'}
          </button>
        </div>
      </header>
      <Impact impact={impact} error={error} isCurrent={isCurrent} />
      <Refusal error={change.error}>
        {isBailiwickError(change.error, 'changed_meanwhile') ? (
          <p>
            The differences above now compare your changes with the present rules.{' '}
            <button type="button" className="button small" onClick={() => change.mutate({ params: { id }, body })}>
              Save on top of them
            </button>
          </p>
        ) : null}
      </Refusal>
      <CodePanel state={{ operationId: 'putAuthTenant', params: { id }, query, body }} />
    </section>
  )
}
