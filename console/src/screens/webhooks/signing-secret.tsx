// The secret that signs messages to a tenant's server, which can be replaced but not read again.
import { type ReactNode, useState } from 'react'
import { ConfirmAction } from '../../actions/confirm-action.tsx'
import { Section } from '../../parts/page.tsx'
import { SecretOnce } from './secret-once.tsx'

interface SigningSecretProps {
  readonly id: string
  readonly operation: 'rotateWebhookSecret' | 'rotateHookSecret'
  readonly about: string
  /** What the reader has to do after the replacement. */
  readonly children: ReactNode
}

export function SigningSecret({ id, operation, about, children }: SigningSecretProps) {
  const [secret, setSecret] = useState<string>()
  return (
    <Section
      title="Signing secret"
      about={about}
      actions={
        <ConfirmAction
          operation={operation}
          input={{ params: { id } }}
          label="Replace the secret"
          isDangerous={false}
          onDone={(answer) => setSecret(answer.secret)}
        >
          {children}
        </ConfirmAction>
      }
    >
      {secret === undefined ? null : (
        <SecretOnce
          title="Copy the new secret"
          about="It is shown only once. Copy it now."
          name="The signing secret"
          secret={secret}
          onClose={() => setSecret(undefined)}
        />
      )}
    </Section>
  )
}
