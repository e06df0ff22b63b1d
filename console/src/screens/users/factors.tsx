import type { Authenticator, User } from '@bailiwick/contract'
import { ConfirmAction } from '../../actions/confirm-action.tsx'
import { useOperation } from '../../api/use-operation.ts'
import { OperationForm } from '../../form/operation-form.tsx'
import { Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { useMay } from '../../session/rights.ts'
import { useTenant } from '../../session/tenant.tsx'
import { Badge } from '../../values/badge.tsx'
import { Time } from '../../values/time.tsx'

const names = {
  passkey: 'Passkey',
  totp: 'Authenticator app',
  recovery_codes: 'Recovery codes',
  trusted_device: 'Not asked on the device',
} as const

type Facts = Pick<Authenticator, 'provider' | 'backupEligible' | 'secondFactor'>

/** Where a passkey is kept, and whether it only signs its user in; empty for all others. */
function describePasskey({ provider, backupEligible, secondFactor }: Facts): string {
  if (backupEligible === undefined) return ''
  const facts = [
    ...(provider === undefined || provider === null ? [] : [provider]),
    backupEligible ? 'synced' : 'on one device',
    ...(secondFactor === false ? ['sign-in only'] : []),
  ]
  return `${facts.join(', ')}, `
}

interface PasswordProps {
  readonly userId: string
  /** Undefined while it is not known. */
  readonly hasPassword: boolean | undefined
}

/** Sets the password of a user, where the tenant lets administrators do so, or has the user choose another one. */
function PasswordChanges({ userId, hasPassword }: PasswordProps) {
  const { id } = useTenant()
  const { data } = useOperation('getAuthTenant', { params: { id } }, { enabled: useMay('config:read').isAllowed })
  return (
    <>
      {data?.auth?.administratorsChoosePasswords === false ? null : (
        <details className="more">
          <summary>{hasPassword === true ? 'Replace the password' : 'Set a password'}</summary>
          <OperationForm
            operation="changeUserPassword"
            params={{ id: userId }}
            fields={[
              {
                name: 'password',
                hint: 'Ends the sessions; the user chooses a new one at the next sign-in.',
                isRequired: true,
              },
            ]}
            submit="Set password"
            done="The password is set."
          />
        </details>
      )}
      {hasPassword === true ? (
        <ConfirmAction
          operation="changeUserPassword"
          input={{ params: { id: userId }, body: { changeRequired: true } }}
          label="Require a new password"
        >
          All sessions of the user end. At the next sign-in, the user chooses a new password after the present one.
        </ConfirmAction>
      ) : null}
    </>
  )
}

/** How a user proves who they are: passkeys, app, recovery codes, and the password. */
export function Factors({
  user,
  hasPassword,
}: {
  readonly user: User
  /** Undefined while it is not known. */
  readonly hasPassword: boolean | undefined
}) {
  const { id: userId } = user
  const found = useOperation('listUserAuthenticators', { params: { id: userId } })
  return (
    <Section title="Password and factors">
      {hasPassword === undefined ? null : (
        <p>
          {hasPassword ? (
            <Badge tone="good">has a password</Badge>
          ) : (
            <>
              <Badge>no password</Badge> <span className="quiet">The user signs in with something else.</span>
            </>
          )}
        </p>
      )}
      <Query of={found}>
        {(authenticators) =>
          authenticators.length === 0 ? (
            <p className="quiet">No passkey, no authenticator app.</p>
          ) : (
            <ul className="rows">
              {authenticators.map(({ id, type, name, lastUsedAt, ...facts }) => (
                <li key={id}>
                  <span>
                    {names[type]} {name === null ? '' : `“${name}”`}{' '}
                    <span className="quiet">
                      {describePasskey(facts)}used <Time at={lastUsedAt} />
                    </span>
                  </span>
                  <ConfirmAction operation="deleteUserAuthenticator" input={{ params: { userId, id } }} label="Remove">
                    {type === 'trusted_device'
                      ? 'The user is asked for the second factor on it again.'
                      : 'The user cannot sign in with it any more.'}
                  </ConfirmAction>
                </li>
              ))}
            </ul>
          )
        }
      </Query>
      <PasswordChanges userId={userId} hasPassword={hasPassword} />
    </Section>
  )
}
