'use client'
// The provider, which contains all other components. It knows the tenant, follows the session, and gives components their look and texts.
import type { Brand } from '@bailiwick/contract'
import type { TokenStore } from '@bailiwick/sdk/frontend'
import { type ReactNode, createContext, useContext, useEffect, useMemo, useState } from 'react'
import type { Appearance } from './appearance.ts'
import type { InitialState } from './auth-state.ts'
import { AuthStore } from './auth-store.ts'
import { type HostedPages, type HostedPagesOptions, hostedPages } from './hosted-pages.ts'
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

/** Bundlers replace it. */
declare const process: { readonly env: { readonly NODE_ENV?: string } }

/** An address that nothing has (RFC 2606), for one that is missing or wrong: the page must not be empty for that. */
const usable = (address: string) => (/^https?:\/\/\w/.test(address) ? address : 'https://a.invalid')

const Context = createContext<BailiwickContext | undefined>(undefined)

/** @throws Error if there is no provider above the component. */
export function useBailiwick(): BailiwickContext {
  const context = useContext(Context)
  if (context === undefined) throw new Error('there is no <BailiwickProvider> around this')
  return context
}

/** Where the condition is known, bundlers leave the module out of finished apps. */
const loadDiagnosis = process.env.NODE_ENV === 'production' ? undefined : () => import('./diagnosis.ts')

/** Says in the page what is wrong with the settings or the service. */
function useDiagnosis(store: AuthStore, frontendApiUrl: string, publicKey: string, isByTokens: boolean) {
  useEffect(() => {
    let end: (() => void) | undefined
    let isOver = false
    void loadDiagnosis?.().then(({ diagnose }) => {
      if (!isOver) end = diagnose(store, { frontendApiUrl, publicKey, isByTokens })
    })
    return () => {
      isOver = true
      end?.()
    }
  }, [store, frontendApiUrl, publicKey, isByTokens])
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
  const { appearance, brand, children, pagesUrl, publicKey, tenantId, texts, tokens } = props
  const frontendApiUrl = usable(props.frontendApiUrl)
  // No tenant has the key `pk_`. A variable that is not set is undefined, whatever the types say.
  const isKey = (publicKey as string | undefined)?.startsWith('pk_')
  const [store] = useState(() => new AuthStore({ ...props, frontendApiUrl, publicKey: isKey ? publicKey : 'pk_' }))
  useEffect(() => store.start(), [store])
  // The condition never changes, so neither does the order of the hooks.
  if (process.env.NODE_ENV !== 'production') useDiagnosis(store, props.frontendApiUrl, publicKey, tokens !== undefined)
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
