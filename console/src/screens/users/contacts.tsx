import type { User } from '@bailiwick/contract'
import { ConfirmAction } from '../../actions/confirm-action.tsx'
import { DirectAction } from '../../actions/direct-action.tsx'
import { OperationForm } from '../../form/operation-form.tsx'
import { Section } from '../../parts/page.tsx'
import { Badge } from '../../values/badge.tsx'
import { EmailText } from '../../values/email-text.tsx'

interface ContactState {
  readonly isPrimary: boolean
  readonly isVerified: boolean
}

function Marks({ isPrimary, isVerified }: ContactState) {
  return (
    <>
      {isPrimary ? <Badge>primary</Badge> : null}
      <Badge tone={isVerified ? 'good' : 'warning'}>{isVerified ? 'verified' : 'not verified'}</Badge>
    </>
  )
}

/** The addresses and numbers of a user. */
export function Contacts({ user }: { readonly user: User }) {
  const { tenantId, id: userId } = user
  return (
    <Section title="E-mail addresses and phone numbers">
      <ul className="rows">
        {user.emailAddresses.map(({ id, email, verifiedAt }) => (
          <li key={id}>
            <span>
              <EmailText of={email} /> <Marks isPrimary={id === user.primaryEmailId} isVerified={verifiedAt !== null} />
            </span>
            <span className="actions">
              {verifiedAt === null ? (
                <DirectAction
                  operation="verifyEmailAddress"
                  input={{ body: { id } }}
                  label="Mark as verified"
                  done="The address is verified."
                />
              ) : null}
              {id === user.primaryEmailId ? null : (
                <DirectAction
                  operation="makePrimaryEmailAddress"
                  input={{ body: { id } }}
                  label="Make primary"
                  done="The address is the primary one."
                />
              )}
              <ConfirmAction operation="deleteEmailAddress" input={{ query: { id } }} label="Remove">
                {email} is taken away from the user.
              </ConfirmAction>
            </span>
          </li>
        ))}
        {user.phoneNumbers.map(({ id, phone, verifiedAt }) => (
          <li key={id}>
            <span>
              {phone} <Marks isPrimary={id === user.primaryPhoneId} isVerified={verifiedAt !== null} />
            </span>
            <span className="actions">
              {verifiedAt === null ? (
                <DirectAction
                  operation="verifyPhoneNumber"
                  input={{ body: { id } }}
                  label="Mark as verified"
                  done="The number is verified."
                />
              ) : null}
              {id === user.primaryPhoneId ? null : (
                <DirectAction
                  operation="makePrimaryPhoneNumber"
                  input={{ body: { id } }}
                  label="Make primary"
                  done="The number is the primary one."
                />
              )}
              <ConfirmAction operation="deletePhoneNumber" input={{ query: { id } }} label="Remove">
                {phone} is taken away from the user.
              </ConfirmAction>
            </span>
          </li>
        ))}
      </ul>
      <details className="more">
        <summary>Add an e-mail address</summary>
        <OperationForm
          operation="createEmailAddress"
          start={{ tenantId, userId }}
          fields={[{ name: 'email', label: 'E-mail address' }]}
          submit="Add address"
          done="The address is added."
        />
      </details>
      <details className="more">
        <summary>Add a phone number</summary>
        <OperationForm
          operation="createPhoneNumber"
          start={{ tenantId, userId }}
          fields={[{ name: 'phone', label: 'Phone number' }]}
          submit="Add number"
          done="The number is added."
        />
      </details>
    </Section>
  )
}
