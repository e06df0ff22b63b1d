// Buttons that lead to social providers. Their answers arrive at the hosted pages, which complete the sign-in.
import type { PublicTenant } from '@bailiwick/contract'
import { useBailiwick } from '../provider.tsx'
import { filled } from '../texts/catalogue.ts'
import { useFormClient } from './form-client.ts'
import type { FormLook } from './form-look.ts'
import { findProviders } from './tenant.ts'
import type { Work } from './use-work.ts'

interface ProvidersProps {
  readonly look: FormLook
  readonly tenant: PublicTenant
  readonly work: Work
  readonly redirectTo: string | undefined
}

/** Shows nothing in an app with tokens, because the hosted pages would put the session into cookies. */
export function Providers({ look, redirectTo, tenant, work }: ProvidersProps) {
  const { isByTokens, pages } = useBailiwick()
  const client = useFormClient()
  const providers = isByTokens ? [] : findProviders(tenant)
  const { classes, texts } = look
  if (providers.length === 0) return null
  const leave = async (providerKey: (typeof providers)[number]['providerKey']) => {
    const { signInAttempt } = await client.createSignIn({
      body: redirectTo === undefined ? {} : { redirectUri: redirectTo },
    })
    const { authorizeUri } = await client.prepareFirstFactor({
      params: { id: signInAttempt.id },
      body: { strategy: 'oauth', providerKey, redirectUri: pages.providerReturn(redirectTo) },
    })
    if (authorizeUri !== undefined) location.assign(authorizeUri)
  }
  return (
    <>
      {providers.map(({ id, name, providerKey }) => (
        <button
          key={id}
          type="button"
          className={classes('bw-button bw-secondary', 'button')}
          onClick={() => void work.run([undefined, 'failed'], () => leave(providerKey))}
        >
          {filled(texts.withProvider, { provider: name })}
        </button>
      ))}
    </>
  )
}
