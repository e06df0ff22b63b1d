'use client'
// The provider, which contains all other components. It knows the tenant, follows the session, and gives components their look and texts.
import type { Brand } from '@bailiwick/contract'
import type { TokenStore } from '@bailiwick/sdk/frontend'
import { type ReactNode, createContext, useContext, useEffect, useMemo, useState } from 'react'
import type { Appearance } from './appearance.ts'
import type { InitialState } from './auth-state.ts'
import { AuthStore } from './auth-store.ts'
import { type HostedPages, type HostedPagesOptions, hostedPages, isLoopbackAddress } from './hosted-pages.ts'
import { type BaseTexts, type Texts, en } from './texts/catalogue.ts'

export interface BailiwickProviderProps extends HostedPagesOptions {
  /** The tenant's public key: `BAILIWICK_PUBLIC_KEY` of its environment. */
  readonly publicKey: string
  /**
   * The place of the session for an app on another site than the service, which the service's cookies do not reach. Users then sign in by
   * embedded forms. Without it, the session is in a cookie that no script can read.
   */
  readonly tokens?: TokenStore | undefined
  /** The signed-in user, if the server knows it: see `initialStateOf` of `@bailiwick/react/server`. */
  readonly initialState?: InitialState | undefined
  readonly appearance?: Appearance | undefined
  /** The tenant's brand; fetched from the service unless given. With `false` the components keep the style sheet's colours. */
  readonly brand?: Brand | false | undefined
  /** Another language, or other words for single texts. */
  readonly texts?: Partial<Texts> | undefined
  readonly children?: ReactNode
}

export interface BailiwickContext extends Pick<BailiwickProviderProps, 'appearance' | 'brand'> {
  readonly store: AuthStore
  readonly pages: HostedPages
  /** The texts of the language, with the app's own words in their place. */
  readonly texts: BaseTexts & Partial<Texts>
  readonly isByTokens: boolean
}

const Context = createContext<BailiwickContext | undefined>(undefined)

/** @throws Error if there is no provider above the component. */
export function useBailiwick(): BailiwickContext {
  const context = useContext(Context)
  if (context === undefined) throw new Error('this component or hook must be used inside a <BailiwickProvider>')
  return context
}

/**
 * Connects all components and hooks below it with a tenant. The tenant, its keys and its service cannot change after the first rendering.
 * @example
 * ```tsx
 * import { BailiwickProvider, UserButton } from '@bailiwick/react'
 *
 * export const App = () => (
 *   <BailiwickProvider frontendApiUrl="https://id.example.com/frontend/api/v0" publicKey="pk_…" tenantId="c0123456789">
 *     <UserButton />
 *   </BailiwickProvider>
 * )
 * ```
 */
export function BailiwickProvider(props: BailiwickProviderProps) {
  const { appearance, brand, children, frontendApiUrl, pagesUrl, tenantId, texts, tokens } = props
  const [store] = useState(() => new AuthStore(props))
  useEffect(() => store.start(), [store])
  useEffect(() => {
    // A page at an IP address is another site than the service at `localhost`, which then gets no cookie.
    if (tokens === undefined && isLoopbackAddress(location.hostname)) {
      void import('./address-warning.ts').then(({ warnOfAddress }) => warnOfAddress(frontendApiUrl))
    }
  }, [frontendApiUrl, tokens])
  const context = useMemo(
    () => ({
      store,
      pages: hostedPages({ frontendApiUrl, tenantId, pagesUrl }),
      texts: texts === undefined ? en : { ...en, ...texts },
      isByTokens: tokens !== undefined,
      appearance,
      brand,
    }),
    [store, frontendApiUrl, tenantId, pagesUrl, texts, tokens, appearance, brand],
  )
  return <Context.Provider value={context}>{children}</Context.Provider>
}
