// The tokens that a user would get with the claims as they are typed.
import { type PreviewClaims, type TokenClaim, claimBytesMax, claimTokens } from '@bailiwick/contract'
import { isBailiwickError } from '@bailiwick/sdk'
import { useState } from 'react'
import { messageOf } from '../../api/client.ts'
import { useOperation } from '../../api/use-operation.ts'
import { Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { useSettled } from '../../parts/use-settled.ts'
import { useTenant } from '../../session/tenant.tsx'
import { locale } from '../../texts/translate.ts'
import { tokenNames } from './claims-field.tsx'

const isComplete = ({ claim, source, in: tokens }: TokenClaim) => claim !== '' && source !== '' && tokens.length > 0

interface PreviewProps {
  readonly draft: Pick<PreviewClaims, 'claims' | 'scopes'>
  readonly applications: readonly { readonly id: string; readonly name: string }[]
}

export function Preview({ draft, applications }: PreviewProps) {
  const { id: tenantId } = useTenant()
  const { data: users } = useOperation('listUsers', { query: { tenantId, perPage: '20' } })
  const [chosen, setChosen] = useState({ userId: '', organizationId: '', applicationId: '' })
  const userId = chosen.userId === '' ? (users?.data[0]?.id ?? '') : chosen.userId
  const set = (name: keyof typeof chosen) => (value: string) => setChosen({ ...chosen, [name]: value })
  const names = (users?.data ?? []).map(({ id, name, emailAddresses }) => ({
    id,
    name: name ?? emailAddresses[0]?.email ?? id,
  }))
  return (
    <Section title="Preview" about="The tokens as they would be issued now, with the claims above; nothing is saved.">
      <div className="field-row">
        <Choice label="User" value={userId} options={names} onChange={set('userId')} />
        <Choice
          label="Application"
          empty="One of your own"
          value={chosen.applicationId}
          options={applications}
          onChange={set('applicationId')}
        />
        <label className="field">
          <span className="label">Organization ID</span>
          <input
            value={chosen.organizationId}
            placeholder="None"
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => set('organizationId')(target.value.trim())}
          />
        </label>
      </div>
      {userId === '' ? (
        <p className="quiet">Create a user to see tokens.</p>
      ) : (
        <Tokens
          body={{
            userId,
            organizationId: chosen.organizationId === '' ? null : chosen.organizationId,
            applicationId: chosen.applicationId === '' ? null : chosen.applicationId,
            ...draft,
            ...(draft.claims === undefined ? {} : { claims: draft.claims.filter(isComplete) }),
          }}
        />
      )}
    </Section>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly value: string
  readonly empty?: string
  readonly options: readonly { readonly id: string; readonly name: string }[]
  readonly onChange: (value: string) => void
}

function Choice({ label, value, empty, options, onChange }: ChoiceProps) {
  return (
    <label className="field">
      <span className="label">{label}</span>
      <select value={value} onChange={({ target }) => onChange(target.value)}>
        {empty === undefined ? null : <option value="">{empty}</option>}
        {options.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

function Tokens({ body }: { readonly body: PreviewClaims }) {
  const { id } = useTenant()
  const settled = useSettled(body, 400)
  const tokens = useOperation('previewClaims', { params: { id }, body: settled }, { keepsLast: true })
  // What is typed is not always what can be saved already.
  if (isBailiwickError(tokens.error, 'validation_failed')) return <p className="quiet">{messageOf(tokens.error)}</p>
  return (
    <Query of={tokens}>
      {(preview) => (
        <div className="claims-preview">
          {claimTokens.map((token) => {
            const { payload, bytes, claimBytes, isTooLarge } = preview[token]
            return (
              <section key={token} aria-label={tokenNames[token]}>
                <h3>{tokenNames[token]}</h3>
                <p className="hint">
                  {bytes.toLocaleString(locale)} bytes, {claimBytes.toLocaleString(locale)} of{' '}
                  {claimBytesMax.toLocaleString(locale)} by these claims
                </p>
                {isTooLarge ? (
                  <p className="field-problem">Too large: this token is issued without these claims.</p>
                ) : null}
                <pre className="code" tabIndex={0}>
                  {JSON.stringify(payload, null, 2)}
                </pre>
              </section>
            )
          })}
        </div>
      )}
    </Query>
  )
}
