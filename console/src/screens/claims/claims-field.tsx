// The claims of a tenant, each with its source and where it appears.
import { type TokenClaim, claimMetaSources, claimSources, claimTokens, claimTypes } from '@bailiwick/contract'
import type { OwnControl } from '../../form/field-spec.ts'
import { Labelled } from '../../form/labelled.tsx'
import { RowsField } from '../../form/rows-field.tsx'
import { translate } from '../../texts/translate.ts'

// The name of a property that is read by programs elsewhere does not make its value a text.
const idToken = translate('ID token')

export const tokenNames: Readonly<Record<(typeof claimTokens)[number], string>> = {
  session: 'Session JWT',
  id: idToken,
  access: 'Access token',
  userinfo: 'UserInfo',
}

const typeNames = { string: 'Text', number: 'Number', boolean: 'True or false', list: 'List' } as const

interface RowProps {
  readonly claim: TokenClaim
  readonly index: number
  readonly control: OwnControl
  readonly applications: readonly { readonly id: string; readonly name: string }[]
  readonly onChange: (claim: TokenClaim) => void
}

/** Returns the claim with a field changed, or without it where it is empty. */
function changed<Name extends keyof TokenClaim>(claim: TokenClaim, name: Name, value: TokenClaim[Name] | undefined) {
  const { [name]: _before, ...rest } = claim
  return (value === undefined ? rest : { ...rest, [name]: value }) as TokenClaim
}

/** The value of a constant: JSON if it is a number, true, false or a list, otherwise text. */
function readConstant(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && !Array.isArray(value) ? text : value
  } catch {
    return text
  }
}

interface TextConditionProps {
  readonly label: string
  readonly value: string | undefined
  readonly placeholder?: string
  readonly isDisabled: boolean
  readonly onChange: (value: string | undefined) => void
}

function TextCondition({ label, value = '', placeholder, isDisabled, onChange }: TextConditionProps) {
  return (
    <Labelled label={label}>
      <input
        value={value}
        disabled={isDisabled}
        maxLength={500}
        autoComplete="off"
        spellCheck={false}
        placeholder={placeholder}
        onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
      />
    </Labelled>
  )
}

function Conditions({ claim, control: { isDisabled }, applications, onChange }: Omit<RowProps, 'index'>) {
  const set = <Name extends keyof TokenClaim>(name: Name, value: TokenClaim[Name] | undefined) =>
    onChange(changed(claim, name, value))
  return (
    <details>
      <summary>Conditions</summary>
      <div className="field-row">
        <Labelled label="Only for the application">
          <select
            value={claim.applicationId ?? ''}
            disabled={isDisabled}
            onChange={({ target }) => set('applicationId', target.value === '' ? undefined : target.value)}
          >
            <option value="">All applications</option>
            {applications.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </Labelled>
        <TextCondition
          label="Only with the scope"
          value={claim.scope}
          isDisabled={isDisabled}
          onChange={(value) => set('scope', value)}
        />
        <TextCondition
          label="Only for the resource"
          value={claim.audience}
          placeholder="https://api.example.com"
          isDisabled={isDisabled}
          onChange={(value) => set('audience', value)}
        />
      </div>
      <div className="choices">
        <label className="choice">
          <input
            type="checkbox"
            checked={claim.ifMissing === 'null'}
            disabled={isDisabled}
            onChange={({ target }) => set('ifMissing', target.checked ? 'null' : undefined)}
          />
          null without a value
        </label>
        {claim.source.includes('.privateMeta.') || claim.exposePrivate === true ? (
          <label className="choice">
            <input
              type="checkbox"
              checked={claim.exposePrivate === true}
              disabled={isDisabled}
              onChange={({ target }) => set('exposePrivate', target.checked ? true : undefined)}
            />
            Browsers and applications may read this private value
          </label>
        ) : null}
      </div>
    </details>
  )
}

type PartProps = Pick<RowProps, 'claim' | 'control' | 'onChange'>

/** Either the value of a constant or the type of any other claim. */
function ValueField({ claim, control: { isDisabled }, onChange }: PartProps) {
  if (claim.source === 'constant') {
    return (
      <Labelled label="Value">
        <input
          required
          disabled={isDisabled}
          autoComplete="off"
          value={typeof claim.value === 'string' ? claim.value : JSON.stringify(claim.value ?? '')}
          onChange={({ target }) => onChange(changed(claim, 'value', readConstant(target.value)))}
        />
      </Labelled>
    )
  }
  return (
    <Labelled label="Type">
      <select
        value={claim.as ?? ''}
        disabled={isDisabled}
        onChange={({ target }) =>
          onChange(
            changed(
              claim,
              'as',
              claimTypes.find((each) => each === target.value),
            ),
          )
        }
      >
        <option value="">As it is</option>
        {claimTypes.map((type) => (
          <option key={type} value={type}>
            {typeNames[type]}
          </option>
        ))}
      </select>
    </Labelled>
  )
}

function TokenChoices({ claim, control: { isDisabled }, onChange }: PartProps) {
  const withToken = (token: (typeof claimTokens)[number], isChosen: boolean) =>
    claimTokens.filter((each) => (each === token ? isChosen : claim.in.includes(each)))
  return (
    <div className="choices" role="group" aria-label={`Where ${claim.claim} appears`}>
      {claimTokens.map((token) => (
        <label key={token} className="choice">
          <input
            type="checkbox"
            checked={claim.in.includes(token)}
            disabled={isDisabled}
            onChange={({ target }) => onChange(changed(claim, 'in', withToken(token, target.checked)))}
          />
          {tokenNames[token]}
        </label>
      ))}
    </div>
  )
}

function NameFields({ claim, index, control, onChange }: PartProps & Pick<RowProps, 'index'>) {
  const attributes = {
    disabled: control.isDisabled,
    required: true,
    autoComplete: 'off',
    spellCheck: false,
    'aria-invalid': control.problemAt(`claims/${index}`) !== undefined,
  }
  return (
    <>
      <Labelled label="Claim">
        <input
          {...attributes}
          name={`claims/${index}/claim`}
          maxLength={100}
          placeholder="plan"
          value={claim.claim}
          onChange={({ target }) => onChange(changed(claim, 'claim', target.value))}
        />
      </Labelled>
      <Labelled label="Source">
        <input
          {...attributes}
          name={`claims/${index}/source`}
          list="claim-sources"
          maxLength={400}
          placeholder="user.publicMeta.plan"
          value={claim.source}
          onChange={({ target }) => onChange(changed(claim, 'source', target.value))}
        />
      </Labelled>
    </>
  )
}

const empty: TokenClaim = { claim: '', in: ['session', 'access'], source: '' }

interface ClaimsFieldProps {
  readonly control: OwnControl
  readonly applications: RowProps['applications']
}

export const ClaimsField = ({ control, applications }: ClaimsFieldProps) => (
  <>
    <datalist id="claim-sources">
      {[...claimSources, ...claimMetaSources.map((each) => `${each}.`)].map((source) => (
        <option key={source} value={source} />
      ))}
    </datalist>
    <RowsField
      name="claims"
      label="Claims"
      control={control}
      empty={empty}
      add="Add a claim"
      rowName={({ claim }, index) => (claim === '' ? `claim ${index + 1}` : claim)}
    >
      {(claim, index, onChange) => {
        const row = { claim, index, control, applications, onChange }
        return (
          <>
            <div className="field-row">
              <NameFields {...row} />
              <ValueField {...row} />
            </div>
            <TokenChoices {...row} />
            <Conditions {...row} />
          </>
        )
      }}
    </RowsField>
  </>
)
