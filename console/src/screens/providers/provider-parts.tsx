// Parts that the screens of social providers and of custom providers share.
import { useNavigate } from '@tanstack/react-router'
import { ConfirmAction } from '../../actions/confirm-action.tsx'
import { call } from '../../api/client.ts'
import { useOperation } from '../../api/use-operation.ts'
import type { FieldSpec } from '../../form/field-spec.ts'
import { Section } from '../../parts/page.tsx'
import { useMayCall } from '../../session/rights.ts'
import { useTenant, useTenantPath } from '../../session/tenant.tsx'
import { Badge } from '../../values/badge.tsx'
import { CopySecret } from '../../values/copy.tsx'

/** Returns the address to register at a provider: that of a provider of the service, which the service knows, with another key. */
export function useCallbackAddress(key: string): string {
  const { id: tenantId } = useTenant()
  const { data } = useOperation('listSocialProviderStates', { params: { tenantId } })
  const known = data?.find(({ state }) => state === 'absent')?.callbackUri
  return (known ?? `${location.origin}/frontend/api/v0/oauth/callback/`).replace(/[^/]*$/, key)
}

/** The fields for how far a provider is trusted, the same for every kind of provider. */
export const trustFields: readonly FieldSpec[] = [
  {
    name: 'authenticatable',
    label: 'Use it to sign in',
    hint: 'If it is off, users can only connect it to an account that they have.',
    fallback: () => true,
  },
  {
    name: 'autoConnectAccounts',
    label: 'Connect accounts by verified e-mail address',
    hint: 'If it is off, users sign in to their account first and then connect it.',
    fallback: () => true,
  },
]

/** The fields for acting at a provider for its users, the same for every kind of provider. */
export const tokenFields: readonly FieldSpec[] = [
  {
    name: 'keepTokens',
    section: 'Acting for users',
    label: 'Let users allow your servers access',
    hint: 'Its tokens are kept, encrypted, once a user has agreed. Your servers get them with POST /auth/users/{id}/provider-tokens.',
  },
  {
    name: 'tokenScopes',
    label: 'Scopes that users can allow',
    hint: 'Beside those of sign-in: one on each line.',
    isShown: (body) => body['keepTokens'] === true,
  },
]

const states = {
  absent: ['plain', 'not added'],
  disabled: ['plain', 'disabled'],
  incomplete: ['bad', 'not set up'],
  ready: ['good', 'ready'],
} as const

export function ProviderStateBadge({ state }: { readonly state: keyof typeof states }) {
  const [tone, text] = states[state]
  return <Badge tone={tone}>{text}</Badge>
}

export function EnabledBadge({ isEnabled }: { readonly isEnabled: boolean }) {
  return <Badge tone={isEnabled ? 'good' : 'plain'}>{isEnabled ? 'enabled' : 'disabled'}</Badge>
}

interface ClientSecretProps {
  readonly operation: 'getSocialProviderSecret' | 'getCustomProviderSecret'
  readonly id: string
}

/** The client secret, for users who may read it. */
export function ClientSecret({ operation, id }: ClientSecretProps) {
  const right = useMayCall(operation)
  if (!right.isAllowed) return <span className="quiet">{right.reason}</span>
  const read = async () => (await call(operation, { params: { id } })).clientSecret ?? ''
  return <CopySecret name="The client secret" read={read} />
}

interface RemoveProviderProps {
  readonly operation: 'deleteSocialProvider' | 'deleteCustomProvider'
  readonly id: string
  readonly name: string
  /** The path of the list that the provider is removed from. */
  readonly list: string
}

export function RemoveProvider({ operation, id, name, list }: RemoveProviderProps) {
  const path = useTenantPath()
  const navigate = useNavigate()
  return (
    <Section
      title="Remove this provider"
      isDangerous
      about="Users who have no other way to sign in are locked out. To stop it for a while, disable it instead."
    >
      <div>
        <ConfirmAction
          operation={operation}
          input={{ params: { id } }}
          label="Remove provider"
          name={name}
          onDone={() => void navigate({ to: path(list) })}
        >
          Its settings and its secret are deleted. This cannot be undone.
        </ConfirmAction>
      </div>
    </Section>
  )
}
