'use client'
// The API keys of the signed-in user or of an organization. The code of the list is loaded when it is first shown.
import { Suspense, lazy } from 'react'
import type { Appearance } from './appearance.ts'
import { useUser } from './hooks.ts'
import { useLook } from './look.ts'

export interface ApiKeysProps {
  readonly appearance?: Appearance | undefined
  /** The organization whose keys are shown; without it, those of the user. */
  readonly organizationId?: string | undefined
  /** The language as a BCP 47 tag; by default that of the page. A language that the component does not have is shown in English. */
  readonly language?: string | undefined
}

const Panel = lazy(() => import('./api-keys/panel.tsx').then((module) => ({ default: module.Panel })))

/**
 * Lets the user create, copy, replace and revoke API keys for your API. Shows nothing if no user is signed in. Creating and replacing need
 * a recent sign-in, to which it leads. The tenant must have `userApiKeysEnabled`.
 * @example
 * ```tsx
 * import { ApiKeys } from '@bailiwick/react/api-keys'
 *
 * export const KeysPage = () => <ApiKeys />
 * ```
 */
export function ApiKeys({ appearance, language, organizationId }: ApiKeysProps) {
  const { user } = useUser()
  const { classes, style } = useLook(appearance)
  if (user === undefined || user === null) return null
  const waiting = <div className={classes('bw bw-card', 'card')} style={style} aria-busy="true" />
  const owner = organizationId ?? user.id
  return (
    <Suspense fallback={waiting}>
      <Panel key={owner} appearance={appearance} language={language} organizationId={organizationId} />
    </Suspense>
  )
}
