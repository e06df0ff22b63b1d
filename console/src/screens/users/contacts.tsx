import type { User } from '@bailiwick/contract'
import type { ReactNode } from 'react'
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

interface ContactRowProps extends ContactState {
  readonly children: ReactNode
  readonly actions: ReactNode
}

function ContactRow({ children, actions, ...state }: ContactRowProps) {
  return (
    <li>
      <span>
        {children} <Marks {...state} />
      </span>
      <span className="actions">{actions}</span>
    </li>
  )
}

interface RowProps<Contact> extends ContactState {
  readonly contact: Contact
}

function EmailRow({ contact: { id, email }, isPrimary, isVerified }: RowProps<User['emailAddresses'][number]>) {
  const input = { body: { id } }
  const actions = (
    <>
      {isVerified ? null : (
        <DirectAction
          operation="verifyEmailAddress"
          input={input}
          label="Mark as verified"
          done="The address is verified."
        />
      )}
      {isPrimary ? null : (
        <DirectAction
          operation="makePrimaryEmailAddress"
          input={input}
          label="Make primary"
          done="The address is the primary one."
        />
      )}
      <ConfirmAction operation="deleteEmailAddress" input={{ query: { id } }} label="Remove">
        {email} is taken away from the user.
      </ConfirmAction>
    </>
  )
  return (
    <ContactRow isPrimary={isPrimary} isVerified={isVerified} actions={actions}>
      <EmailText of={email} />
    </ContactRow>
  )
}

function PhoneRow({ contact: { id, phone }, isPrimary, isVerified }: RowProps<User['phoneNumbers'][number]>) {
  const input = { body: { id } }
  const actions = (
    <>
      {isVerified ? null : (
        <DirectAction
          operation="verifyPhoneNumber"
          input={input}
          label="Mark as verified"
          done="The number is verified."
        />
      )}
      {isPrimary ? null : (
        <DirectAction
          operation="makePrimaryPhoneNumber"
          input={input}
          label="Make primary"
          done="The number is the primary one."
        />
      )}
      <ConfirmAction operation="deletePhoneNumber" input={{ query: { id } }} label="Remove">
        {phone} is taken away from the user.
      </ConfirmAction>
    </>
  )
  return (
    <ContactRow isPrimary={isPrimary} isVerified={isVerified} actions={actions}>
      {phone}
    </ContactRow>
  )
}

/** The addresses and numbers of a user. */
export function Contacts({ user }: { readonly user: User }) {
  const { tenantId, id: userId, primaryEmailId, primaryPhoneId } = user
  const readState = (
    contact: { readonly id: string; readonly verifiedAt: string | null },
    primaryId: string | null | undefined,
  ) => ({
    isPrimary: contact.id === primaryId,
    isVerified: contact.verifiedAt !== null,
  })
  return (
    <Section title="E-mail addresses and phone numbers">
      <ul className="rows">
        {user.emailAddresses.map((contact) => (
          <EmailRow key={contact.id} contact={contact} {...readState(contact, primaryEmailId)} />
        ))}
        {user.phoneNumbers.map((contact) => (
          <PhoneRow key={contact.id} contact={contact} {...readState(contact, primaryPhoneId)} />
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
